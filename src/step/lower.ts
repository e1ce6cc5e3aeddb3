/**
 * Lowers the tree of a function to WebAssembly instructions.
 *
 * An array is the number of its first word in the memory; the word before it holds its length. So `a[i]` is the word `a + i`,
 * and arrays of arrays need no special treatment. `Names`, given by the module, resolves names.
 */
import { ATOMIC, ATOMIC_OPERATIONS } from "./atomics.js";
import { MEMORY_FILL, NO_RESULT, I32, Op, signed, unsigned, type FunctionCode } from "./encode.js";
import {
  NotStepCode,
  type BinaryOp,
  type Expr,
  type FunctionText,
  type Statement,
  type Target,
} from "./syntax.js";

export type Meaning =
  | { readonly kind: "constant"; readonly value: number }
  /** An array at a place that is known. */
  | { readonly kind: "array"; readonly address: number; readonly length: number }
  | { readonly kind: "global"; readonly index: number }
  /** A word of the memory. */
  | { readonly kind: "word"; readonly address: number };

export interface Callable {
  readonly index: number;
  readonly parameters: number;
  readonly hasResult: boolean;
}

export interface Names {
  /** Throws if there is no such thing. */
  variable(name: string): Meaning;
  /** The field of a record that the host keeps, as a global. */
  field(record: string, field: string, isWritten: boolean): Meaning;
  /** For a name that is the address of a record: the position of the field in it. Undefined: no such name. */
  slot(name: string, field: string): number | undefined;
  callee(name: string): Callable;
  /** `record.method(…)`: the function called, and whether the record itself is the first argument. */
  method(record: string, method: string): Callable & { readonly takesRecord: boolean };
  /** Arrays of bytes, by the name they have everywhere. */
  isBytes(name: string): boolean;
  /** Arrays of counters, likewise: doubles that are only counted up. */
  isCounters(name: string): boolean;
  /** Addresses have 64 bits. */
  readonly isWide: boolean;
}

export function lowerFunction(text: FunctionText, names: Names): FunctionCode {
  return new Lowering(text, names).result();
}

export function hasResult(body: readonly Statement[]): boolean {
  return body.some((s) => {
    switch (s.kind) {
      case "return":
        return s.value !== undefined;
      case "if":
        return hasResult([s.then, ...(s.otherwise ? [s.otherwise] : [])]);
      case "loop":
      case "label":
        return hasResult([s.body]);
      case "switch":
        return s.cases.some((c) => hasResult(c.body));
      case "block":
        return hasResult(s.body);
      default:
        return false;
    }
  });
}

/** Where `break` and `continue` lead. */
interface Exit {
  readonly how: "break" | "continue";
  readonly label: string | undefined;
  /** Found without its label. */
  readonly isNearest: boolean;
  readonly depth: number;
}

class Lowering {
  readonly #names: Names;
  readonly #text: FunctionText;
  readonly #hasResult: boolean;
  readonly #code: number[] = [];
  readonly #scopes: Map<string, number>[] = [];
  readonly #exits: Exit[] = [];
  #depth = 0;
  #locals: number;
  #mostLocals: number;

  constructor(text: FunctionText, names: Names) {
    this.#names = names;
    this.#text = text;
    this.#hasResult = hasResult(text.body);
    this.#locals = this.#mostLocals = text.parameters.length;
    this.#scopes.push(new Map(text.parameters.map((name, i) => [name, i])));
  }

  result(): FunctionCode {
    this.#body(this.#text.body);
    if (this.#hasResult) this.#const(0);
    const parameters = this.#text.parameters.length;
    return {
      parameters,
      hasResult: this.#hasResult,
      locals: this.#mostLocals - parameters,
      code: this.#code,
    };
  }

  // ---- statements ----

  #body(body: readonly Statement[]): void {
    const before = this.#locals;
    this.#scopes.push(new Map());
    for (const statement of body) this.#statement(statement);
    this.#scopes.pop();
    this.#locals = before;
  }

  #statement(s: Statement, label?: string): void {
    switch (s.kind) {
      case "expression":
        return this.#effect(s.expr);
      case "declare":
        for (const { name, value } of s.variables) {
          if (value) this.#value(value);
          else this.#const(0);
          this.#emit(Op.localSet, this.#declare(name));
        }
        return;
      case "block":
        if (label === undefined) return this.#body(s.body);
        return this.#block(() => this.#inside("break", label, () => this.#body(s.body), false));
      case "if":
        return this.#if(s.test, s.then, s.otherwise);
      case "loop":
        return this.#loop(s, label);
      case "switch":
        return this.#switch(s, label);
      case "label":
        return this.#statement(s.body, s.label);
      case "leave":
        return this.#leave(s.how, s.label);
      case "return":
        if (s.value) this.#value(s.value);
        else if (this.#hasResult) this.#const(0);
        this.#emit(Op.return);
    }
  }

