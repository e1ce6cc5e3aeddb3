/** Scopes of names, and the environment of running code. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { lastOf, nth } from "../../model/known.js";
import type { Arrival, Command, NetworkView, PacketShape } from "../../model/network.js";
import type { Expression } from "./ast.js";
import type { Topology } from "./topology.js";
import { typeName, type Type, type Value } from "./types.js";

/** State of a running handler or condition. */
export interface Env {
  readonly locals: Value[];
  control: Value[];
  readonly commands: Command[];
  readonly emits: Arrival[];
  /** The controller's reply, and the number of commands sent before it. */
  reply: { readonly ports: readonly number[]; readonly after: number } | undefined;
  readonly view: NetworkView | undefined;
  /** Position of a packet to flood. */
  readonly at: { readonly switch: number; readonly port: number } | undefined;
  readonly client: number | undefined;
  choose(options: number): number;
}

export interface Code {
  readonly type: Type;
  run(env: Env): Value;
}

/** Lowers a subexpression to the wanted type; undefined accepts any. */
export type Lower = (part: Expression, wanted: Type | undefined, scope: Scope) => Code;

/** A failure at run time, with the index of its site. */
export class Failure extends Error {
  constructor(readonly place: number) {
    super("failure");
  }
}

export type Meaning =
  | {
      readonly kind: "local";
      readonly slot: number;
      readonly type: Type;
      /** Possible values, if known: expressions that cannot fail need no check. */
      readonly values: readonly number[] | undefined;
    }
  | { readonly kind: "state"; readonly slot: number; readonly type: Type }
  | { readonly kind: "value"; readonly value: Value; readonly type: Type };

export interface FunctionMeaning {
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly effects: ReadonlySet<Effect>;
  call(env: Env, given: readonly Value[]): Value;
}

/** Effects of code, refused where they are not allowed. */
export type Effect = "reply" | "command" | "barrier" | "emit" | "choose" | "assign" | "read";

/** Effects allowed in clients, events and functions. */
export const ENVIRONMENT: ReadonlySet<Effect> = new Set([
  "command",
  "barrier",
  "emit",
  "choose",
  "assign",
  "read",
]);

/** State shared by all scopes of a file. */
export interface Shared {
  readonly topology: Topology;
  readonly types: Map<string, Type>;
  readonly globals: Map<string, Meaning>;
  readonly functions: Map<string, FunctionMeaning>;
  readonly fields: readonly Field[];
  readonly shape: PacketShape;
  /** Failure sites. */
  readonly errors: { readonly message: string; readonly span: Span }[];
  report(code: string, message: string, span: Span, hint?: string): void;
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly domain: readonly number[];
}

/** Scope of one handler, function or condition. */
export class Scope {
  readonly effects = new Set<Effect>();
  readonly #names: Map<string, Meaning>[] = [new Map()];
  #slots = 0;

  constructor(
    readonly shared: Shared,
    /** For messages: `packetIn`, `an event`. */
    readonly what: string,
    readonly allowed: ReadonlySet<Effect>,
    readonly result: Type = { kind: "void" },
  ) {}

  use(effect: Effect, span: Span, what: string): void {
    this.effects.add(effect);
    if (!this.allowed.has(effect))
      this.shared.report("sdn/not-here", `${what} is not possible in ${this.what}`, span);
  }

  declare(name: string, type: Type, span: Span, values?: readonly number[]): number {
    const names = lastOf(this.#names);
    if (names.has(name)) this.shared.report("sdn/declared-twice", `'${name}' is declared twice`, span);
    const slot = this.#slots++;
    names.set(name, { kind: "local", slot, type, values });
    return slot;
  }

  find(name: string): Meaning | undefined {
    for (let i = this.#names.length - 1; i >= 0; i--) {
      const meaning = nth(this.#names, i).get(name);
      if (meaning) return meaning;
    }
    return this.shared.globals.get(name);
  }

  inner<T>(make: () => T): T {
    this.#names.push(new Map());
    const made = make();
    this.#names.pop();
    return made;
  }

  failure(message: string, span: Span): number {
    return this.shared.errors.push({ message, span }) - 1;
  }
}

export const diagnostic = (code: string, message: string, span: Span, hint?: string): Diagnostic => ({
  code,
  severity: "error",
  message,
  span,
  ...(hint === undefined ? {} : { hint }),
});

export function wrongType(shared: Shared, span: Span, wanted: string, found: Type): void {
  shared.report("sdn/wrong-type", `${wanted} is wanted here, not ${typeName(found)}`, span);
}
