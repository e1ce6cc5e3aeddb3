/**
 * Memory as objects of bytes. A byte is a number, or a part of a term or pointer; initialisation is tracked for each bit.
 *
 * Forks share objects: an object belongs to one state, and another state copies it before it writes.
 */
import type { Term } from "../../model/terms.js";
import type { Bits } from "./bits.js";
import { isTerm, Partial, Pointer, type Value } from "./values.js";

export type ObjectKind = "global" | "stack" | "heap" | "function";

/** Byte `index` of a value of `size` bytes. */
interface Piece {
  readonly of: Pointer | Term;
  readonly index: number;
  readonly size: number;
}

export class MemoryObject {
  owner: number;
  readonly kind: ObjectKind;
  readonly size: number;
  readonly align: number;
  /** First address: non-overlapping, for programs that look at numbers of addresses. */
  readonly base: number;
  readonly isConstant: boolean;
  /** In the source, for messages; of a function, its name. */
  readonly label: string | undefined;
  /** A variable whose scope has been left. */
  isEnded = false;
  bytes: Uint8Array;
  /** Bits that are not initialised; absent: none. */
  missing: Uint8Array | undefined;
  pieces: Map<number, Piece> | undefined;

  constructor(
    owner: number,
    facts: Pick<MemoryObject, "kind" | "size" | "align" | "base" | "isConstant" | "label">,
    isInitialised: boolean,
  ) {
    this.owner = owner;
    this.kind = facts.kind;
    this.size = facts.size;
    this.align = facts.align;
    this.base = facts.base;
    this.isConstant = facts.isConstant;
    this.label = facts.label;
    this.bytes = new Uint8Array(facts.size);
    if (!isInitialised) this.missing = new Uint8Array(facts.size).fill(0xff);
  }

  copyFor(owner: number): MemoryObject {
    const copy = new MemoryObject(owner, { ...this, size: 0 }, true);
    return Object.assign(copy, {
      size: this.size,
      isEnded: this.isEnded,
      bytes: this.bytes.slice(),
      missing: this.missing?.slice(),
      pieces: this.pieces && new Map(this.pieces),
    });
  }

  /** Does a range contain bytes of pointers or bits that are not initialised? */
  isPlain(at: number, size: number): boolean {
    for (let i = at; i < at + size; i++) {
      if (this.missing && this.missing[i] !== 0) return false;
      if (this.pieces?.get(i)?.of instanceof Pointer) return false;
    }
    return true;
  }

  writeNumber(at: number, size: number, value: number | bigint): void {
    if (typeof value === "number" && size <= 4)
      for (let i = 0, rest = value; i < size; i++, rest >>>= 8) this.bytes[at + i] = rest & 0xff;
    else {
      let rest = BigInt(value);
      for (let i = 0; i < size; i++, rest >>= 8n) this.bytes[at + i] = Number(rest & 0xffn);
    }
    this.#forget(at, size);
  }

  #forget(at: number, size: number): void {
    this.missing?.fill(0, at, at + size);
    if (this.pieces && this.pieces.size > 0) for (let i = at; i < at + size; i++) this.pieces.delete(i);
  }

  writePiecewise(at: number, size: number, value: Pointer | Term): void {
    this.#forget(at, size);
    this.pieces ??= new Map();
    for (let index = 0; index < size; index++) this.pieces.set(at + index, { of: value, index, size });
  }

  writePartial(at: number, size: number, { value, mask }: Partial): void {
    if (isTerm(value)) this.writePiecewise(at, size, value);
    else this.writeNumber(at, size, value);
    this.missing ??= new Uint8Array(this.size);
    for (let i = 0; i < size; i++) this.missing[at + i] = Number((mask >> BigInt(8 * i)) & 0xffn);
  }

  /** The scope of a variable begins or ends: it has no value. */
  scope(isEnded: boolean): void {
    this.isEnded = isEnded;
    this.missing = new Uint8Array(this.size).fill(0xff); // sound: test/engines/programs/checks.test.ts
    this.pieces = undefined;
  }

  /** Copies bytes with everything known about them. The ranges of one object may overlap. */
  copyFrom(source: MemoryObject, from: number, at: number, size: number): void {
    const pieces: (readonly [number, Piece])[] = [];
    if (source.pieces && source.pieces.size > 0)
      for (let i = 0; i < size; i++) {
        const piece = source.pieces.get(from + i);
        if (piece) pieces.push([at + i, piece]);
      }
    const missing = source.missing?.slice(from, from + size);
    this.bytes.set(source.bytes.slice(from, from + size), at);
    this.#forget(at, size);
    if (missing) (this.missing ??= new Uint8Array(this.size)).set(missing, at);
    if (pieces.length > 0) {
      this.pieces ??= new Map();
      for (const [index, piece] of pieces) this.pieces.set(index, piece);
    }
  }

  /** A value of `size` bytes. `expose` gives the address of a pointer whose bytes are read one by one. */
  read(at: number, size: number, bits: Bits, expose: (pointer: Pointer) => bigint): Value {
    const whole = this.#whole(at, size);
    const mask = this.#mask(at, size);
    if (whole) return mask === 0n || whole instanceof Pointer ? whole : new Partial(whole, mask);
    const value = this.#hasPieces(at, size)
      ? this.#assembled(at, size, bits, expose)
      : this.#number(at, size);
    return mask === 0n ? value : new Partial(value, mask);
  }

  #hasPieces(at: number, size: number): boolean {
    if (!this.pieces || this.pieces.size === 0) return false;
    for (let i = at; i < at + size; i++) if (this.pieces.has(i)) return true;
    return false;
  }

  #whole(at: number, size: number): Pointer | Term | undefined {
    const first = this.pieces?.get(at);
    if (!first || first.index !== 0 || first.size !== size) return undefined;
    for (let i = 1; i < size; i++) {
      const piece = this.pieces?.get(at + i);
      if (!piece || piece.of !== first.of || piece.index !== i) return undefined;
    }
    return first.of;
  }

  #mask(at: number, size: number): bigint {
    if (!this.missing) return 0n;
    let mask = 0n;
    for (let i = size - 1; i >= 0; i--) mask = (mask << 8n) | BigInt(this.missing[at + i] ?? 0);
    return mask;
  }

  #number(at: number, size: number): number | bigint {
    if (size <= 4) {
      let value = 0;
      for (let i = size - 1; i >= 0; i--) value = value * 256 + (this.bytes[at + i] ?? 0);
      return value;
    }
    let value = 0n;
    for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(this.bytes[at + i] ?? 0);
    return value;
  }

  #assembled(
    at: number,
    size: number,
    bits: Bits,
    expose: (pointer: Pointer) => bigint,
  ): number | bigint | Term {
    const bytes: Term[] = [];
    for (let i = at; i < at + size; i++) bytes.push(this.byte(i, bits, expose));
    const term = bits.fromBytes(bytes);
    if (term.kind !== "constant") return term;
    return size <= 4 ? Number(term.value) : term.value;
  }

  byte(at: number, bits: Bits, expose: (pointer: Pointer) => bigint): Term {
    const piece = this.pieces?.get(at);
    if (!piece) return bits.terms.constant(8, BigInt(this.bytes[at] ?? 0));
    if (piece.of instanceof Pointer)
      return bits.terms.constant(8, (expose(piece.of) >> BigInt(8 * piece.index)) & 0xffn);
    return bits.extract(piece.of, piece.size * 8, piece.index * 8, 8);
  }
}