  #if(test: Expr, then: Statement, otherwise: Statement | undefined): void {
    this.#value(test);
    this.#emit(Op.if, NO_RESULT);
    this.#depth++;
    this.#body([then]);
    if (otherwise) {
      this.#emit(Op.else);
      this.#body([otherwise]);
    }
    this.#end();
  }

  #loop({ first, test, next, body }: Statement & { kind: "loop" }, label: string | undefined): void {
    const before = this.#locals;
    this.#scopes.push(new Map());
    if (first) this.#statement(first);
    this.#block(() =>
      this.#inside("break", label, () => {
        this.#emit(Op.loop, NO_RESULT);
        const top = ++this.#depth;
        if (test) {
          this.#value(test);
          this.#emit(Op.eqz);
          this.#branch(Op.brIf, top - 1);
        }
        this.#block(() => this.#inside("continue", label, () => this.#body([body])));
        if (next) this.#effect(next);
        this.#branch(Op.br, top);
        this.#end();
      }),
    );
    this.#scopes.pop();
    this.#locals = before;
  }

  /** One block inside the other, the first case innermost: behind each stands the body of its case. */
  #switch({ subject, cases }: Statement & { kind: "switch" }, label: string | undefined): void {
    const values = cases.map(({ value }) => (value === undefined ? undefined : this.#constant(value)));
    const known = values.filter((v) => v !== undefined);
    const least = Math.min(...known);
    const span = known.length === 0 ? 0 : Math.max(...known) - least + 1;
    if (span > MOST_IN_TABLE) throw new NotStepCode(`cases from ${least} on span ${span} values`);
    const before = this.#locals;
    this.#scopes.push(new Map());
    this.#block(() =>
      this.#inside("break", label, () => {
        for (let i = 0; i < cases.length; i++) this.#open();
        const fallback = values.indexOf(undefined);
        const otherwise = fallback < 0 ? cases.length : fallback;
        this.#value(subject);
        if (least !== 0 && span > 0) {
          this.#const(least);
          this.#emit(Op.sub);
        }
        this.#emit(Op.brTable);
        unsigned(span, this.#code);
        for (let k = 0; k < span; k++) {
          const found = values.indexOf(least + k);
          unsigned(found < 0 ? otherwise : found, this.#code);
        }
        unsigned(otherwise, this.#code);
        for (const { body } of cases) {
          this.#end();
          for (const statement of body) this.#statement(statement);
        }
      }),
    );
    this.#scopes.pop();
    this.#locals = before;
  }

  #leave(how: "break" | "continue", label: string | undefined): void {
    const exit = this.#exits.findLast(
      (e) => e.how === how && (label === undefined ? e.isNearest : e.label === label),
    );
    if (!exit) throw new NotStepCode(`${how} ${label ?? ""} leads nowhere`);
    this.#branch(Op.br, exit.depth);
  }

  #block(inside: () => void): void {
    this.#open();
    inside();
    this.#end();
  }

  #inside(how: Exit["how"], label: string | undefined, emit: () => void, isNearest = true): void {
    this.#exits.push({ how, label, isNearest, depth: this.#depth });
    emit();
    this.#exits.pop();
  }

  #open(): void {
    this.#emit(Op.block, NO_RESULT);
    this.#depth++;
  }

  #end(): void {
    this.#emit(Op.end);
    this.#depth--;
  }

  /** To the end of the block, or the start of the loop, that was opened as number `depth`. */
  #branch(op: number, depth: number): void {
    this.#emit(op);
    unsigned(this.#depth - depth, this.#code);
  }

  // ---- expressions ----

  /** Leaves the value of the expression on the stack. */
  #value(e: Expr): void {
    switch (e.kind) {
      case "number":
        return this.#const(e.value);
      case "name":
        return this.#name(e.name);
      case "unary":
        return this.#unary(e);
      case "binary":
        return this.#binary(e.op, e.left, e.right);
      case "logical":
        return this.#logical(e);
      case "conditional":
        this.#value(e.test);
        this.#emit(Op.if, I32);
        this.#depth++;
        this.#value(e.then);
        this.#emit(Op.else);
        this.#value(e.otherwise);
        return this.#end();
      case "assign":
      case "update":
        return this.#assign(e, true);
      case "index":
        return this.#load(e);
      case "member":
        return this.#member(e);
      case "call":
        return this.#call(e, true);
      case "sequence":
        e.parts.slice(0, -1).forEach((part) => this.#effect(part));
        return this.#value(e.parts.at(-1)!);
      case "list":
      case "array":
        throw new NotStepCode("an array is made inside a function");
    }
  }

  /** The same, for the effect alone. */
  #effect(e: Expr): void {
    if (e.kind === "assign" || e.kind === "update") return this.#assign(e, false);
    if (e.kind === "call") return this.#call(e, false);
    if (e.kind === "sequence") return e.parts.forEach((part) => this.#effect(part));
    this.#value(e);
    this.#emit(Op.drop);
  }

  #unary({ op, operand }: Expr & { kind: "unary" }): void {
    if (op === "-") this.#const(0);
    this.#value(operand);
    if (op === "!") this.#emit(Op.eqz);
    else if (op === "-") this.#emit(Op.sub);
    else {
      this.#const(-1);
      this.#emit(Op.xor);
    }
  }

  #logical({ op, left, right }: Expr & { kind: "logical" }): void {
    this.#value(left);
    this.#emit(Op.if, I32);
    this.#depth++;
    if (op === "&&") this.#value(right);
    else this.#const(1);
    this.#emit(Op.else);
    if (op === "&&") this.#const(0);
    else this.#value(right);
    this.#end();
  }

  #binary(op: BinaryOp, left: Expr, right: Expr): void {
    if (op === "|" && isNumber(right, 0)) {
      if (left.kind === "binary" && left.op === "/") return this.#divide(left.left, left.right);
      return this.#value(left);
    }
    if (op === "/") throw new NotStepCode("a quotient that is not cut to an integer");
    this.#value(left);
    this.#value(right);
    this.#emit(this.#operator(op, left, right));
  }

  #operator(op: BinaryOp, left: Expr, right: Expr): number {
    const isUnsigned = mayExceed(left) || mayExceed(right);
    // Equal as 32 bits, but not as numbers.
    // sound: test/step/wasm.test.ts
    if (isUnsigned && (op === "===" || op === "!==") && !isNumber(right, 0))
      throw new NotStepCode("an unsigned number is compared for equality");
    return (isUnsigned ? UNSIGNED[op] : undefined) ?? OPERATORS[op]!;
  }

  /** Rounds towards zero; the one quotient that does not fit wraps around, as in JavaScript. */
  #divide(left: Expr, right: Expr): void {
    this.#value(left);
    // sound: test/step/wasm.test.ts
    if (right.kind === "number" && right.value !== -1) {
      this.#const(right.value);
      return this.#emit(Op.divS);
    }
    const [a, b] = [this.#scratch(), this.#scratch()];
    this.#emit(Op.localSet, a);
    this.#value(right);
    this.#emit(Op.localTee, b);
    this.#const(-1);
    this.#emit(Op.eq);
    this.#emit(Op.if, I32);
    this.#const(0);
    this.#emit(Op.localGet, a);
    this.#emit(Op.sub);
    this.#emit(Op.else);
    this.#emit(Op.localGet, a);
    this.#emit(Op.localGet, b);
    this.#emit(Op.divS);
    this.#emit(Op.end);
    this.#locals -= 2;
  }

  // ---- places ----

  #name(name: string): void {
    const local = this.#local(name);
    if (local !== undefined) return this.#emit(Op.localGet, local);
    this.#meaning(this.#names.variable(name));
  }

  #meaning(meaning: Meaning): void {
    if (meaning.kind === "global") this.#emit(Op.globalGet, meaning.index);
    else if (meaning.kind === "word") {
      this.#const(0);
      this.#access(Op.load, meaning.address);
    } else this.#const(meaning.kind === "array" ? meaning.address : meaning.value);
  }

  #member({ of, field }: Expr & { kind: "member" }): void {
    const slot = this.#names.slot(of.name, field);
    if (slot !== undefined) {
      this.#name(of.name);
      return this.#access(Op.load, slot);
    }
    if (field !== "length") return this.#meaning(this.#names.field(of.name, field, false));
    const known = this.#static(of);
    if (known) return this.#const(known.length);
    this.#name(of.name);
    this.#const(1);
    this.#emit(Op.sub);
    this.#access(Op.load, 0);
  }

  /** The word of an array, without its constant part, is left on the stack; that part is the result. */
  #element({ array, index }: Expr & { kind: "index" }): number {
    const known = this.#static(array);
    const { rest, constant } = split(index);
    if (known) {
      if (rest) this.#value(rest);
      else this.#const(0);
      return known.address + constant;
    }
    this.#value(array);
    if (rest) {
      this.#value(rest);
      this.#emit(Op.add);
    }
    return constant;
  }

  #static(array: Expr): (Meaning & { kind: "array" }) | undefined {
    if (array.kind !== "name" || this.#local(array.name) !== undefined) return undefined;
    if (this.#names.isBytes(array.name)) return undefined;
    const meaning = this.#names.variable(array.name);
    return meaning.kind === "array" ? meaning : undefined;
  }

  #bytes(e: Expr & { kind: "index" }): boolean {
    return e.array.kind === "name" && this.#names.isBytes(e.array.name);
  }

  #load(e: Expr & { kind: "index" }): void {
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
      this.#const(2);
      return this.#emit(Op.shl);
    }
    this.#emit(Op.extendU);
    this.#emit(Op.const64, 2);
    this.#emit(Op.shl64);
  }

  /** Arrays of bytes are few, and stand low in the memory: their address counts bytes. */
  #byteAddress({ array, index }: Expr & { kind: "index" }): void {
    this.#value(array);
    this.#value(index);
    this.#emit(Op.add);
    if (this.#names.isWide) this.#emit(Op.extendU);
  }

  #memory(op: number, offset: number): void {
    this.#emit(op, op === Op.load8 || op === Op.store8 ? 0 : 2);
    unsigned(offset, this.#code);
  }

  #assign(e: Expr & { kind: "assign" | "update" }, isUsed: boolean): void {
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
    this.#emit(this.#operator(op, target, value));
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
    const local = this.#local(name);
    if (local !== undefined) return this.#emit(Op.localSet, local);
    const meaning = this.#names.variable(name);
    if (meaning.kind !== "global") throw new NotStepCode(`an assignment to the constant ${name}`);
    this.#emit(Op.globalSet, meaning.index);
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
    const [at, kept] = [this.#scratch(), this.#scratch()];
    this.#emit(Op.localSet, at);
    if (op !== undefined) {
      this.#emit(Op.localGet, at);
      this.#access(Op.load, constant);
      if (givesOld) this.#emit(Op.localTee, kept);
    }
    this.#value(value);
    if (op !== undefined) this.#emit(this.#operator(op, target, value));
    const next = this.#scratch();
    this.#emit(Op.localSet, next);
    this.#emit(Op.localGet, at);
    this.#toAddress();
    this.#emit(Op.localGet, next);
    this.#memory(Op.store, 4 * constant);
    if (isUsed) this.#emit(Op.localGet, givesOld ? kept : next);
    this.#locals -= 3;
  }

  /** A counter takes two words. */
  #countUp({ array, index }: Expr & { kind: "index" }): void {
    const at = this.#scratch();
    this.#value(array);
    this.#value(index);
    this.#const(1);
    this.#emit(Op.shl);
    this.#emit(Op.add);
    this.#emit(Op.localTee, at);
    this.#toAddress();
    this.#emit(Op.localGet, at);
    this.#toAddress();
    this.#memory(Op.loadF64, 0);
    this.#code.push(Op.constF64, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f);
    this.#emit(Op.addF64);
    this.#memory(Op.storeF64, 0);
    this.#locals--;
  }

  // ---- calls ----

  #call({ callee, arguments: values }: Expr & { kind: "call" }, isUsed: boolean): void {
    if (callee.kind === "member" && callee.of.name === "Math")
      return this.#math(callee.field, values, isUsed);
    if (callee.kind === "member" && callee.of.name === "Atomics")
      return this.#atomic(callee.field, values, isUsed);
    if (callee.kind === "member" && callee.field === "fill") {
      if (isUsed) throw new NotStepCode("the value of fill");
      return this.#fill(callee.of, values);
    }
    const called =
      callee.kind === "name"
        ? { ...this.#names.callee(callee.name), takesRecord: false }
        : this.#names.method(callee.of.name, callee.field);
    if (callee.kind === "member" && called.takesRecord) this.#name(callee.of.name);
    values.forEach((value) => this.#value(value));
    const given = values.length + (called.takesRecord ? 1 : 0);
    if (given > called.parameters) throw new NotStepCode(`too many arguments`);
    for (let k = given; k < called.parameters; k++) this.#const(0);
    this.#emit(Op.call);
    unsigned(called.index, this.#code);
    if (called.hasResult && !isUsed) this.#emit(Op.drop);
    if (!called.hasResult && isUsed) this.#const(0);
  }

  #math(name: string, values: readonly Expr[], isUsed: boolean): void {
    const [left, right] = values;
    if (!left) throw new NotStepCode(`Math.${name} without arguments`);
    if (name === "clz32") {
      this.#value(left);
      this.#emit(Op.clz);
    } else if (name === "imul" && right) {
      this.#value(left);
      this.#value(right);
      this.#emit(Op.mul);
    } else if ((name === "max" || name === "min") && right) {
      const [a, b] = [this.#scratch(), this.#scratch()];
      this.#value(left);
      this.#emit(Op.localTee, a);
      this.#value(right);
      this.#emit(Op.localTee, b);
      this.#emit(Op.localGet, a);
      this.#emit(Op.localGet, b);
      this.#emit(name === "max" ? Op.gtS : Op.ltS);
      this.#emit(Op.select);
      this.#locals -= 2;
    } else throw new NotStepCode(`Math.${name}`);
    if (!isUsed) this.#emit(Op.drop);
  }

  #atomic(name: string, [array, index, ...values]: readonly Expr[], isUsed: boolean): void {
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
    this.#emit(ATOMIC, operation.code);
    this.#code.push(2);
    unsigned(4 * constant, this.#code);
    if (operation.hasResult && !isUsed) this.#emit(Op.drop);
  }

  /** `array.fill(0)` of an array that is known, `array.fill(value, from, to)` of any. */
  #fill(array: Expr & { kind: "name" }, values: readonly Expr[]): void {
    const [value = array, from, to] = values;
    // sound: test/step/wasm.test.ts
    if (!isNumber(value, 0)) throw new NotStepCode("only zero fills an array");
    const start: Expr = from ?? { kind: "number", value: 0 };
    const end: Expr = to ?? { kind: "member", of: array, field: "length" };
    this.#name(array.name);
    this.#value(start);
    this.#emit(Op.add);
    this.#toAddress();
    this.#const(0);
    this.#value(end);
    this.#value(start);
    this.#emit(Op.sub);
    this.#toAddress();
    this.#emit(Op.prefix, MEMORY_FILL);
    this.#code.push(0);
  }

  // ---- locals and bytes ----

  #constant(e: Expr): number {
    if (e.kind === "number") return e.value;
    throw new NotStepCode("a case that is not a number");
  }

  #local(name: string): number | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const local = this.#scopes[i]!.get(name);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  #declare(name: string): number {
    const local = this.#scratch();
    this.#scopes.at(-1)!.set(name, local);
    return local;
  }

  /** A local without a name; it is given back by lowering `#locals`. */
  #scratch(): number {
    const local = this.#locals++;
    this.#mostLocals = Math.max(this.#mostLocals, this.#locals);
    return local;
  }

  #const(value: number): void {
    this.#code.push(Op.const);
    signed(value, this.#code);
  }

  #emit(op: number, operand?: number): void {
    this.#code.push(op);
    if (operand !== undefined) unsigned(operand, this.#code);
  }
}

/** A `switch` over more values than this is not worth a table. */
const MOST_IN_TABLE = 65_536;

const isNumber = (e: Expr, value: number): boolean => e.kind === "number" && e.value === value;

/** Can the value be 2^31 or more? */
function mayExceed(e: Expr): boolean {
  if (e.kind !== "binary" || e.op !== ">>>") return false;
  const shift = e.right.kind === "number" ? e.right.value : 0;
  // sound: test/step/wasm.test.ts
  return (shift & 31) === 0;
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

const OPERATORS: Readonly<Partial<Record<BinaryOp, number>>> = {
  "+": Op.add,
  "-": Op.sub,
  "*": Op.mul,
  "%": Op.remS,
  "&": Op.and,
  "|": Op.or,
  "^": Op.xor,
  "<<": Op.shl,
  ">>": Op.shrS,
  ">>>": Op.shrU,
  "===": Op.eq,
  "!==": Op.ne,
  "<": Op.ltS,
  "<=": Op.leS,
  ">": Op.gtS,
  ">=": Op.geS,
};

const UNSIGNED: Readonly<Partial<Record<BinaryOp, number>>> = {
  "<": Op.ltU,
  "<=": Op.leU,
  ">": Op.gtU,
  ">=": Op.geU,
};
