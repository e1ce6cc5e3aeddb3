/** Prints one function of step code as OpenCL C. */
import { hasResult } from "./lower.js";
import { literal, type ArrayPlace, type Surroundings } from "./opencl-names.js";
import { walk } from "./opencl-effects.js";
import {
  NotStepCode,
  type BinaryOp,
  type Expr,
  type FunctionText,
  type Statement,
  type Target,
} from "./syntax.js";

interface ArrayText {
  readonly text: string;
  readonly place: ArrayPlace;
  readonly length: number | undefined;
}

export class FunctionPrinter {
  readonly head: string;
  readonly #text: FunctionText;
  readonly #module: Surroundings;
  readonly #hasResult: boolean;
  readonly #scopes: Map<string, string>[];
  readonly #arrays: ReadonlySet<string>;
  readonly #locals: string[] = [];
  #serial = 0;

  constructor(text: FunctionText, module: Surroundings) {
    this.#text = text;
    this.#module = module;
    this.#hasResult = hasResult(text.body);
    this.#arrays = module.effects.arrayParameters(text.name);
    this.#scopes = [new Map(text.parameters.map((name) => [name, `p_${name}`]))];
    const parameters = text.parameters.map((name) => `${this.#arrays.has(name) ? "int *" : "int "}p_${name}`);
    this.head = `${this.#hasResult ? "int" : "void"} f_${text.name}(${["M *m", ...parameters].join(", ")})`;
  }

  body(): string {
    const lines = this.#block(this.#text.body);
    const declared =
      this.#locals.length === 0 ? "" : `int ${this.#locals.map((l) => `${l} = 0`).join(", ")};\n`;
    return `{\n${declared}${lines}${this.#hasResult ? "\nreturn 0;" : ""}\n}`;
  }

  /** The value of an expression that needs no temporary: it initialises a variable. */
  constant(e: Expr): string {
    if (this.#isImpure(e)) throw new NotStepCode("an initial value with effects");
    return this.#value(e);
  }

  // ---- statements ----

  #block(body: readonly Statement[]): string {
    this.#scopes.push(new Map());
    const text = body.map((s) => this.#statement(s)).join("\n");
    this.#scopes.pop();
    return text;
  }

  #statement(s: Statement, label?: string): string {
    switch (s.kind) {
      case "expression":
        return this.#effect(s.expr);
      case "declare":
        return s.variables
          .map(({ name, value }) => {
            const text = value ? this.#value(value) : "0";
            return `${this.#declare(name)} = ${text};`;
          })
          .join(" ");
      case "block":
        return `{\n${this.#block(s.body)}\n}${label === undefined ? "" : ` break_${label}: ;`}`;
      case "if": {
        const test = this.#value(s.test);
        const then = this.#block([s.then]);
        return `if (${test}) {\n${then}\n}${s.otherwise ? ` else {\n${this.#block([s.otherwise])}\n}` : ""}`;
      }
      case "loop":
        return this.#loop(s, label);
      case "switch":
        return this.#switch(s, label);
      case "label":
        return this.#labelled(s);
      case "leave":
        return s.label === undefined ? `${s.how};` : `goto ${s.how}_${this.#labels.get(s.label)!};`;
      case "return":
        if (s.value) return `return ${this.#value(s.value)};`;
        return this.#hasResult ? "return 0;" : "return;";
    }
  }

  readonly #labels = new Map<string, string>();

  /** Labels of C belong to the whole function. */
  #labelled({ label, body }: Statement & { kind: "label" }): string {
    const outer = this.#labels.get(label);
    const name = `${label}_${this.#serial++}`;
    this.#labels.set(label, name);
    const text = this.#statement(body, name);
    if (outer === undefined) this.#labels.delete(label);
    else this.#labels.set(label, outer);
    return text;
  }

  #loop({ first, test, next, body }: Statement & { kind: "loop" }, label: string | undefined): string {
    this.#scopes.push(new Map());
    const before = first ? this.#statement(first) : "";
    const condition = test ? this.#value(test) : "";
    const step = next ? this.#value(next, false) : "";
    const inside = this.#block([body]);
    this.#scopes.pop();
    const [goOn, leave] = label === undefined ? ["", ""] : [` continue_${label}: ;`, ` break_${label}: ;`];
    return `{\n${before}\nfor (; ${condition}; ${step}) {\n${inside}${goOn}\n}${leave}\n}`;
  }

