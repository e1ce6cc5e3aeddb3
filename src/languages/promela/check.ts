/**
 * Names, types and rules of a parsed Promela model.
 *
 * In: the tree of `ast.ts`. Out: `ModelInfo`, what the names and types of the tree mean, and diagnostics.
 * When a diagnostic is an error, the maps may lack entries for the nodes in error; without errors every
 * node that the maps speak of has its entry.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type {
  Declaration,
  Declarator,
  Expression,
  FieldAccess,
  ForInStatement,
  GotoStatement,
  InitUnit,
  LabelledStatement,
  MtypeConstant,
  Name,
  NeverUnit,
  ProctypeUnit,
  RemoteLabel,
  RemoteVariable,
  RunExpression,
  TraceUnit,
  TypedefUnit,
  TypeName,
  VariableReference,
} from "./ast.js";

export interface ModelInfo {
  /** In textual order. */
  readonly globals: readonly VariableSymbol[];
  readonly typedefs: ReadonlyMap<string, TypedefSymbol>;
  readonly mtypes: ReadonlyMap<string, MtypeSymbol>;
  /** Every proctype, init, never, trace and notrace, in textual order. */
  readonly processes: readonly ProcessSymbol[];

  /** The symbol of every variable that is declared. */
  readonly declared: ReadonlyMap<Declarator, VariableSymbol>;
  /**
   * The symbol that the first name of a reference stands for. In the `variable` of a `RemoteVariable` it is a
   * local or parameter of that proctype.
   */
  readonly variables: ReadonlyMap<VariableReference, VariableSymbol | PredefinedSymbol>;
  /** The field of the typedef that each `.name` stands for. */
  readonly fields: ReadonlyMap<FieldAccess, VariableSymbol>;
  readonly mtypeUses: ReadonlyMap<MtypeConstant, MtypeSymbol>;
  /** Whom `run P`, `P@label` and `P:x` mean. */
  readonly processUses: ReadonlyMap<RunExpression | RemoteLabel | RemoteVariable, ProcessSymbol>;
  /** Where `goto L` and `P@L` point. */
  readonly labelUses: ReadonlyMap<GotoStatement | RemoteLabel, LabelSymbol>;
  /** The labels that a labelled statement declares, in order. */
  readonly labelsAt: ReadonlyMap<LabelledStatement, readonly LabelSymbol[]>;
  readonly typeNames: ReadonlyMap<TypeName, ValueType>;
  /** The type of each expression: for a reference, of what it finally denotes (the last field). */
  readonly types: ReadonlyMap<Expression, ValueType>;
  /** The value of each expression that had to be constant: array sizes, capacities, `active [n]`. */
  readonly constants: ReadonlyMap<Expression, number>;
  /** What a `for (… in …)` walks over. */
  readonly loops: ReadonlyMap<ForInStatement, "array" | "channel">;
}

export type ValueType =
  | { readonly kind: "bit" | "bool" | "byte" | "pid" | "short" | "int" | "chan" }
  | { readonly kind: "unsigned"; readonly bits: number }
  | { readonly kind: "mtype"; readonly subtype?: string }
  | { readonly kind: "record"; readonly typedef: TypedefSymbol };

export interface VariableSymbol {
  readonly kind: "variable";
  readonly name: string;
  readonly storage: "global" | "local" | "parameter" | "field";
  readonly type: ValueType;
  /** Absent for a scalar; `x[1]` is an array of one. */
  readonly size?: number;
  readonly visibility?: "hidden" | "show" | "local";
  readonly declarator: Declarator;
  readonly declaration: Declaration;
  /** The process of a local or parameter. */
  readonly process?: ProcessSymbol;
  /** The block that a local is declared in: `process.scope` for the outermost. */
  readonly scope?: Scope;
  /** For a channel that is initialised where it is declared. */
  readonly channel?: ChannelShape;
}

/** What `[capacity] of { … }` says. */
export interface ChannelShape {
  readonly capacity: number;
  /** As declared, records whole. */
  readonly declared: readonly ValueType[];
  /** As sent: a record stands for its fields, in order, and an array field for its elements. */
  readonly fields: readonly ValueType[];
}

/** A pair of braces (or the body of a process), and the names declared directly in it. */
export interface Scope {
  readonly parent?: Scope;
  readonly span: Span;
  readonly variables: ReadonlyMap<string, VariableSymbol>;
}

export interface TypedefSymbol {
  readonly kind: "typedef";
  readonly name: string;
  readonly unit: TypedefUnit;
  /** In order. */
  readonly fields: readonly VariableSymbol[];
}

/** Numbered as in Spin: per subtype, from 1, each declaration's names in reverse. */
export interface MtypeSymbol {
  readonly kind: "mtype";
  readonly name: string;
  readonly value: number;
  readonly subtype?: string;
  readonly declared: Name;
}

export interface ProcessSymbol {
  readonly kind: "process";
  /** `init`, `never` and `trace` for those that have no name of their own. */
  readonly name: string;
  readonly unit: ProctypeUnit | InitUnit | NeverUnit | TraceUnit;
  /** How many run from the start: 0 without `active`, 1 for `init`. */
  readonly activeCount: number;
  readonly parameters: readonly VariableSymbol[];
  /** Every local of every block, in textual order, parameters aside. */
  readonly locals: readonly VariableSymbol[];
  readonly labels: readonly LabelSymbol[];
  readonly scope: Scope;
}

export interface LabelSymbol {
  readonly kind: "label";
  readonly name: string;
  readonly declared: Name;
  readonly statement: LabelledStatement;
  readonly process: ProcessSymbol;
  readonly scope: Scope;
}

export interface PredefinedSymbol {
  readonly kind: "predefined";
  readonly name: "_" | "_pid" | "_nr_pr" | "_last" | "_priority";
}

export interface CheckResult {
  readonly info: ModelInfo;
  readonly diagnostics: readonly Diagnostic[];
}

export { checkPromela } from "./check/model.js";
