/**
 * Prints step code as OpenCL C: the third dialect beside JavaScript and WebAssembly.
 *
 * A device has no memory for the module of each work item, so the module's variables are fields of a structure `M` in private memory, whose
 * address is the first argument of every function; its arrays are variables of the kernel, and `M` has their addresses. Tables that nothing writes are `__constant`. The list of successors is not kept: advancing
 * the list (`o += stride`) becomes `PUT(m)`, which takes the entry in `w` over; so `o` and `stride` are constants.
 *
 * JavaScript evaluates operands from left to right, C in any order: operands with effects are computed into temporaries first.
 */
import { effectsOf, type Effects } from "./opencl-effects.js";
import { FunctionPrinter } from "./opencl-function.js";
import { literal, type Global, type OpenClNames, type Surroundings } from "./opencl-names.js";
import {
  NotStepCode,
  type Expr,
  type FunctionText,
  type Module,
  type Statement,
  type Variable,
} from "./syntax.js";

export interface OpenClText {
  /** Constant tables. */
  readonly tables: string;
  /** Fields of `M`. */
  readonly fields: string;
  /** The arrays that fields of `M` point to, and the pointers' values. */
  readonly storage: string;
  /** Prototypes and bodies, with `module_start(m)`, which initialises the module. */
  readonly functions: string;
  /** Arrays of bytes, each from its first number on: `MARK(m, number)` sets one. */
  readonly marks: readonly { readonly bytes: Uint8Array; readonly first: number }[];
  /** Counters, likewise: `COUNT(m, number)`. */
  readonly counters: readonly { readonly counts: Float64Array; readonly first: number }[];
  /** Functions of the host: number k of them is called by `HOST(m, k, a, b)`. */
  readonly calls: readonly ((...values: number[]) => unknown)[];
}

/**
 * Prints the wanted functions, and all functions that they call. `wanted` lists, for each function, the positions of
 * arguments that are arrays whether or not it touches them.
 * Throws `NotStepCode` where the text cannot be run on a device.
 */
export function printOpenCl(
  module: Module,
  bindings: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, readonly number[]>>,
  names: OpenClNames,
): OpenClText {
  return new ModulePrinter(module, bindings, wanted, names).print(Object.keys(wanted));
}

class ModulePrinter implements Surroundings {
  readonly module: Module;
  readonly names: OpenClNames;
  readonly effects: Effects;
  readonly #bindings: Readonly<Record<string, unknown>>;
  readonly #fields: string[] = [];
  readonly #storage: string[] = [];
  readonly #tables: string[] = [];
  readonly #start: string[] = [];
  /** Elements that statements outside of functions set, by array. */
  readonly #initial = new Map<string, Map<number, number>>();
  readonly #globals = new Map<string, Global>();
  readonly #queue: string[] = [];
  readonly #marks: { bytes: Uint8Array; first: number }[] = [];
  readonly #counters: { counts: Float64Array; first: number }[] = [];
  readonly #calls: { name: string; call: (...values: number[]) => unknown }[] = [];

  constructor(
    module: Module,
    bindings: Readonly<Record<string, unknown>>,
    wanted: Readonly<Record<string, readonly number[]>>,
    names: OpenClNames,
  ) {
    this.module = module;
    this.names = names;
    this.#bindings = bindings;
    this.effects = effectsOf(module, names, wanted);
  }

  print(wanted: readonly string[]): OpenClText {
    for (const statement of this.module.start) this.#initialise(statement);
    wanted.forEach((name) => this.callee(name));
    const printed: { head: string; body: string }[] = [];
    for (let i = 0; i < this.#queue.length; i++) {
      const name = this.#queue[i]!;
      const replaced = this.names.functions[name];
      replaced?.uses.forEach((used) => this.global(used));
      replaced?.calls?.forEach((called) => this.callee(called));
      const text = this.module.functions.get(name)!;
      const printer = new FunctionPrinter(text, this);
      printed.push({
        head: printer.head,
        body: replaced ? `{ ${replaced.body} }` : printer.body(),
      });
    }
    const start = `static inline void module_start(M *m) {\n${this.#start.join("\n")}\n}`;
    return {
      tables: this.#tables.join("\n"),
      fields: this.#fields.join("\n"),
      storage: this.#storage.join("\n"),
      functions: [
        ...printed.map(({ head, body }) => `${kindOf(body)} ${head};`),
        start,
        ...printed.map(({ head, body }) => `${kindOf(body)} ${head} ${body}`),
      ].join("\n"),
      marks: this.#marks,
      counters: this.#counters,
      calls: this.#calls.map(({ call }) => call),
    };
  }

