/**
 * Merges two paths that have met at one place: values that differ become choices between them.
 *
 * The conditions of the two paths exclude each other. Always true: under each assignment that satisfies one of them, the merged path
 * behaves like that one (test/engines/programs/merging.test.ts). Paths whose values cannot be expressed as choices, such as pointers to
 * different objects, stay apart.
 */
import type { IrType } from "../../../model/module.js";
import type { Term } from "../../../model/terms.js";
import { nth } from "../../../model/known.js";
import type { Bits } from "../bits.js";
import type { MemoryObject } from "../memory.js";
import { PathState, type Frame, type InputRequest } from "../state.js";
import { Aggregate, integer, isTerm, Partial, Pointer, type Value } from "../values.js";
import { livenessOf } from "./liveness.js";

/** Undefined: the paths stay apart. */
export function merge(a: PathState, b: PathState, bits: Bits): PathState | undefined {
  if (!isSamePlace(a, b)) return undefined;
  const split = splitOf(a, b, bits);
  if (!split) return undefined;
  const merger = new Merger(bits, split.selector);
  const frames: Frame[] = [];
  for (let level = 0; level < a.frames.length; level++) {
    const frame = merger.frame(nth(a.frames, level), nth(b.frames, level), level === a.frames.length - 1);
    if (!frame) return undefined;
    frames.push(frame);
  }
  const dead = deadObjects(a, b);
  const merged = new PathState();
  const objects = merger.objects(a, b, dead, merged.owner);
  if (!objects) return undefined;
  const prefix = a.condition.slice(0, split.common);
  const { terms } = bits;
  const either = terms.or([
    terms.and(a.condition.slice(split.common)),
    terms.and(b.condition.slice(split.common)),
  ]);
  a.disown();
  b.disown();
  return Object.assign(merged, {
    frames,
    objects,
    freed: new Set([...a.freed, ...b.freed]),
    nextObject: Math.max(a.nextObject, b.nextObject),
    nextAddress: a.isMirrored
      ? Math.min(a.nextAddress, b.nextAddress)
      : Math.max(a.nextAddress, b.nextAddress),
    exposed: new Set([...a.exposed, ...b.exposed]),
    isMirrored: a.isMirrored,
    condition: either.kind === "constant" ? prefix : [...prefix, either],
    known: jointly(a.known, b.known),
    model: a.model,
    inputs: joinedInputs(a.inputs, b.inputs, split, bits),
    output: a.output,
    stdin: a.stdin,
    stdinAt: a.stdinAt,
    decisions: Math.max(a.decisions, b.decisions),
    steps: Math.max(a.steps, b.steps),
  });
}

/** Merges as many of some paths as possible. */
export function mergeAll(states: readonly PathState[], bits: Bits): PathState[] {
  const found: PathState[] = [];
  for (const state of states) {
    const index = found.findIndex((each) => {
      const joint = merge(each, state, bits);
      if (joint) found[found.indexOf(each)] = joint;
      return joint !== undefined;
    });
    if (index < 0) found.push(state);
  }
  return found;
}

function isSamePlace(a: PathState, b: PathState): boolean {
  return (
    a.frames.length === b.frames.length &&
    a.stdin === b.stdin &&
    a.stdinAt === b.stdinAt &&
    a.frames.every((frame, level) => {
      const other = nth(b.frames, level);
      return (
        frame.fn === other.fn &&
        frame.block === other.block &&
        frame.at === other.at &&
        frame.variadic === other.variadic &&
        frame.into === other.into &&
        frame.locals.length === other.locals.length &&
        frame.locals.every((id, index) => id === other.locals[index]) && // sound: test/engines/programs/merging.test.ts
        (frame.rounds ?? []).join() === (other.rounds ?? []).join()
      );
    })
  );
}

interface Split {
  /** Literals that both conditions begin with. */
  readonly common: number;
  /** True on the first path, false on the second. */
  readonly selector: Term;
  /** Exactly the first path, and exactly the second one, given the common literals. */
  readonly first: Term;
  readonly second: Term;
}

function splitOf({ condition: a }: PathState, { condition: b }: PathState, bits: Bits): Split | undefined {
  const { terms } = bits;
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  if (common === a.length || common === b.length) return undefined;
  const left = a.slice(common);
  const right = b.slice(common);
  const second = new Set(right);
  const first = terms.and(left);
  const selector = left.find((literal) => second.has(terms.not(literal))) ?? first;
  return { common, selector, first, second: terms.and(right) };
}

/** Literals known on both paths. */
function jointly(a: ReadonlyMap<number, boolean>, b: ReadonlyMap<number, boolean>): Map<number, boolean> {
  const found = new Map<number, boolean>();
  for (const [id, value] of a) if (b.get(id) === value) found.set(id, value); // sound: test/engines/programs/merging.test.ts
  return found;
}

