/** Loads and stores, with every check of an access, and symbolic addresses. */
import { sizeOf, storeSize, type IrType } from "../../model/module.js";
import type { Term } from "../../model/terms.js";
import type { Machine } from "./machine.js";
import type { MemoryObject } from "./memory.js";
import type { PathState } from "./state.js";
import { Aggregate, integer, isTerm, Partial, Pointer, type Value } from "./values.js";

/** Up to this number of possible positions, an access is one term over all of them; beyond, each is a path. */
const MOST_POSITIONS = 256;

interface Place {
  readonly id: number;
  readonly object: MemoryObject;
  readonly offset: number | Term;
  readonly stride: number;
  readonly phase: number;
}

export class Access {
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  load(state: PathState, address: Value, type: IrType, align: number): Value {
    const place = this.place(state, address, sizeOfAccess(type), align, "reads");
    return this.#loadAt(state, place, type);
  }

  store(state: PathState, address: Value, type: IrType, value: Value, align: number): void {
    const place = this.place(state, address, sizeOfAccess(type), align, "writes");
    if (place.object.isConstant)
      throw this.#machine.violation(
        state,
        "read-only memory",
        `writes to the constant ${nameOf(place.object)}`,
      );
    const parts: { readonly at: number; readonly size: number; readonly value: Value }[] = [];
    this.#flatten(state, type, value, 0, parts);
    if (!isTerm(place.offset)) {
      const object = state.own(place.id);
      for (const { at, size, value: part } of parts) write(object, place.offset + at, size, part);
      return;
    }
    this.#storeAnywhere(state, place, parts, sizeOfAccess(type));
  }

  /** Checks an access of `size` bytes. */
  place(state: PathState, address: Value, size: number, align: number, verb: string): Place {
    const machine = this.#machine;
    if (address instanceof Partial)
      throw machine.violation(state, "uninitialised", `${verb} through a pointer that is not initialised`);
    const pointer =
      address instanceof Pointer ? address : new Pointer(0, Number(machine.concretise(state, address, 64)));
    const object = this.object(state, pointer, verb);
    const { offset, stride, phase } = pointer;
    const where = { id: pointer.object, object, offset, stride, phase };
    if (isTerm(offset)) {
      this.#checkBounds(state, object, offset, size, verb);
      this.#checkAlignment(state, where, align, verb);
      return where;
    }
    // sound: test/engines/programs/checks.test.ts
    if (offset < 0 || offset + size > object.size)
      throw machine.violation(
        state,
        "out of bounds",
        `${verb} ${bytesText(size)} at offset ${offset} of ${describe(object)}`,
      );
    // sound: test/engines/programs/checks.test.ts
    if (offset % align !== 0)
      throw machine.violation(
        state,
        "misaligned",
        `${verb} at offset ${offset} of ${nameOf(object)}, which is not a multiple of ${align}`,
      );
    this.#checkPlacement(object, align);
    return where;
  }

  /** The live object of a pointer. */
  object(state: PathState, { object: id, offset }: Pointer, verb: string): MemoryObject {
    const machine = this.#machine;
    if (id === 0) {
      const isNull = !isTerm(offset) && offset >= 0 && offset < 4096;
      throw isNull
        ? machine.violation(state, "null pointer", `${verb} through a null pointer`)
        : machine.violation(state, "invalid pointer", `${verb} through a number that is not an address`);
    }
    const object = state.objects.get(id);
    // sound: test/engines/programs/checks.test.ts
    if (!object)
      throw state.freed.has(id)
        ? machine.violation(state, "use after free", `${verb} memory that was freed`)
        : machine.violation(state, "use after return", `${verb} a variable of a function that has returned`);
    // sound: test/engines/programs/checks.test.ts
    if (object.isEnded)
      throw machine.violation(state, "use after scope", `${verb} ${nameOf(object)} outside of its scope`);
    if (object.kind === "function")
      throw machine.violation(state, "invalid pointer", `${verb} through the address of a function`);
    return object;
  }

  #checkBounds(state: PathState, object: MemoryObject, offset: Term, size: number, verb: string): void {
    const { bits } = this.#machine;
    const isInside =
      size > object.size ? 0 : bits.compare("ule", 64, offset, bits.constant(64, BigInt(object.size - size)));
    // sound: test/engines/programs/checks.test.ts
    if (!this.#machine.decide(state, isInside))
      throw this.#machine.violation(
        state,
        "out of bounds",
        `${verb} ${bytesText(size)} outside of ${describe(object)}`,
      );
  }

  #checkAlignment(
    state: PathState,
    { object, offset, stride, phase }: Place,
    align: number,
    verb: string,
  ): void {
    this.#checkPlacement(object, align);
    if (!isTerm(offset)) return;
    const { bits } = this.#machine;
    if (stride % align === 0 && phase % align === 0) return;
    const low = bits.binary("and", 64, offset, bits.constant(64, BigInt(align - 1)));
    if (!this.#machine.decide(state, bits.equal(low, bits.constant(64, 0n))))
      throw this.#machine.violation(
        state,
        "misaligned",
        `${verb} ${nameOf(object)} at an offset that is not a multiple of ${align}`,
      );
  }

  /** An object with a weaker alignment than its access needs may be at an address that suits or not. */
  #checkPlacement(object: MemoryObject, align: number): void {
    // sound: test/engines/programs/gaps.test.ts
    if (object.align % align !== 0)
      this.#machine.host.onGap(
        "address",
        `an access to ${nameOf(object)} needs an address that is a multiple of ${align}, which its type does not ensure`,
      );
  }

  #loadAt(state: PathState, place: Place, type: IrType): Value {
    switch (type.kind) {
      case "struct":
        return new Aggregate(
          type.fields.map((field, index) =>
            this.#loadAt(state, moved(place, type.offsets[index] ?? 0, this.#machine), field),
          ),
        );
      case "array":
        return new Aggregate(
          Array.from({ length: type.count }, (_, index) =>
            this.#loadAt(state, moved(place, index * sizeOf(type.of), this.#machine), type.of),
          ),
        );
      default:
        return this.#scalar(state, type, this.#bytes(state, place, storeSize(type)));
    }
  }

  #bytes(state: PathState, place: Place, size: number): Value {
    const expose = (pointer: Pointer): bigint => this.#machine.expose(state, pointer);
    const { object, offset } = place;
    const { bits, arithmetic } = this.#machine;
    if (!isTerm(offset)) return object.read(offset, size, bits, expose);
    const positions = positionsOf(place, size);
    if (!isFew(object, positions, size)) {
      const at = Number(this.#machine.concretise(state, offset, 64));
      return object.read(at, size, bits, expose);
    }
    let result: Term | undefined;
    for (const at of positions) {
      const value = arithmetic.term(object.read(at, size, bits, expose) as number | bigint | Term, size * 8);
      const isHere = bits.equal(offset, bits.constant(64, BigInt(at)));
      result = result === undefined ? value : bits.ite(isHere, value, result);
    }
    if (result === undefined) throw new Error("an access inside of an object has a position");
    return arithmetic.value(result, size * 8);
  }

  /** Bytes as a value of a type. */
  #scalar(state: PathState, type: IrType, read: Value): Value {
    switch (type.kind) {
      case "int":
        if (read instanceof Pointer) {
          if (type.bits === 64) return read;
          return integer(type.bits, this.#machine.expose(state, read));
        }
        return type.bits % 8 === 0
          ? read
          : this.#machine.arithmetic.truncate(
              storeSize(type) * 8,
              type.bits,
              read as number | bigint | Term | Partial,
            );
      case "pointer":
        return this.pointer(state, read);
      case "float":
        return this.float(state, read, type.bits);
      default:
        throw this.#machine.unsupported(state, "a value of an unsupported type");
    }
  }

  /** An integer as an address. */
  pointer(state: PathState, value: Value): Value {
    if (value instanceof Pointer || value instanceof Partial) return value;
    const address = Number(BigInt.asIntN(64, this.#machine.concretise(state, value, 64)));
    const id = address === 0 ? undefined : state.objectAt(address);
    if (id === undefined) return new Pointer(0, address);
    return new Pointer(id, address - (state.objects.get(id)?.base ?? 0));
  }

  /** An integer as the bits of a floating-point number. */
  float(state: PathState, value: Value, bits: 32 | 64): number {
    return floatOf(this.#concreteFloat(state, value, bits), bits);
  }

  #concreteFloat(state: PathState, value: Value, bits: number): bigint {
    if (value instanceof Partial)
      throw this.#machine.violation(
        state,
        "uninitialised",
        "reads a floating-point number that is not initialised",
      );
    if (isTerm(value))
      return this.#machine.pin(state, value, bits, "float", "floating-point numbers that depend on inputs");
    return this.#machine.concretise(state, value, bits);
  }

  #flatten(
    state: PathState,
    type: IrType,
    value: Value,
    at: number,
    parts: { readonly at: number; readonly size: number; readonly value: Value }[],
  ): void {
    if (value instanceof Aggregate) {
      if (type.kind !== "struct" && type.kind !== "array")
        throw new Error("an aggregate has an aggregate type");
      value.parts.forEach((part, index) => {
        const [inner, offset] =
          type.kind === "struct"
            ? [type.fields[index] ?? { kind: "void" as const }, type.offsets[index] ?? 0]
            : [type.of, index * sizeOf(type.of)];
        this.#flatten(state, inner, part, at + offset, parts);
      });
      return;
    }
    const size = storeSize(type);
    parts.push({ at, size, value: this.#stored(state, type, value, size) });
  }

  /** A value as whole bytes. */
  #stored(state: PathState, type: IrType, value: Value, size: number): Value {
    if (type.kind === "float") return bitsOfFloat(value as number, type.bits);
    if (type.kind === "int" && type.bits % 8 !== 0)
      return this.#machine.arithmetic.extend(
        type.bits,
        size * 8,
        value as number | bigint | Term | Partial,
        false,
      );
    if (type.kind === "pointer" && value instanceof Pointer && value.object === 0)
      return isTerm(value.offset) ? value : BigInt.asUintN(64, BigInt(value.offset));
    if (type.kind === "opaque" || type.kind === "void")
      throw this.#machine.unsupported(state, "a value of an unsupported type");
    return value;
  }

  #storeAnywhere(
    state: PathState,
    place: Place,
    parts: readonly { readonly at: number; readonly size: number; readonly value: Value }[],
    size: number,
  ): void {
    const { bits, arithmetic } = this.#machine;
    const offset = place.offset as Term;
    const positions = positionsOf(place, size);
    const isOrdinary =
      parts.length === 1 && !(parts[0]?.value instanceof Pointer || parts[0]?.value instanceof Partial);
    if (!isOrdinary || !isFew(place.object, positions, size)) {
      const at = Number(this.#machine.concretise(state, offset, 64));
      const object = state.own(place.id);
      for (const part of parts) write(object, at + part.at, part.size, part.value);
      return;
    }
    const term = arithmetic.term(parts[0]?.value as number | bigint | Term, size * 8);
    const none = (): bigint => {
      throw new Error("plain bytes contain no pointers");
    };
    const object = state.own(place.id);
    const old = new Map<number, Term>();
    for (const at of positions)
      for (let i = 0; i < size; i++) if (!old.has(at + i)) old.set(at + i, object.byte(at + i, bits, none));
    for (const at of positions) {
      const isHere = bits.equal(offset, bits.constant(64, BigInt(at)));
      for (let i = 0; i < size; i++) {
        const before = old.get(at + i);
        if (before) old.set(at + i, bits.ite(isHere, bits.extract(term, size * 8, i * 8, 8), before));
      }
    }
    for (const [at, byte] of old)
      if (byte.kind === "constant") object.writeNumber(at, 1, Number(byte.value));
      else object.writePiecewise(at, 1, byte);
  }
}

