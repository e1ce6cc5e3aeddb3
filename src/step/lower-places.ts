/** Lowers variables, fields and elements of arrays: reading, assigning, filling, and atomic operations. */
import { ATOMIC, ATOMIC_OPERATIONS } from "./atomics.js";
import { MEMORY_FILL, Op, unsigned } from "./encode.js";
import type { Meaning, Names } from "./lower-names.js";
import { isNumber, operator } from "./lower-operators.js";
import type { Writer } from "./lower-writer.js";
import { NotStepCode, type BinaryOp, type Expr, type Target } from "./syntax.js";

export class Places {
  readonly #writer: Writer;
  readonly #names: Names;
  readonly #value: (e: Expr) => void;

  /** `value` leaves the value of an expression on the stack. */
  constructor(writer: Writer, names: Names, value: (e: Expr) => void) {
    this.#writer = writer;
    this.#names = names;
    this.#value = value;
  }

  name(name: string): void {
    const local = this.#writer.local(name);
    if (local !== undefined) return this.#writer.emit(Op.localGet, local);
    this.#meaning(this.#names.variable(name));
  }

  #meaning(meaning: Meaning): void {
    if (meaning.kind === "global") this.#writer.emit(Op.globalGet, meaning.index);
    else if (meaning.kind === "word") {
      this.#writer.const(0);
      this.#access(Op.load, meaning.address);
    } else this.#writer.const(meaning.kind === "array" ? meaning.address : meaning.value);
  }

  member({ of, field }: Expr & { kind: "member" }): void {
    const slot = this.#names.slot(of.name, field);
    if (slot !== undefined) {
      this.name(of.name);
      return this.#access(Op.load, slot);
    }
    if (field !== "length") return this.#meaning(this.#names.field(of.name, field, false));
    const known = this.#static(of);
    if (known) return this.#writer.const(known.length);
    this.name(of.name);
    this.#writer.const(1);
    this.#writer.emit(Op.sub);
    this.#access(Op.load, 0);
  }

  /** The word of an array, without its constant part, is left on the stack; that part is the result. */
  #element({ array, index }: Expr & { kind: "index" }): number {
    const known = this.#static(array);
    const { rest, constant } = split(index);
    if (known) {
      if (rest) this.#value(rest);
      else this.#writer.const(0);
      return known.address + constant;
    }
    this.#value(array);
    if (rest) {
      this.#value(rest);
      this.#writer.emit(Op.add);
    }
    return constant;
  }

  #static(array: Expr): (Meaning & { kind: "array" }) | undefined {
    if (array.kind !== "name" || this.#writer.local(array.name) !== undefined) return undefined;
    if (this.#names.isBytes(array.name)) return undefined;
    const meaning = this.#names.variable(array.name);
    return meaning.kind === "array" ? meaning : undefined;
  }

  #bytes(e: Expr & { kind: "index" }): boolean {
    return e.array.kind === "name" && this.#names.isBytes(e.array.name);
  }

  load(e: Expr & { kind: "index" }): void {
    if (this.#bytes(e)) {
      this.#byteAddress(e);
      return this.#memory(Op.load8, 0);
    }
    if (e.array.kind === "name" && this.#names.isCounters(e.array.name))
      throw new NotStepCode("a counter is read");
    const constant = this.#element(e);
    this.#access(Op.load, constant);
  }

  /** A word whose number is on the stack, `constant` words further. */
  #access(op: typeof Op.load, constant: number): void {
    this.#toAddress();
    this.#memory(op, 4 * constant);
  }

  #toAddress(): void {
    if (!this.#names.isWide) {
      this.#writer.const(2);
      return this.#writer.emit(Op.shl);
    }
    this.#writer.emit(Op.extendU);
    this.#writer.emit(Op.const64, 2);
    this.#writer.emit(Op.shl64);
  }

  /** Arrays of bytes are few, and at low addresses of the memory: their address counts bytes. */
  #byteAddress({ array, index }: Expr & { kind: "index" }): void {
    this.#value(array);
    this.#value(index);
    this.#writer.emit(Op.add);
    if (this.#names.isWide) this.#writer.emit(Op.extendU);
  }

  #memory(op: number, offset: number): void {
    this.#writer.emit(op, op === Op.load8 || op === Op.store8 ? 0 : 2);
    unsigned(offset, this.#writer.code);
  }

  assign(e: Expr & { kind: "assign" | "update" }, isUsed: boolean): void {
    const { target } = e;
    const op: BinaryOp | undefined = e.kind === "update" ? "+" : e.op;
    const value: Expr = e.kind === "update" ? { kind: "number", value: e.by } : e.value;
    const givesOld = e.kind === "update" && !e.isPrefix;
    if (target.kind === "index") return this.#assignElement(target, op, value, isUsed, givesOld);
    if (target.kind === "member")
      return this.#assignElement(this.#place(target), op, value, isUsed, givesOld);
    if (isUsed && givesOld) this.#value(target);
    this.#newValue(op, target, value);
    this.#set(target.name);
    if (isUsed && !givesOld) this.#value(target);
  }

  #newValue(op: BinaryOp | undefined, target: Target, value: Expr): void {
    if (op === undefined) return this.#value(value);
    if (op === "/") throw new NotStepCode("a quotient that is not cut to an integer");
    this.#value(target);
    this.#value(value);
    this.#writer.emit(operator(op, target, value));
  }

  /** The field of a record as an element of the memory. */
  #place({ of, field }: Expr & { kind: "member" }): Expr & { kind: "index" } {
    const slot = this.#names.slot(of.name, field);
    if (slot !== undefined) return { kind: "index", array: of, index: { kind: "number", value: slot } };
    const meaning = this.#names.field(of.name, field, true);
    if (meaning.kind !== "word") throw new NotStepCode("an assignment to a constant");
    return {
      kind: "index",
      array: { kind: "number", value: 0 },
      index: { kind: "number", value: meaning.address },
    };
  }

  #set(name: string): void {
    const local = this.#writer.local(name);
    if (local !== undefined) return this.#writer.emit(Op.localSet, local);
    const meaning = this.#names.variable(name);
    if (meaning.kind !== "global") throw new NotStepCode(`an assignment to the constant ${name}`);
    this.#writer.emit(Op.globalSet, meaning.index);
  }

  #assignElement(
    target: Expr & { kind: "index" },
    op: BinaryOp | undefined,
    value: Expr,
    isUsed: boolean,
    givesOld: boolean,
  ): void {
    if (this.#bytes(target)) {
      if (op !== undefined || isUsed) throw new NotStepCode("a byte is not simply set");
      this.#byteAddress(target);
      this.#value(value);
      return this.#memory(Op.store8, 0);
    }
    if (target.array.kind === "name" && this.#names.isCounters(target.array.name)) {
      // sound: test/step/wasm.test.ts
      if (op !== "+" || !isNumber(value, 1) || isUsed)
        throw new NotStepCode("a counter is not simply counted up");
      return this.#countUp(target);
    }
    const constant = this.#element(target);
    if (op === undefined && !isUsed) {
      this.#toAddress();
      this.#value(value);
      return this.#memory(Op.store, 4 * constant);
    }
    const [at, kept] = [this.#writer.scratch(), this.#writer.scratch()];
    this.#writer.emit(Op.localSet, at);
    if (op !== undefined) {
      this.#writer.emit(Op.localGet, at);
      this.#access(Op.load, constant);
      if (givesOld) this.#writer.emit(Op.localTee, kept);
    }
    this.#value(value);
    if (op !== undefined) this.#writer.emit(operator(op, target, value));
    const next = this.#writer.scratch();
    this.#writer.emit(Op.localSet, next);
    this.#writer.emit(Op.localGet, at);
    this.#toAddress();
    this.#writer.emit(Op.localGet, next);
    this.#memory(Op.store, 4 * constant);
    if (isUsed) this.#writer.emit(Op.localGet, givesOld ? kept : next);
    this.#writer.release(3);
  }

  /** A counter takes two words. */
  #countUp({ array, index }: Expr & { kind: "index" }): void {
    const at = this.#writer.scratch();
    this.#value(array);
    this.#value(index);
    this.#writer.const(1);
    this.#writer.emit(Op.shl);
    this.#writer.emit(Op.add);
    this.#writer.emit(Op.localTee, at);
    this.#toAddress();
    this.#writer.emit(Op.localGet, at);
    this.#toAddress();
    this.#memory(Op.loadF64, 0);
    this.#writer.code.push(Op.constF64, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f);
    this.#writer.emit(Op.addF64);
    this.#memory(Op.storeF64, 0);
    this.#writer.release(1);
  }

  // ---- operations on parts of arrays ----

  atomic(name: string, [array, index, ...values]: readonly Expr[], isUsed: boolean): void {
    const operation = ATOMIC_OPERATIONS[name];
    if (!operation || !array || !index || values.length !== operation.operands)
      throw new NotStepCode(`Atomics.${name}`);
    // sound: test/step/wasm.test.ts
    if (isUsed && !operation.hasResult) throw new NotStepCode(`the value of Atomics.${name}`);
    const element = { kind: "index", array, index } as const;
    // sound: test/step/wasm.test.ts
    if (this.#bytes(element)) throw new NotStepCode("an atomic operation on bytes");
    const constant = this.#element(element);
    this.#toAddress();
    values.forEach((value) => this.#value(value));
    this.#writer.emit(ATOMIC, operation.code);
    this.#writer.code.push(2);
    unsigned(4 * constant, this.#writer.code);
    if (operation.hasResult && !isUsed) this.#writer.emit(Op.drop);
  }

  /** `array.fill(0)` of an array that is known, `array.fill(value, from, to)` of any. */
  fill(array: Expr & { kind: "name" }, values: readonly Expr[]): void {
    const [value = array, from, to] = values;
    // sound: test/step/wasm.test.ts
    if (!isNumber(value, 0)) throw new NotStepCode("only zero fills an array");
    const start: Expr = from ?? { kind: "number", value: 0 };
    const end: Expr = to ?? { kind: "member", of: array, field: "length" };
    this.name(array.name);
    this.#value(start);
    this.#writer.emit(Op.add);
    this.#toAddress();
    this.#writer.const(0);
    this.#value(end);
    this.#value(start);
    this.#writer.emit(Op.sub);
    this.#toAddress();
    this.#writer.emit(Op.prefix, MEMORY_FILL);
    this.#writer.code.push(0);
  }
}

/** `o + b + 3` as `o + b` and 3. */
function split(index: Expr): { readonly rest: Expr | undefined; readonly constant: number } {
  if (index.kind === "number" && index.value >= 0) return { rest: undefined, constant: index.value };
  if (
    index.kind === "binary" &&
    index.op === "+" &&
    index.right.kind === "number" &&
    index.right.value >= 0
  ) {
    const { rest, constant } = split(index.left);
    return { rest, constant: constant + index.right.value };
  }
  return { rest: index, constant: 0 };
}