  /** The function of the text, printed on demand. */
  callee(name: string): FunctionText {
    const text = this.module.functions.get(name);
    if (!text) throw new NotStepCode(`there is no function ${name}`);
    // sound: test/step/opencl.test.ts
    if (this.effects.isRecursive(name)) throw new NotStepCode(`${name} calls itself`);
    if (!this.#queue.includes(name)) this.#queue.push(name);
    return text;
  }

  /** Number of a function of the host. */
  hostCall(name: string): number {
    const call = this.#bindings[name];
    if (typeof call !== "function") throw new NotStepCode(`there is no function ${name}`);
    const known = this.#calls.findIndex((c) => c.name === name);
    return known >= 0 ? known : this.#calls.push({ name, call: call as never }) - 1;
  }

  global(name: string): Global {
    const known = this.#globals.get(name);
    if (known) return known;
    const made = this.#make(name);
    this.#globals.set(name, made);
    return made;
  }

  #make(name: string): Global {
    const { constants, arrays } = this.names;
    if (name in constants) return { kind: "number", value: constants[name]! };
    if (name in arrays) return this.#array(name, arrays[name]!);
    const variable = this.module.variables.find((v) => v.name === name);
    if (variable) return this.#declared(variable);
    const value = this.#bindings[name];
    if (value instanceof Uint8Array) {
      const before = this.#marks.at(-1);
      const first = before ? before.first + before.bytes.length : 0;
      this.#marks.push({ bytes: value, first });
      return { kind: "marks", first };
    }
    if (value instanceof Float64Array) {
      const before = this.#counters.at(-1);
      const first = before ? before.first + before.counts.length : 0;
      this.#counters.push({ counts: value, first });
      return { kind: "counters", first };
    }
    if (typeof value === "number") return { kind: "number", value };
    throw new NotStepCode(`nothing is called ${name}`);
  }

  #declared({ name, value }: Variable): Global {
    if (value?.kind === "list") return this.#table(name, value.elements);
    if (value?.kind === "array") return this.#filled(name) ?? this.#array(name, this.lengthOf(value.length));
    this.#fields.push(`int g_${name};`);
    const global: Global = { kind: "scalar", text: `m->g_${name}` };
    this.#globals.set(name, global);
    // Others that the value needs are initialised before it.
    const first = value ? new FunctionPrinter(EMPTY, this).constant(value) : "0";
    this.#start.push(`m->g_${name} = ${first};`);
    return global;
  }

  /** Statements outside of functions set elements of arrays. */
  #initialise(s: Statement): void {
    // A directive leaves an empty statement behind.
    if (s.kind === "block" && s.body.length === 0) return;
    const e = s.kind === "expression" ? s.expr : undefined;
    const isSimple =
      e?.kind === "assign" &&
      e.op === undefined &&
      e.target.kind === "index" &&
      e.target.array.kind === "name" &&
      e.target.index.kind === "number";
    // sound: test/step/opencl.test.ts
    if (!isSimple) throw new NotStepCode("statements outside of functions");
    const { array, index } = e.target as Expr & { kind: "index" };
    const { name } = array as Expr & { kind: "name" };
    const elements = this.#initial.get(name) ?? new Map<number, number>();
    elements.set((index as Expr & { kind: "number" }).value, numberOf(e.value));
    this.#initial.set(name, elements);
  }

  /** A constant table, if nothing but those statements writes the array. */
  #filled(name: string): Global | undefined {
    const elements = this.#initial.get(name);
    if (!elements || this.effects.writtenArrays.has(name)) return undefined;
    const length = 1 + Math.max(...elements.keys());
    const values = Array.from({ length }, (_, i) => elements.get(i) ?? 0);
    this.#tables.push(constantArray(`T_${name}`, values));
    return { kind: "array", text: `T_${name}`, place: "constant", length };
  }

  #array(name: string, length: number): Global {
    this.#fields.push(`int *g_${name};`);
    this.#storage.push(`int g_${name}[${Math.max(1, length)}]; m->g_${name} = g_${name};`);
    this.#start.push(`for (int i = 0; i < ${length}; i++) m->g_${name}[i] = 0;`);
    for (const [i, value] of this.#initial.get(name) ?? [])
      this.#start.push(`m->g_${name}[${i}] = ${literal(value)};`);
    return { kind: "array", text: `m->g_${name}`, place: "private", length };
  }

  #table(name: string, elements: readonly Expr[]): Global {
    const rows = elements.map((e) => (e.kind === "list" ? e.elements.map((x) => numberOf(x)) : undefined));
    if (rows.every((row) => row === undefined)) {
      const isWritten = this.effects.writtenArrays.has(name);
      if (isWritten) throw new NotStepCode(`the table ${name} is written`);
      this.#tables.push(constantArray(`T_${name}`, elements.map(numberOf)));
      return { kind: "array", text: `T_${name}`, place: "constant", length: elements.length };
    }
    const lists = rows.map((row) => {
      if (!row) throw new NotStepCode("a table of numbers and tables");
      return row;
    });
    const starts = lists.map((_, i) => lists.slice(0, i).reduce((sum, row) => sum + row.length, 0));
    this.#tables.push(constantArray(`T_${name}`, lists.flat()), constantArray(`T_${name}_at`, starts));
    return { kind: "nested", text: `T_${name}`, length: elements.length };
  }

  lengthOf(e: Expr): number {
    if (e.kind === "number") return e.value;
    if (e.kind === "member" && e.field === "length") {
      const global = this.global(e.of.name);
      if (global.kind === "array" || global.kind === "nested") return global.length;
    }
    throw new NotStepCode("a length that is computed");
  }
}

/** A kernel may keep large functions apart, which compiles faster. */
const kindOf = (body: string): string => (body.length > LARGE_TEXT ? "LARGE" : "static inline");
const LARGE_TEXT = 3_000;

const EMPTY: FunctionText = { name: "start", parameters: [], body: [] };

const constantArray = (name: string, values: readonly number[]): string =>
  `__constant int ${name}[${Math.max(1, values.length)}] = {${values.length === 0 ? "0" : values.map(literal).join(", ")}};`;

function numberOf(e: Expr): number {
  if (e.kind === "number") return e.value;
  if (e.kind === "unary" && e.op === "-" && e.operand.kind === "number") return -e.operand.value;
  throw new NotStepCode("an element that is computed");
}
