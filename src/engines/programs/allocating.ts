/** Allocation of memory, and copies of ranges. */
import type { Term } from "../../model/terms.js";
import { nameOf } from "./access.js";
import type { Provided, ProvidedCall } from "./calls.js";
import { isTerm, NULL, Partial, Pointer, type Value } from "./values.js";

/** Larger requests fail, like oversized native ones. */
const MOST_BYTES = 2n ** 28n;

const whole = ({ executor, state, args }: ProvidedCall, index: number): bigint =>
  executor.machine.concretise(state, args[index] ?? 0, 64);

function allocated({ state }: ProvidedCall, size: bigint, isInitialised: boolean): Pointer {
  if (size > MOST_BYTES) return NULL;
  return new Pointer(state.allocate("heap", Number(size), 16, undefined, isInitialised), 0);
}

/** The heap object that starts at a pointer. */
function heapObject(context: ProvidedCall, pointer: Value, verb: string): number {
  const { executor, state } = context;
  const { machine } = executor;
  if (pointer instanceof Partial)
    throw machine.violation(state, "uninitialised", `${verb} a pointer that is not initialised`);
  if (!(pointer instanceof Pointer)) throw machine.violation(state, "invalid free", `${verb} a number`);
  const { object: id, offset } = pointer;
  // sound: test/engines/programs/checks.test.ts
  if (state.freed.has(id))
    throw machine.violation(state, "double free", `${verb} memory that was freed before`);
  const object = state.objects.get(id);
  if (object?.kind !== "heap")
    throw machine.violation(
      state,
      "invalid free",
      `${verb} ${object ? nameOf(object) : "a pointer"}, which was not allocated`,
    );
  const isStart = isTerm(offset)
    ? machine.bits.equal(offset, machine.bits.constant(64, 0n))
    : Number(offset === 0);
  if (!machine.decide(state, isStart))
    throw machine.violation(state, "invalid free", `${verb} a pointer into the middle of allocated memory`);
  return id;
}

const isNull = (value: Value | undefined): boolean =>
  value instanceof Pointer && value.object === 0 && value.offset === 0;

const free: Provided = (context) => {
  const { state, args } = context;
  const [pointer = NULL] = args;
  if (isNull(pointer)) return undefined;
  const id = heapObject(context, pointer, "frees");
  state.objects.delete(id);
  state.freed.add(id);
  return undefined;
};

const realloc: Provided = (context) => {
  const { state, args } = context;
  const [old = NULL] = args;
  if (isNull(old)) return allocated(context, whole(context, 1), false);
  const id = heapObject(context, old, "reallocates");
  const size = whole(context, 1);
  const fresh = allocated(context, size, false);
  const before = state.objects.get(id);
  if (fresh.object === 0 || !before) return fresh;
  state.own(fresh.object).copyFrom(before, 0, 0, Math.min(before.size, Number(size)));
  state.objects.delete(id);
  state.freed.add(id);
  return fresh;
};

/** Overlapping ranges are an error of `memcpy`, unless they are equal. */
const copy =
  (mayOverlap: boolean): Provided =>
  (context) => {
    const { executor, state, args } = context;
    const { access, machine } = executor;
    const size = Number(whole(context, 2));
    if (size === 0) return args[0];
    const to = access.place(state, args[0] ?? NULL, size, 1, "writes");
    const from = access.place(state, args[1] ?? NULL, size, 1, "reads");
    if (to.object.isConstant)
      throw machine.violation(state, "read-only memory", `writes to the constant ${nameOf(to.object)}`);
    const at = offsetOf(context, to.offset);
    const source = offsetOf(context, from.offset);
    if (!mayOverlap && to.id === from.id && at !== source && Math.abs(at - source) < size)
      throw machine.violation(state, "undefined behaviour", "copies between overlapping ranges with memcpy");
    const taken = from.object;
    state.own(to.id).copyFrom(to.id === from.id ? state.own(to.id) : taken, source, at, size);
    return args[0];
  };

const offsetOf = ({ executor, state }: ProvidedCall, offset: number | Term): number =>
  isTerm(offset) ? Number(executor.machine.concretise(state, offset, 64)) : offset;

const fill: Provided = (context) => {
  const { executor, state, args, name } = context;
  const { access, machine } = executor;
  const size = Number(whole(context, 2));
  if (size === 0) return args[0];
  const to = access.place(state, args[0] ?? NULL, size, 1, "writes");
  if (to.object.isConstant)
    throw machine.violation(state, "read-only memory", `writes to the constant ${nameOf(to.object)}`);
  const at = offsetOf(context, to.offset);
  const bits = name.startsWith("llvm.") ? 8 : 32;
  const byte = machine.arithmetic.truncate(bits, 8, (args[1] ?? 0) as number | bigint | Term | Partial);
  const object = state.own(to.id);
  for (let i = at; i < at + size; i++)
    if (byte instanceof Partial) object.writePartial(i, 1, byte);
    else if (isTerm(byte)) object.writePiecewise(i, 1, byte);
    else object.writeNumber(i, 1, byte);
  return args[0];
};

export const allocating: readonly (readonly [string, Provided])[] = [
  ["malloc", (context) => allocated(context, whole(context, 0), false)],
  ["calloc", (context) => allocated(context, whole(context, 0) * whole(context, 1), true)],
  ["aligned_alloc", (context) => allocated(context, whole(context, 1), false)],
  ["realloc", realloc],
  ["free", free],
  ["memcpy", copy(false)],
  ["memmove", copy(true)],
  ["memset", fill],
  // The compiler copies structures onto themselves.
  ["llvm.memcpy.", copy(false)],
  ["llvm.memmove.", copy(true)],
  ["llvm.memset.", fill],
];
