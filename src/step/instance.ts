/**
 * Makes a running WebAssembly module of step code, and of the objects and functions of the host that it names.
 *
 * Several texts become one module. Each has its own variables and bindings; functions of the texts before it are reached through `methods`. Only functions
 * that an exported one needs are compiled. Calls go through `load` and `keep` of the mirrors, on the way in and out, and around each
 * function of the host that step code calls.
 */
import { encode, type FunctionCode } from "./encode.js";
import { hasResult, lowerFunction } from "./lower.js";
import type { Callable, Meaning, Names } from "./lower-names.js";
import type { StepMemory } from "./memory.js";
import { Mirrors } from "./mirror.js";
import { parseModule } from "./parse.js";
import { NotStepCode, type Expr, type FunctionText, type Module, type Statement } from "./syntax.js";

export interface StepHost {
  readonly memory: StepMemory;
  /** Functions of the texts for methods of the host's objects: `system.successors` is `expand`. */
  readonly methods?: Readonly<Record<string, string>>;
  /** Names that are addresses of records, and the records' fields. */
  readonly records?: {
    readonly names: ReadonlySet<string>;
    readonly fields: readonly string[];
    readonly written: readonly string[];
    readonly isOne: (object: unknown) => boolean;
  };
  /** For calls of the host: positions of arguments that are addresses of arrays. */
  readonly arrayArguments?: Readonly<Record<string, readonly number[]>>;
}

/**
 * A text, parsed once, with the meanings of its names: numbers, arrays in the memory, functions, and objects with fields and
 * methods.
 */
export class StepText {
  readonly text: string;
  readonly bindings: Readonly<Record<string, unknown>>;
  #module: Module | undefined;

  constructor(text: string, bindings: Readonly<Record<string, unknown>> = {}) {
    this.text = text;
    this.bindings = bindings;
  }

  get module(): Module {
    return (this.#module ??= parseModule(this.text));
  }
}

export interface StepInstance {
  readonly functions: Readonly<Record<string, (...values: unknown[]) => number>>;
  readonly bytes: number;
  /** Copies written byte arrays and counters back to the host. */
  keepBytes(): void;
}

/** Throws `NotStepCode` where a text is more than step code. Functions are looked for in the last text first. */
export function instantiateStep(
  texts: readonly StepText[],
  exported: readonly string[],
  host: StepHost,
): StepInstance {
  try {
    return new Linker([RECORDS, ...texts], host).link(exported);
  } catch (error) {
    // Nested too deeply for the parser, or larger than the runtime allows modules and functions to be.
    // sound: test/step/wasm.test.ts
    if (error instanceof RangeError || error instanceof WebAssembly.CompileError)
      throw new NotStepCode(error.message);
    throw error;
  }
}

type HostFunction = (...values: number[]) => number;

/** State shared by the texts. */
class Linker {
  readonly host: StepHost;
  readonly mirrors: Mirrors;
  readonly globals: number[] = [];
  readonly #imports: { name: string; parameters: number; call: HostFunction }[] = [];
  readonly #bodies: { readonly text: FunctionText; readonly names: Names }[] = [];
  readonly #bytes: { readonly from: Int32Array; readonly to: Uint8Array }[] = [];
  readonly #counters: { readonly from: Float64Array; readonly to: Float64Array }[] = [];
  readonly #scopes: Scope[];

  constructor(texts: readonly StepText[], host: StepHost) {
    this.host = host;
    this.mirrors = new Mirrors(host.memory);
    this.#scopes = texts.map((text) => new Scope(text, this));
  }