  #switch({ subject, cases }: Statement & { kind: "switch" }, label: string | undefined): string {
    const value = this.#value(subject);
    this.#scopes.push(new Map());
    const lines = cases.map(({ value: at, body }) => {
      if (at && at.kind !== "number") throw new NotStepCode("a case that is not a number");
      const head = at?.kind === "number" ? `case ${literal(at.value)}: ;` : "default: ;";
      return `${head}\n${body.map((s) => this.#statement(s)).join("\n")}`;
    });
    this.#scopes.pop();
    return `switch (${value}) {\n${lines.join("\n")}\n}${label === undefined ? "" : ` break_${label}: ;`}`;
  }

  #effect(e: Expr): string {
    const { names } = this.#module;
    if (e.kind === "call" && e.callee.kind === "member") {
      const { of, field } = e.callee;
      if (of.name in names.records && !this.#isLocalNumber(of.name)) return names.records[of.name]!;
      if (field === "fill") return this.#fill(of.name, e.arguments);
    }
    if (e.kind === "sequence") return e.parts.map((part) => this.#effect(part)).join(" ");
    return `${this.#value(e, false)};`;
  }

  #fill(name: string, [value, from, to]: readonly Expr[]): string {
    const { single } = this.#module.names;
    if (value?.kind !== "number" || value.value !== 0) throw new NotStepCode("only zero fills an array");
    if (name in single && !this.#local(name)) return `${single[name]} = 0;`;
    const array = this.#array({ kind: "name", name });
    if (array.place !== "private") throw new NotStepCode(`the table ${name} is written`);
    if (!to && array.length === undefined) throw new NotStepCode("an array of unknown length is filled");
    const [i, end] = [this.#temporary(), this.#temporary()];
    const start = from ? this.#value(from) : "0";
    const until = to ? this.#value(to) : `${array.length}`;
    return `${i} = ${start}; ${end} = ${until}; for (; ${i} < ${end}; ${i}++) ${array.text}[${i}] = 0;`;
  }

  // ---- expressions ----

  #value(e: Expr, isUsed = true): string {
    switch (e.kind) {
      case "number":
        return literal(e.value);
      case "name":
        return this.#name(e.name);
      case "unary":
        return this.#unary(e);
      case "binary":
        return this.#binary(e.op, e.left, e.right);
      case "logical": {
        const [left, right] = [this.#value(e.left), this.#value(e.right)];
        return e.op === "&&" ? `(${left} ? ${right} : 0)` : `(${left} ? 1 : ${right})`;
      }
      case "conditional":
        return `(${this.#value(e.test)} ? ${this.#value(e.then)} : ${this.#value(e.otherwise)})`;
      case "assign":
        return this.#assign(e.target, e.op, e.value, isUsed);
      case "update":
        return this.#update(e, isUsed);
      case "index":
        return this.#element(e);
      case "member":
        if (e.field === "length") return `${this.#module.lengthOf(e)}`;
        throw new NotStepCode(`${e.of.name}.${e.field} on a device`);
      case "call":
        return this.#call(e);
      case "sequence":
        return `(${e.parts.map((part, i) => this.#value(part, i === e.parts.length - 1)).join(", ")})`;
      case "list":
      case "array":
        throw new NotStepCode("an array is made inside a function");
    }
  }

  #unary({ op, operand }: Expr & { kind: "unary" }): string {
    const text = this.#value(operand);
    return op === "-" ? `(int)(0u - (uint)(${text}))` : `(${op}(${text}))`;
  }

  #binary(op: BinaryOp, left: Expr, right: Expr): string {
    if (op === "|" && right.kind === "number" && right.value === 0) {
      if (left.kind === "binary" && left.op === "/") return this.#divide(left.left, left.right);
      return this.#value(left);
    }
    if (op === "/") throw new NotStepCode("a quotient that is not cut to an integer");
    return this.#ordered(left, right, (l, r) => operation(op, l, r, left, right));
  }

  #divide(left: Expr, right: Expr): string {
    return this.#ordered(left, right, (l, r) => `step_divide(${l}, ${r})`);
  }

  /** Left before right, as JavaScript evaluates them. */
  #ordered(left: Expr, right: Expr, join: (left: string, right: string) => string): string {
    const [l, r] = [this.#value(left), this.#value(right)];
    // sound: test/step/opencl.test.ts
    if (!this.#mustOrder(left, right)) return join(l, r);
    const t = this.#temporary();
    return `(${t} = ${l}, ${join(t, r)})`;
  }

  #mustOrder(left: Expr, right: Expr): boolean {
    if (left.kind === "number" || right.kind === "number") return false;
    return this.#isImpure(left) || this.#isImpure(right);
  }

  #isImpure(e: Expr): boolean {
    let found = false;
    walk(e, (part) => {
      if (part.kind === "assign" || part.kind === "update") found = true;
      if (part.kind !== "call") return;
      if (part.callee.kind === "name") found ||= this.#module.effects.hasEffect(part.callee.name);
      else if (part.callee.of.name !== "Math") found = true;
    });
    return found;
  }

  // ---- places ----

  #name(name: string): string {
    const local = this.#local(name);
    if (local !== undefined) return local;
    if (name in this.#module.names.records) return "0";
    const global = this.#module.global(name);
    if (global.kind === "number") return literal(global.value);
    if (global.kind === "scalar") return global.text;
    throw new NotStepCode(`the array ${name} is a value`);
  }

  #array(e: Expr): ArrayText {
    if (e.kind === "name") {
      const local = this.#local(e.name);
      if (local !== undefined) {
        if (!this.#arrays.has(e.name)) throw new NotStepCode(`the variable ${e.name} is an array`);
        return { text: local, place: "private", length: undefined };
      }
      const global = this.#module.global(e.name);
      if (global.kind === "array") return global;
    }
    throw new NotStepCode("an element of something that is no array");
  }

  #element(e: Expr & { kind: "index" }): string {
    const single = this.#single(e);
    if (single !== undefined) return single;
    if (e.array.kind === "index" && e.array.array.kind === "name" && !this.#local(e.array.array.name)) {
      const table = this.#module.global(e.array.array.name);
      if (table.kind === "nested")
        return this.#ordered(
          e.array.index,
          e.index,
          (row, column) => `${table.text}[${table.text}_at[${row}] + ${column}]`,
        );
    }
    return `${this.#array(e.array).text}[${this.#value(e.index)}]`;
  }

  #single({ array }: Expr & { kind: "index" }): string | undefined {
    if (array.kind !== "name" || this.#local(array.name)) return undefined;
    return this.#module.names.single[array.name];
  }

  #update({ target, by, isPrefix }: Expr & { kind: "update" }, isUsed: boolean): string {
    const one: Expr = { kind: "number", value: by };
    if (isPrefix || !isUsed) return this.#assign(target, "+", one, isUsed);
    // The value before: the new one, taken back.
    return `(int)((uint)(${this.#assign(target, "+", one, true)}) - (uint)(${by}))`;
  }

  #assign(target: Target, op: BinaryOp | undefined, value: Expr, isUsed: boolean): string {
    const { names } = this.#module;
    if (op === "/") throw new NotStepCode("a quotient that is not cut to an integer");
    if (target.kind === "member") {
      if (!(target.of.name in names.records))
        throw new NotStepCode(`an assignment to ${target.of.name}.${target.field}`);
      return this.#isImpure(value) ? this.#value(value) : "(void)0";
    }
    if (target.kind === "name") return this.#assignName(target.name, op, value, isUsed);
    return this.#assignElement(target, op, value, isUsed);
  }

  #assignName(name: string, op: BinaryOp | undefined, value: Expr, isUsed: boolean): string {
    const { assignments } = this.#module.names;
    const local = this.#local(name);
    if (local === undefined && name in assignments) {
      if (isUsed) throw new NotStepCode(`the value of an assignment to ${name}`);
      return op === "+" || !(`${name}=` in assignments) ? assignments[name]! : assignments[`${name}=`]!;
    }
    const place = this.#name(name);
    if (local === undefined && this.#module.global(name).kind !== "scalar")
      throw new NotStepCode(`an assignment to the constant ${name}`);
    if (op === undefined) return `(${place} = ${this.#value(value)})`;
    const self: Expr = { kind: "name", name };
    return `(${place} = ${this.#ordered(self, value, (l, r) => operation(op, l, r, self, value))})`;
  }

  #assignElement(
    target: Expr & { kind: "index" },
    op: BinaryOp | undefined,
    value: Expr,
    isUsed: boolean,
  ): string {
    const { array, index } = target;
    const { names } = this.#module;
    const single = this.#single(target);
    if (single !== undefined && op === undefined) return `(${single} = ${this.#value(value)})`;
    if (array.kind === "name" && !this.#local(array.name)) {
      if (names.ignored.has(array.name)) return this.#isImpure(value) ? this.#value(value) : "(void)0";
      const marked = this.#marked(array.name, index, op, value, isUsed);
      if (marked !== undefined) return marked;
    }
    const place = this.#array(array);
    if (place.place !== "private") throw new NotStepCode("a constant table is written");
    const isSimple = index.kind === "number" || (!this.#isImpure(index) && !this.#isImpure(value));
    const at = isSimple ? this.#value(index) : this.#temporary();
    const before = isSimple ? "" : `${at} = ${this.#value(index)}, `;
    const element = `${place.text}[${at}]`;
    if (op === undefined) {
      if (isSimple && !this.#isImpure(value)) return `(${element} = ${this.#value(value)})`;
      const t = this.#temporary();
      return `(${before}${t} = ${this.#value(value)}, ${element} = ${t})`;
    }
    const old = this.#temporary();
    const result = operation(op, old, this.#value(value), target, value);
    const t = this.#temporary();
    return `(${before}${old} = ${element}, ${t} = ${result}, ${element} = ${t})`;
  }

  #marked(
    name: string,
    index: Expr,
    op: BinaryOp | undefined,
    value: Expr,
    isUsed: boolean,
  ): string | undefined {
    const global = this.#module.global(name);
    if (global.kind !== "marks" && global.kind !== "counters") return undefined;
    const isOne = value.kind === "number" && value.value === 1;
    const isRight = global.kind === "marks" ? op === undefined : op === "+";
    if (!isOne || !isRight || isUsed) throw new NotStepCode(`${name} is not simply set or counted`);
    return `${global.kind === "marks" ? "MARK" : "COUNT"}(m, ${global.first} + ${this.#value(index)})`;
  }

  // ---- calls ----

  #call({ callee, arguments: values }: Expr & { kind: "call" }): string {
    if (callee.kind === "member") {
      if (callee.of.name === "Math") return this.#math(callee.field, values);
      throw new NotStepCode(`${callee.of.name}.${callee.field} on a device`);
    }
    const { name } = callee;
    if (!this.#module.module.functions.has(name)) {
      const number = this.#module.hostCall(name);
      const [a, b] = [values[0], values[1]].map((v) => (v ? this.#value(v) : "0"));
      return `HOST(m, ${number}, ${a}, ${b})`;
    }
    const called = this.#module.callee(name);
    if (values.length > called.parameters.length) throw new NotStepCode("too many arguments");
    const arrays = this.#module.effects.arrayParameters(name);
    const numbers = values.filter((_, i) => !arrays.has(called.parameters[i]!));
    const isOrdered =
      numbers.some((v) => this.#isImpure(v)) && numbers.filter((v) => v.kind !== "number").length > 1;
    const before: string[] = [];
    const texts = called.parameters.map((parameter, i) => {
      const value = values[i];
      if (arrays.has(parameter)) {
        if (!value) throw new NotStepCode("an array is missing");
        const array = this.#array(value);
        if (array.place !== "private") throw new NotStepCode("a constant table is an argument");
        return array.text;
      }
      if (!value || this.#isArrayName(value)) return "0";
      const text = this.#value(value);
      if (!isOrdered || value.kind === "number") return text;
      const t = this.#temporary();
      before.push(`${t} = ${text}`);
      return t;
    });
    const call = `f_${name}(${["m", ...texts].join(", ")})`;
    return before.length === 0 ? call : `(${before.join(", ")}, ${call})`;
  }

  /** An array that the called function does not touch. */
  #isArrayName(e: Expr): boolean {
    if (e.kind !== "name") return false;
    if (this.#local(e.name) !== undefined) return this.#arrays.has(e.name);
    if (e.name in this.#module.names.records) return false;
    const { kind } = this.#module.global(e.name);
    return kind === "array" || kind === "nested";
  }

  #math(name: string, values: readonly Expr[]): string {
    const [left, right] = values;
    if (!left) throw new NotStepCode(`Math.${name} without arguments`);
    if (name === "clz32") return `(int)clz((uint)(${this.#value(left)}))`;
    if (!right) throw new NotStepCode(`Math.${name}`);
    if (name === "imul") return this.#ordered(left, right, (l, r) => `(int)((uint)(${l}) * (uint)(${r}))`);
    if (name === "max" || name === "min")
      return this.#ordered(left, right, (l, r) => `${name}((int)(${l}), (int)(${r}))`);
    throw new NotStepCode(`Math.${name}`);
  }

  // ---- locals ----

  #local(name: string): string | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const local = this.#scopes[i]!.get(name);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  #isLocalNumber(name: string): boolean {
    return this.#local(name) !== undefined && !this.#text.parameters.includes(name);
  }

  #declare(name: string): string {
    const local = `v_${name}_${this.#serial++}`;
    this.#locals.push(local);
    this.#scopes.at(-1)!.set(name, local);
    return local;
  }

  #temporary(): string {
    const name = `q_${this.#serial++}`;
    this.#locals.push(name);
    return name;
  }
}

/** Can the value be 2^31 or more, as `lower.ts` judges it? */
function mayExceed(e: Expr): boolean {
  if (e.kind !== "binary" || e.op !== ">>>") return false;
  const shift = e.right.kind === "number" ? e.right.value : 0;
  return (shift & 31) === 0;
}

/** Sums wrap around, which C says of unsigned integers alone; counts of shifts are taken modulo 32 by both. */
function operation(op: BinaryOp, left: string, right: string, l: Expr, r: Expr): string {
  const isUnsigned = mayExceed(l) || mayExceed(r);
  switch (op) {
    case "+":
    case "-":
    case "*":
      return `(int)((uint)(${left}) ${op} (uint)(${right}))`;
    case "%":
      return `step_remainder(${left}, ${right})`;
    case "<<":
      return `(int)((uint)(${left}) << ((${right}) & 31))`;
    case ">>":
      return `((${left}) >> ((${right}) & 31))`;
    case ">>>":
      return `(int)((uint)(${left}) >> ((${right}) & 31))`;
    case "===":
    case "!==":
      if (isUnsigned && !(r.kind === "number" && r.value === 0))
        throw new NotStepCode("an unsigned number is compared for equality");
      return `((${left}) ${op === "===" ? "==" : "!="} (${right}))`;
    case "<":
    case "<=":
    case ">":
    case ">=":
      // sound: test/step/opencl.test.ts
      return isUnsigned ? `((uint)(${left}) ${op} (uint)(${right}))` : `((${left}) ${op} (${right}))`;
    case "/":
      throw new NotStepCode("a quotient that is not cut to an integer");
    default:
      return `((${left}) ${op} (${right}))`;
  }
}

/** Quotients that do not fit wrap around, as in JavaScript. */
export const OPENCL_ARITHMETIC = `
static inline int step_divide(int a, int b) { return b == -1 ? (int)(0u - (uint)a) : b == 0 ? 0 : a / b; }
static inline int step_remainder(int a, int b) { return b == -1 || b == 0 ? 0 : a % b; }
`;
