/** Calls: functions of the program, arguments by value, variadic arguments, and functions that the executor provides. */
import {
  roundUp,
  sizeOf,
  storeSize,
  type CallArgument,
  type Instruction,
  type IrFunction,
} from "../../model/module.js";
import { allocating } from "./allocating.js";
import type { Executor } from "./execute.js";
import { inputs } from "./inputs.js";
import { intrinsics } from "./intrinsics.js";
import type { PathState } from "./state.js";
import { Partial, Pointer, type Value } from "./values.js";

type Call = Extract<Instruction, { kind: "call" }>;

/** A function of the executor: its result, or undefined. */
export type Provided = (context: ProvidedCall) => Value | undefined;

export interface ProvidedCall {
  readonly executor: Executor;
  readonly state: PathState;
  readonly args: readonly Value[];
  readonly call: Call;
  readonly name: string;
}

/** Prefixes of intrinsics end in a dot: `llvm.memcpy.`. */
const provided = new Map<string, Provided>([...allocating, ...inputs, ...intrinsics]);

/** Functions that need no definition in the program or library. */
export const isProvided = (name: string): boolean => providedFor(name) !== undefined;

function providedFor(name: string): Provided | undefined {
  const exact = provided.get(name);
  if (exact) return exact;
  if (name.startsWith("__ubsan_handle_")) return provided.get("__ubsan_handle_");
  if (!name.startsWith("llvm.")) return undefined;
  const words = name.split(".");
  for (let n = words.length - 1; n >= 2; n--) {
    const found = provided.get(`${words.slice(0, n).join(".")}.`);
    if (found) return found;
  }
  return undefined;
}

export class Calls {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  call(state: PathState, call: Call): void {
    const { machine } = this.#executor;
    const name = this.#calleeOf(state, call);
    const fn = machine.host.module.functions.get(name);
    if (fn) {
      this.#enter(state, call, fn);
      return;
    }
    const found = machine.host.provides?.(name) ?? providedFor(name);
    // sound: test/engines/programs/gaps.test.ts
    if (!found)
      throw machine.unsupported(state, `a call of '${name}', which has neither a definition nor a model`);
    const args = call.args.map((arg) => this.#executor.value(state, arg.type, arg.value));
    const result = found({ executor: this.#executor, state, args, call, name });
    if (call.hasResult) state.frame.registers[call.into] = result;
    state.frame.at++;
  }

  #calleeOf(state: PathState, { callee }: Call): string {
    if (callee.kind === "address" && callee.offset === 0) return callee.symbol;
    const { machine } = this.#executor;
    const target = this.#executor.operand(state, callee);
    if (target instanceof Partial)
      throw machine.violation(state, "uninitialised", "calls through a pointer that is not initialised");
    const object = target instanceof Pointer ? state.objects.get(target.object) : undefined;
    if (target instanceof Pointer && target.object === 0 && target.offset === 0)
      throw machine.violation(state, "null pointer", "calls through a null pointer");
    if (
      object?.kind !== "function" ||
      !(target instanceof Pointer) ||
      target.offset !== 0 ||
      object.label === undefined
    )
      throw machine.violation(
        state,
        "invalid pointer",
        "calls through a pointer that is not the address of a function",
      );
    return object.label;
  }

  #enter(state: PathState, { args, into, hasResult, result }: Call, fn: IrFunction): void {
    const { machine } = this.#executor;
    const isFitting =
      args.length >= fn.parameters.length &&
      fn.parameters.every(
        (type, index) => (type.kind === "float") === (args[index]?.type.kind === "float"),
      ) &&
      (!hasResult || (result.kind === "float") === (fn.result.kind === "float"));
    if (!isFitting)
      throw machine.violation(
        state,
        "undefined behaviour",
        `calls '${fn.name}' with arguments of other types than it has`,
      );
    const values = args.map((arg) => this.#executor.value(state, arg.type, arg.value));
    // Decisions are made, so that effects may begin.
    const locals: number[] = [];
    const passed = args.map((arg, index) => this.#passed(state, arg, values[index] ?? 0, locals));
    const rest = fn.isVariadic
      ? this.#variadic(state, args.slice(fn.parameters.length), passed.slice(fn.parameters.length), locals)
      : 0;
    this.#executor.enter(
      state,
      fn,
      passed.slice(0, fn.parameters.length),
      rest,
      locals,
      hasResult ? into : -1,
    );
  }

  /** A structure by value is copied. */
  #passed(state: PathState, { byValue, type }: CallArgument, value: Value, locals: number[]): Value {
    const { machine, access } = this.#executor;
    if (type.kind === "opaque") throw machine.unsupported(state, `an argument of the type ${type.text}`);
    if (!byValue || byValue.size === 0) return value;
    const { object, offset } = access.place(state, value, byValue.size, 1, "reads");
    if (typeof offset !== "number")
      throw machine.unsupported(state, "a structure at a symbolic address, by value");
    const id = state.allocate("stack", byValue.size, byValue.align, undefined, false);
    locals.push(id);
    state.own(id).copyFrom(object, offset, 0, byValue.size);
    return new Pointer(id, 0);
  }

  /** As in the memory part of the calling convention of x86-64: slots of 8 bytes. */
  #variadic(
    state: PathState,
    args: readonly CallArgument[],
    values: readonly Value[],
    locals: number[],
  ): number {
    const { access } = this.#executor;
    const sizes = args.map(({ type, byValue }) => roundUp(byValue?.size ?? storeSize(type), 8));
    const id = state.allocate(
      "stack",
      sizes.reduce((sum, size) => sum + size, 0),
      16,
      "the variadic arguments",
      false,
    );
    locals.push(id);
    let at = 0;
    args.forEach(({ type, byValue }, index) => {
      const value = values[index] ?? 0;
      if (byValue && value instanceof Pointer) {
        const source = state.objects.get(value.object);
        if (source) state.own(id).copyFrom(source, 0, at, byValue.size);
      } else if (sizeOf(type) > 0) access.store(state, new Pointer(id, at), type, value, 1);
      at += sizes[index] ?? 0;
    });
    return id;
  }
}
