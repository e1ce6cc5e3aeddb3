/**
 * Every language and engine there is, once. A new one is a line here; its code is loaded when it is used.
 *
 * Always true: nothing heavy is imported at the top, so that `everypath --version` stays instant.
 */
import type {
  Budget,
  Control,
  Diagnostic,
  Finding,
  Model,
  Property,
  PropertyKind,
  Scope,
  Sources,
  Span,
  Stats,
} from "../model/index.js";
import type { PeerFigures } from "../report/index.js";
import type { Input, ModelOptions, SearchOrder, StoreName } from "./request.js";

export interface Registry {
  readonly languages: readonly Language[];
  readonly engines: readonly Engine[];
}

export interface Language {
  readonly name: string;
  readonly summary: string;
  /** With the dot. */
  readonly extensions: readonly string[];
  load(input: Input, options: LoadOptions): Promise<Loaded>;
  /** The figures as the language's own tools count them. */
  peerFigures?(stats: Stats): PeerFigures;
}

export interface LoadOptions extends ModelOptions {
  readonly isPlain: boolean;
  readonly warnsTruncation: boolean;
  /** The text and everything it includes is added here. */
  readonly sources: Sources;
}

export interface Loaded {
  /** Absent when the diagnostics have errors. */
  readonly model: Model | undefined;
  /** Declared, understood, but not checked yet. */
  readonly unsupported: readonly Unsupported[];
  readonly diagnostics: readonly Diagnostic[];
  /** The program that the model was compiled to, where there is one to read. */
  readonly code?: string | undefined;
}

export interface Unsupported {
  readonly kind: PropertyKind;
  readonly name: string;
  readonly span: Span;
}

export interface Engine {
  readonly name: string;
  readonly summary: string;
  check(model: Model, options: EngineOptions): Promise<EngineResult>;
}

export interface EngineOptions {
  readonly properties: readonly Property[];
  readonly search: SearchOrder;
  readonly store: StoreName | undefined;
  readonly budget: Budget;
  readonly maxErrors: number;
  readonly control: Control;
}

export interface EngineResult {
  /** At least one a property; a violated property may have several. */
  readonly findings: readonly EngineFinding[];
  readonly scope: Scope;
  readonly end: SearchEnd;
  readonly reductions: readonly string[];
  readonly stats: Stats;
}

export interface EngineFinding extends Finding {
  /** How often the same thing was met. */
  readonly occurrences: number;
}

/** Why the search ended: `complete` means that nothing was left to explore. */
export type SearchEnd = "complete" | "errors" | "budget" | "stopped";

export const registry: Registry = {
  languages: [
    {
      name: "promela",
      summary: "Promela, the language of Spin 6.5",
      extensions: [".pml", ".promela", ".prom", ".spin"],
      // pan counts the arrival in the initial state as a transition.
      peerFigures: ({ transitions }) => ({ spin: { transitions: transitions + 1 } }),
      load: async (input, options) => (await import("./promela.js")).load(input, options),
    },
  ],
  engines: [
    {
      name: "explicit",
      summary: "visits every reachable state once; breadth-first or depth-first",
      check: async (model, options) => (await import("./explicit.js")).check(model, options),
    },
  ],
};