  link(exported: readonly string[]): StepInstance {
    const wanted = exported.map((name) => ({
      name,
      kind: "function" as const,
      index: this.find(name).index,
    }));
    for (const scope of this.#scopes)
      wanted.push({
        name: `start${wanted.length}`,
        kind: "function",
        index: this.enter(scope.start(), scope).index,
      });
    const codes: FunctionCode[] = [];
    for (let i = 0; i < this.#bodies.length; i++) {
      const { text, names } = this.#bodies[i]!;
      codes.push(lowerFunction(text, names));
    }
    const { memory } = this.host;
    const bytes = encode({
      imports: this.#imports,
      functions: codes,
      globals: this.globals,
      exports: wanted,
      memory: { maximumPages: memory.maximumPages, isWide: false },
    });
    const imports = Object.fromEntries(this.#imports.map((f) => [f.name, f.call]));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
      host: { memory: memory.memory, ...imports },
    });
    const raw = instance.exports as Record<string, HostFunction>;
    this.mirrors.load();
    for (const { name } of wanted.slice(exported.length)) raw[name]!();
    const functions = Object.fromEntries(exported.map((name) => [name, this.#entry(raw[name]!)]));
    return { functions, bytes: bytes.length, keepBytes: () => this.#keepBytes() };
  }

  /** The function of that name in the last text that has one, of those before `caller` if it is given. */
  find(name: string, caller?: Scope): Callable {
    const scope = this.#scopes.findLast(
      (s, i) => s.has(name) && (!caller || i < this.#scopes.indexOf(caller)),
    );
    if (!scope) throw new NotStepCode(`there is no function ${name}`);
    return scope.callee(name);
  }

  /** Numbers a function of a text. All imports are numbered before. */
  enter(text: FunctionText, names: Names): Callable {
    const index = this.#imports.length + this.#bodies.push({ text, names }) - 1;
    return { index, parameters: text.parameters.length, hasResult: hasResult(text.body) };
  }

  import(name: string, run: (values: unknown[]) => unknown): Callable {
    const arrays = this.host.arrayArguments?.[name] ?? [];
    const call = (...values: number[]): number => {
      this.mirrors.keep();
      const given = values.map((v, i) => (arrays.includes(i) ? this.host.memory.words.subarray(v) : v));
      const result = run(given);
      this.mirrors.load();
      return Number(result ?? 0);
    };
    const index =
      this.#imports.push({ name: `${name}/${this.#imports.length}`, parameters: MOST_ARGUMENTS, call }) - 1;
    return { index, parameters: MOST_ARGUMENTS, hasResult: true };
  }

  allocate(length: number): Int32Array {
    return this.host.memory.require(Math.max(1, length));
  }

  /** The address, in bytes, of a copy. */
  copyBytes(to: Uint8Array): number {
    const from = this.allocate(Math.ceil(to.length / 4));
    this.#bytes.push({ from, to });
    return 4 * this.host.memory.addressOf(from);
  }

  /** The address, in words, of counters that begin at zero. */
  countersFor(to: Float64Array): number {
    const words = this.allocate(2 * to.length);
    this.#counters.push({ from: new Float64Array(words.buffer, words.byteOffset, to.length), to });
    return this.host.memory.addressOf(words);
  }

  #keepBytes(): void {
    for (const { from, to } of this.#counters) {
      for (let i = 0; i < to.length; i++) to[i]! += from[i]!;
      from.fill(0);
    }
    for (const { from, to } of this.#bytes) {
      const bytes = new Uint8Array(from.buffer, from.byteOffset, to.length);
      for (let i = 0; i < to.length; i++) if (bytes[i] !== 0) to[i] = 1;
    }
  }

  #entry(run: HostFunction): (...values: unknown[]) => number {
    const { mirrors } = this;
    return (...values) => {
      mirrors.load();
      try {
        return run(...values.map((v) => mirrors.wordOf(v)));
      } finally {
        mirrors.keep();
      }
    };
  }
}

/** Meanings of names in one text. */
class Scope implements Names {
  readonly isWide = false;
  readonly #text: StepText;
  readonly #linker: Linker;
  readonly #meanings = new Map<string, Meaning>();
  readonly #callables = new Map<string, Callable>();
  readonly #computed: { readonly name: string; readonly value: Expr }[] = [];

  constructor(text: StepText, linker: Linker) {
    this.#text = text;
    this.#linker = linker;
    this.#importAll();
    for (const { name, value } of text.module.variables)
      this.#meanings.set(name, value ? this.#declared(name, value) : this.#global(0));
  }

  /** Initialises variables with computed values, then runs the statements outside of functions. */
  start(): FunctionText {
    const { start } = this.#text.module;
    const first = this.#computed.map(({ name, value }): Statement => ({
      kind: "expression",
      expr: { kind: "assign", op: undefined, target: { kind: "name", name }, value },
    }));
    return { name: "start", parameters: [], body: [...first, ...start] };
  }

  has(name: string): boolean {
    return this.#callables.has(name) || this.#text.module.functions.has(name);
  }

  variable(name: string): Meaning {
    const known = this.#meanings.get(name);
    if (known) return known;
    const { bindings } = this.#text;
    if (!(name in bindings)) throw new NotStepCode(`nothing is called ${name}`);
    const meaning = this.#bound(bindings[name]);
    this.#meanings.set(name, meaning);
    return meaning;
  }

  field(record: string, field: string, isWritten: boolean): Meaning {
    const object = this.#text.bindings[record];
    if (typeof object !== "object" || object === null) throw new NotStepCode(`${record} is no record`);
    const mirror = this.#linker.mirrors.of(object);
    return { kind: "word", address: mirror.address + mirror.slot(field, isWritten) };
  }

  slot(name: string, field: string): number | undefined {
    const { records } = this.#linker.host;
    if (!records?.names.has(name)) return undefined;
    const slot = records.fields.indexOf(field);
    if (slot < 0) throw new NotStepCode(`${name} has no field ${field}`);
    return slot;
  }