function write(object: MemoryObject, at: number, size: number, value: Value): void {
  if (typeof value === "number" || typeof value === "bigint") object.writeNumber(at, size, value);
  else if (value instanceof Partial) object.writePartial(at, size, value);
  else if (value instanceof Pointer || isTerm(value)) object.writePiecewise(at, size, value);
  else throw new Error("aggregates are stored by their parts");
}

function moved(place: Place, by: number, { bits }: Machine): Place {
  if (by === 0) return place;
  const { offset } = place;
  return {
    ...place,
    offset: isTerm(offset) ? bits.binary("add", 64, offset, bits.constant(64, BigInt(by))) : offset + by,
    phase: (place.phase + by) % place.stride,
  };
}

/** Offsets at which an access of `size` bytes is inside of the object. */
function positionsOf({ object, stride, phase }: Place, size: number): number[] {
  const positions: number[] = [];
  for (let at = phase % stride; at + size <= object.size && positions.length <= MOST_POSITIONS; at += stride)
    positions.push(at);
  return positions;
}

const isFew = (object: MemoryObject, positions: readonly number[], size: number): boolean =>
  positions.length <= MOST_POSITIONS && positions.every((at) => object.isPlain(at, size)); // sound: test/engines/programs/forks.test.ts

const sizeOfAccess = (type: IrType): number =>
  type.kind === "struct" || type.kind === "array" ? sizeOf(type) : storeSize(type);

const view = new DataView(new ArrayBuffer(8));

export function floatOf(value: bigint, bits: 32 | 64): number {
  if (bits === 64) view.setBigUint64(0, value);
  else view.setUint32(0, Number(value));
  return bits === 64 ? view.getFloat64(0) : view.getFloat32(0);
}

export function bitsOfFloat(value: number, bits: 32 | 64): number | bigint {
  if (bits === 64) view.setFloat64(0, value);
  else view.setFloat32(0, value);
  return bits === 64 ? view.getBigUint64(0) : view.getUint32(0);
}

const bytesText = (size: number): string => (size === 1 ? "1 byte" : `${size} bytes`);

export const nameOf = ({ kind, label }: MemoryObject): string =>
  label !== undefined
    ? `'${label}'`
    : kind === "heap"
      ? "allocated memory"
      : kind === "stack"
        ? "a temporary"
        : "a constant";

export const describe = (object: MemoryObject): string =>
  `${nameOf(object)}, which has ${bytesText(object.size)}`;