/** Inputs after the common ones belong to their path. */
function joinedInputs(
  a: readonly InputRequest[],
  b: readonly InputRequest[],
  { first, second }: Split,
  { terms }: Bits,
): InputRequest[] {
  const isSame = (x: InputRequest, y: InputRequest): boolean =>
    x === y ||
    (x.name === y.name &&
      x.isSigned === y.isSigned &&
      x.source === y.source &&
      x.when === y.when &&
      x.variables.length === y.variables.length &&
      x.variables.every((variable, index) => variable === y.variables[index]));
  let common = 0;
  while (common < a.length && common < b.length && isSame(nth(a, common), nth(b, common))) common++;
  const guarded =
    (guard: Term) =>
    (each: InputRequest): InputRequest => ({
      ...each,
      when: each.when === undefined ? guard : terms.and([each.when, guard]),
    });
  return [
    ...a.slice(0, common),
    ...a.slice(common).map(guarded(first)), // sound: test/engines/programs/merging.test.ts
    ...b.slice(common).map(guarded(second)),
  ];
}

/** Variables whose contents nothing reads any more. */
function deadObjects({ frame }: PathState, { frame: other }: PathState): ReadonlySet<number> {
  const dead = new Set<number>();
  if (frame.at !== 0) return dead;
  for (const register of livenessOf(frame.fn).deadVariables(frame.block)) {
    const [x, y] = [frame.registers[register], other.registers[register]];
    if (x instanceof Pointer && y instanceof Pointer && x.object === y.object) dead.add(x.object);
  }
  return dead;
}

class Merger {
  readonly #bits: Bits;
  readonly #selector: Term;

  constructor(bits: Bits, selector: Term) {
    this.#bits = bits;
    this.#selector = selector;
  }

  frame(a: Frame, b: Frame, isTop: boolean): Frame | undefined {
    const { types, registers: liveAt } = livenessOf(a.fn);
    const live = liveAt(a.block, isTop ? a.at : a.at + 1);
    const registers = new Array<Value | undefined>(a.registers.length);
    for (let index = 0; index < registers.length; index++) {
      const [x, y] = [a.registers[index], b.registers[index]];
      if (x === y) registers[index] = x;
      else if (live.has(index) && x !== undefined && y !== undefined) {
        const value = this.value(types[index], x, y);
        if (value === undefined) return undefined;
        registers[index] = value;
      }
    }
    return { ...a, registers, locals: a.locals.slice() };
  }

  value(type: IrType | undefined, x: Value, y: Value): Value | undefined {
    if (x === y) return x;
    if (x instanceof Pointer && y instanceof Pointer) return this.#pointer(x, y);
    if (x instanceof Partial && y instanceof Partial) {
      if (x.mask !== y.mask) return undefined; // sound: test/engines/programs/merging.test.ts
      const value = this.value(type, x.value, y.value);
      return value === undefined ? undefined : new Partial(value as number | bigint | Term, x.mask);
    }
    if (x instanceof Aggregate && y instanceof Aggregate) return this.#aggregate(type, x, y);
    if (type?.kind !== "int" || !isInteger(x) || !isInteger(y)) return undefined;
    return this.#integer(type.bits, x, y);
  }

