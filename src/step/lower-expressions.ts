/** Lowers expressions. Every value is a word on the stack of WebAssembly. */
import { I32, Op } from "./encode.js";
import type { Names } from "./lower-names.js";
import { isNumber, operator } from "./lower-operators.js";
import { Places } from "./lower-places.js";
import type { Writer } from "./lower-writer.js";
import { NotStepCode, type BinaryOp, type Expr } from "./syntax.js";

export class Expressions {
  readonly #writer: Writer;
  readonly #names: Names;
  readonly #places: Places;

  constructor(writer: Writer, names: Names) {
    this.#writer = writer;
    this.#names = names;
    this.#places = new Places(writer, names, (e) => this.value(e));
  }

  /** Leaves the value of the expression on the stack. */
  value(e: Expr): void {
    switch (e.kind) {
      case "number":
        return this.#writer.const(e.value);
      case "name":
        return this.#places.name(e.name);
      case "unary":
        return this.#unary(e);
      case "binary":
        return this.#binary(e.op, e.left, e.right);
      case "logical":
        return this.#logical(e);
      case "conditional":
        this.value(e.test);
        this.#writer.open(Op.if, I32);
        this.value(e.then);
        this.#writer.emit(Op.else);
        this.value(e.otherwise);
        return this.#writer.end();
      case "assign":
      case "update":
        return this.#places.assign(e, true);
      case "index":
        return this.#places.load(e);
      case "member":
        return this.#places.member(e);
      case "call":
        return this.#call(e, true);
      case "sequence":
        e.parts.slice(0, -1).forEach((part) => this.effect(part));
        return this.value(e.parts.at(-1)!);
      case "list":
      case "array":
        throw new NotStepCode("an array is made inside a function");
    }
  }

  /** The same, for the effect alone. */
  effect(e: Expr): void {
    if (e.kind === "assign" || e.kind === "update") return this.#places.assign(e, false);
    if (e.kind === "call") return this.#call(e, false);
    if (e.kind === "sequence") return e.parts.forEach((part) => this.effect(part));
    this.value(e);
    this.#writer.emit(Op.drop);
  }

  #unary({ op, operand }: Expr & { kind: "unary" }): void {
    if (op === "-") this.#writer.const(0);
    this.value(operand);
    if (op === "!") this.#writer.emit(Op.eqz);
    else if (op === "-") this.#writer.emit(Op.sub);
    else {
      this.#writer.const(-1);
      this.#writer.emit(Op.xor);
    }
  }

  #logical({ op, left, right }: Expr & { kind: "logical" }): void {
    this.value(left);
    this.#writer.open(Op.if, I32);
    if (op === "&&") this.value(right);
    else this.#writer.const(1);
    this.#writer.emit(Op.else);
    if (op === "&&") this.#writer.const(0);
    else this.value(right);
    this.#writer.end();
  }

  #binary(op: BinaryOp, left: Expr, right: Expr): void {
    if (op === "|" && isNumber(right, 0)) {
      if (left.kind === "binary" && left.op === "/") return this.#divide(left.left, left.right);
      return this.value(left);
    }
    if (op === "/") throw new NotStepCode("a quotient that is not cut to an integer");
    this.value(left);
    this.value(right);
    this.#writer.emit(operator(op, left, right));
  }

  /** Rounds towards zero; the one quotient that does not fit wraps around, as in JavaScript. */
  #divide(left: Expr, right: Expr): void {
    this.value(left);
    // sound: test/step/wasm.test.ts
    if (right.kind === "number" && right.value !== -1) {
      this.#writer.const(right.value);
      return this.#writer.emit(Op.divS);
    }
    const [a, b] = [this.#writer.scratch(), this.#writer.scratch()];
    this.#writer.emit(Op.localSet, a);
    this.value(right);
    this.#writer.emit(Op.localTee, b);
    this.#writer.const(-1);
    this.#writer.emit(Op.eq);
    this.#writer.emit(Op.if, I32);
    this.#writer.const(0);
    this.#writer.emit(Op.localGet, a);
    this.#writer.emit(Op.sub);
    this.#writer.emit(Op.else);
    this.#writer.emit(Op.localGet, a);
    this.#writer.emit(Op.localGet, b);
    this.#writer.emit(Op.divS);
    this.#writer.emit(Op.end);
    this.#writer.release(2);
  }

  // ---- calls ----

  #call({ callee, arguments: values }: Expr & { kind: "call" }, isUsed: boolean): void {
    if (callee.kind === "member" && callee.of.name === "Math")
      return this.#math(callee.field, values, isUsed);
    if (callee.kind === "member" && callee.of.name === "Atomics")
      return this.#places.atomic(callee.field, values, isUsed);
    if (callee.kind === "member" && callee.field === "fill") {
      if (isUsed) throw new NotStepCode("the value of fill");
      return this.#places.fill(callee.of, values);
    }
    const called =
      callee.kind === "name"
        ? { ...this.#names.callee(callee.name), takesRecord: false }
        : this.#names.method(callee.of.name, callee.field);
    if (callee.kind === "member" && called.takesRecord) this.#places.name(callee.of.name);
    values.forEach((value) => this.value(value));
    const given = values.length + (called.takesRecord ? 1 : 0);
    if (given > called.parameters) throw new NotStepCode(`too many arguments`);
    for (let k = given; k < called.parameters; k++) this.#writer.const(0);
    this.#writer.emit(Op.call, called.index);
    if (called.hasResult && !isUsed) this.#writer.emit(Op.drop);
    if (!called.hasResult && isUsed) this.#writer.const(0);
  }

  #math(name: string, values: readonly Expr[], isUsed: boolean): void {
    const [left, right] = values;
    if (!left) throw new NotStepCode(`Math.${name} without arguments`);
    if (name === "clz32") {
      this.value(left);
      this.#writer.emit(Op.clz);
    } else if (name === "imul" && right) {
      this.value(left);
      this.value(right);
      this.#writer.emit(Op.mul);
    } else if ((name === "max" || name === "min") && right) {
      const [a, b] = [this.#writer.scratch(), this.#writer.scratch()];
      this.value(left);
      this.#writer.emit(Op.localTee, a);
      this.value(right);
      this.#writer.emit(Op.localTee, b);
      this.#writer.emit(Op.localGet, a);
      this.#writer.emit(Op.localGet, b);
      this.#writer.emit(name === "max" ? Op.gtS : Op.ltS);
      this.#writer.emit(Op.select);
      this.#writer.release(2);
    } else throw new NotStepCode(`Math.${name}`);
    if (!isUsed) this.#writer.emit(Op.drop);
  }
}