  callee(name: string): Callable {
    const known = this.#callables.get(name);
    if (known) return known;
    const text = this.#text.module.functions.get(name);
    if (!text) throw new NotStepCode(`there is no function ${name}`);
    const callable = this.#linker.enter(text, this);
    this.#callables.set(name, callable);
    return callable;
  }

  method(record: string, method: string): Callable & { takesRecord: boolean } {
    const { methods, records } = this.#linker.host;
    const name = `${record}.${method}`;
    const alias = methods?.[name];
    if (alias) return { ...this.#linker.find(alias, this), takesRecord: false };
    if (records?.names.has(record)) return { ...this.#linker.find(`record_${method}`), takesRecord: true };
    return { ...this.callee(name), takesRecord: false };
  }

  isBytes(name: string): boolean {
    return this.#text.bindings[name] instanceof Uint8Array;
  }

  isCounters(name: string): boolean {
    return this.#text.bindings[name] instanceof Float64Array;
  }

  #declared(name: string, value: Expr): Meaning {
    if (value.kind === "list") return this.#table(value.elements);
    if (value.kind === "array") return this.#placed(this.#linker.allocate(this.#number(value.length)));
    if (value.kind === "number") return this.#global(value.value);
    this.#computed.push({ name, value });
    return this.#global(0);
  }

  #global(value: number): Meaning {
    return { kind: "global", index: this.#linker.globals.push(value) - 1 };
  }

  #table(elements: readonly Expr[]): Meaning & { kind: "array" } {
    const words = elements.map((e) =>
      e.kind === "list" ? this.#table(e.elements).address : this.#number(e),
    );
    const array = this.#linker.allocate(words.length);
    array.set(words);
    return this.#placed(array);
  }

  #placed(array: Int32Array): Meaning & { kind: "array" } {
    return { kind: "array", address: this.#linker.host.memory.addressOf(array), length: array.length };
  }

  #number(e: Expr): number {
    if (e.kind === "number") return e.value;
    if (e.kind === "member" && e.field === "length") {
      const meaning = this.variable(e.of.name);
      if (meaning.kind === "array") return meaning.length;
    }
    throw new NotStepCode("a length or element that is computed");
  }

  /** Byte arrays, and tables that are never written, have a copy in the memory. */
  #bound(value: unknown): Meaning {
    const { mirrors, host } = this.#linker;
    if (value instanceof Uint8Array) return { kind: "constant", value: this.#linker.copyBytes(value) };
    if (value instanceof Float64Array) return { kind: "constant", value: this.#linker.countersFor(value) };
    if (value instanceof Int32Array) {
      if (host.memory.isOwn(value)) return this.#placed(value);
      const array = this.#linker.allocate(value.length);
      array.set(value);
      return this.#placed(array);
    }
    if (host.records?.isOne(value)) {
      const { fields, written } = host.records;
      return { kind: "constant", value: mirrors.of(value as object, fields, written).address };
    }
    return { kind: "constant", value: mirrors.wordOf(value) };
  }

  #importAll(): void {
    const { methods = {}, records } = this.#linker.host;
    const { text, bindings } = this.#text;
    for (const [name, value] of Object.entries(bindings)) {
      if (typeof value === "function") this.#import(name, (values) => value(...values) as unknown);
      if (typeof value !== "object" || value === null || records?.isOne(value)) continue;
      if (ArrayBuffer.isView(value)) continue;
      for (const method of methodsOf(value)) {
        const full = `${name}.${method}`;
        if (full in methods || !text.includes(`${full}(`)) continue;
        const object = value as Record<string, (...v: unknown[]) => unknown>;
        this.#import(full, (values) => object[method]!(...values));
      }
    }
    if (this.#text !== RECORDS) return;
    for (const method of ["grow", "widen"])
      this.#import(`record_${method}`, ([record, ...values]) => {
        const object = this.#linker.mirrors.objectAt(record as number);
        (object as Record<string, (...v: unknown[]) => void>)[method]!(...values);
      });
  }

  #import(name: string, run: (values: unknown[]) => unknown): void {
    this.#callables.set(name, this.#linker.import(name, run));
  }
}

/** Methods of records that are step code themselves. */
const RECORDS = new StepText(`function record_clear(list) {
  const flags = list.flags;
  if (list.isFlagged) flags.fill(0, 0, list.count);
  list.count = 0;
  list.isFlagged = false;
}`);

/** Length of the longest argument list, taken by all functions of the host; missing arguments are 0. */
const MOST_ARGUMENTS = 6;

function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (
    let o: object | null = object;
    o && o !== Object.prototype;
    o = Object.getPrototypeOf(o) as object | null
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(o)))
      if (typeof value === "function" && name !== "constructor") names.add(name);
  return [...names];
}