  #integer(bits: number, x: number | bigint | Term, y: number | bigint | Term): number | bigint | Term {
    const term = (value: number | bigint | Term): Term =>
      isTerm(value) ? value : this.#bits.constant(bits, BigInt(value));
    const chosen = this.#bits.ite(this.#selector, term(x), term(y));
    return chosen.kind === "constant" ? integer(bits, chosen.value) : chosen;
  }

  #pointer(x: Pointer, y: Pointer): Pointer | undefined {
    if (x.object !== y.object) return undefined;
    if (x.offset === y.offset && x.stride === y.stride && x.phase === y.phase) return x;
    const wide = ({ offset }: Pointer): bigint | Term =>
      isTerm(offset) ? offset : BigInt.asUintN(64, BigInt(offset));
    const offset = this.#integer(64, wide(x), wide(y));
    if (!isTerm(offset)) return new Pointer(x.object, Number(BigInt.asIntN(64, BigInt(offset))));
    const [strideX, phaseX] = remainder(x);
    const [strideY, phaseY] = remainder(y);
    let stride = Math.min(strideX, strideY);
    while (stride > 1 && phaseX % stride !== phaseY % stride) stride /= 2; // sound: test/engines/programs/merging.test.ts
    return new Pointer(x.object, offset, stride, phaseX % stride);
  }

  #aggregate(type: IrType | undefined, x: Aggregate, y: Aggregate): Aggregate | undefined {
    const parts: Value[] = [];
    for (let index = 0; index < Math.max(x.parts.length, y.parts.length); index++) {
      const [a, b] = [x.parts[index], y.parts[index]];
      const inner =
        type?.kind === "struct" ? type.fields[index] : type?.kind === "array" ? type.of : undefined;
      const part = a === undefined || b === undefined ? undefined : this.value(inner, a, b);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return new Aggregate(parts);
  }

  /** Objects of both paths, and objects that only one of them has ever had. */
  objects(
    a: PathState,
    b: PathState,
    dead: ReadonlySet<number>,
    owner: number,
  ): Map<number, MemoryObject> | undefined {
    const found = new Map<number, MemoryObject>();
    for (const [id, object] of a.objects) {
      const other = b.objects.get(id);
      if (!other) {
        if (id < b.nextObject) return undefined; // sound: test/engines/programs/merging.test.ts
        found.set(id, object);
        continue;
      }
      const merged = object === other ? object : this.#object(object, other, dead.has(id), owner);
      if (!merged) return undefined;
      found.set(id, merged);
    }
    for (const [id, object] of b.objects) {
      if (found.has(id)) continue;
      if (id < a.nextObject) return undefined;
      found.set(id, object);
    }
    return found;
  }

  #object(a: MemoryObject, b: MemoryObject, isDead: boolean, owner: number): MemoryObject | undefined {
    if (
      a.kind !== b.kind ||
      a.size !== b.size ||
      a.align !== b.align ||
      a.isConstant !== b.isConstant ||
      a.label !== b.label ||
      a.isEnded !== b.isEnded // sound: test/engines/programs/merging.test.ts
    )
      return undefined;
    if (isDead) return a;
    const merged = a.copyFor(owner);
    const unit = [1, 2, 4, 8].includes(a.size) ? a.size : 4;
    for (let at = 0; at < a.size;) {
      const size = this.#cell(a, b, at, unit);
      if (!this.#range(a, b, merged, at, size)) return undefined;
      at += size;
    }
    return merged;
  }

  /** Bytes from `at` on that are a whole value on both paths. */
  #cell(a: MemoryObject, b: MemoryObject, at: number, unit: number): number {
    const whole = (object: MemoryObject): number => {
      const piece = object.pieces?.get(at);
      return piece?.index === 0 && at + piece.size <= object.size ? piece.size : 0;
    };
    const size = whole(a) || whole(b) || (at % unit === 0 && at + unit <= a.size ? unit : 1);
    return isClean(a, at, size) && isClean(b, at, size) ? size : 1;
  }

  #range(a: MemoryObject, b: MemoryObject, into: MemoryObject, at: number, size: number): boolean {
    let isSame = true;
    let isEmpty = true;
    for (let i = at; i < at + size; i++) {
      const missing = a.missing?.[i] ?? 0;
      if (missing !== (b.missing?.[i] ?? 0)) return false; // sound: test/engines/programs/merging.test.ts
      if (missing !== 0xff) isEmpty = false;
      const [x, y] = [a.pieces?.get(i), b.pieces?.get(i)];
      const isEqual = x && y ? x.of === y.of && x.index === y.index : !x && !y && a.bytes[i] === b.bytes[i];
      if (!isEqual) isSame = false;
    }
    if (isSame || isEmpty) return true;
    const [x, y] = [this.#read(a, at, size), this.#read(b, at, size)];
    const value = x === undefined || y === undefined ? undefined : this.#stored(x, y, size);
    if (value === undefined) return false;
    const mask = into.missing?.slice(at, at + size);
    if (value instanceof Pointer || isTerm(value)) into.writePiecewise(at, size, value);
    else into.writeNumber(at, size, value);
    if (mask && into.missing) into.missing.set(mask, at);
    return true;
  }

  #stored(
    x: Pointer | number | bigint | Term,
    y: Pointer | number | bigint | Term,
    size: number,
  ): Pointer | number | bigint | Term | undefined {
    if (x instanceof Pointer || y instanceof Pointer)
      return x instanceof Pointer && y instanceof Pointer ? this.#pointer(x, y) : undefined;
    return this.#integer(size * 8, x, y);
  }

  /** The value whatever its initialisation; undefined: a part of a pointer. */
  #read(object: MemoryObject, at: number, size: number): Pointer | number | bigint | Term | undefined {
    const piece = object.pieces?.get(at);
    if (piece && piece.size === size && piece.index === 0) return piece.of;
    if (piece?.of instanceof Pointer) return undefined;
    if (piece) return object.byte(at, this.#bits, () => 0n);
    let value = 0n;
    for (let i = at + size - 1; i >= at; i--) value = (value << 8n) | BigInt(object.bytes[i] ?? 0);
    return integer(size * 8, value);
  }
}

const isInteger = (value: Value): value is number | bigint | Term =>
  typeof value === "number" || typeof value === "bigint" || isTerm(value);

/** Powers of two that are known to divide the offset but for the phase. */
const remainder = ({ offset, stride, phase }: Pointer): readonly [number, number] =>
  isTerm(offset) ? [stride, phase] : [2 ** 30, ((offset % 2 ** 30) + 2 ** 30) % 2 ** 30];

/** One whole value, or plain bytes. */
function isClean(object: MemoryObject, at: number, size: number): boolean {
  const first = object.pieces?.get(at);
  for (let i = 0; i < size; i++) {
    const piece = object.pieces?.get(at + i);
    if (first ? piece?.of !== first.of || piece.index !== i || piece.size !== size : piece) return false;
  }
  return true;
}
