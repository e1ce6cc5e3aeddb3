/**
 * Resolves names, checks types and rules of a parsed Promela model.
 *
 * In: the tree of `ast.ts`. Out: `ModelInfo`, with the meaning of names and types, and diagnostics. After an error the
 * maps may lack entries for nodes in error; without errors they are complete.
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

  readonly declared: ReadonlyMap<Declarator, VariableSymbol>;
  /**
   * Symbol of the first name of a reference. In the `variable` of a `RemoteVariable`, a local or parameter of that
   * proctype.
   */
  readonly variables: ReadonlyMap<VariableReference, VariableSymbol | PredefinedSymbol>;
  readonly fields: ReadonlyMap<FieldAccess, VariableSymbol>;
  readonly mtypeUses: ReadonlyMap<MtypeConstant, MtypeSymbol>;
  /** The process that `run P`, `P@label` and `P:x` refer to. */
  readonly processUses: ReadonlyMap<RunExpression | RemoteLabel | RemoteVariable, ProcessSymbol>;
  /** The label that `goto L` and `P@L` refer to. */
  readonly labelUses: ReadonlyMap<GotoStatement | RemoteLabel, LabelSymbol>;
  /** Labels of a labelled statement, in order. */
  readonly labelsAt: ReadonlyMap<LabelledStatement, readonly LabelSymbol[]>;
  readonly typeNames: ReadonlyMap<TypeName, ValueType>;
  /** Type of each expression; of a reference, the type of its last field. */
  readonly types: ReadonlyMap<Expression, ValueType>;
  /** Values of expressions that must be constant: array sizes, capacities, `active [n]`. */
  readonly constants: ReadonlyMap<Expression, number>;
  /** The kind of collection in `for (… in …)`. */
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
  readonly process?: ProcessSymbol;
  /** The block that declares a local: `process.scope` for the outermost. */
  readonly scope?: Scope;
  /** Present if the channel is initialised at its declaration. */
  readonly channel?: ChannelShape;
}

export interface ChannelShape {
  readonly capacity: number;
  /** As declared, with records whole. */
  readonly declared: readonly ValueType[];
  /** As sent: records expanded to fields, array fields to elements. */
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
  /** `init`, `never` and `trace` for anonymous units. */
  readonly name: string;
  readonly unit: ProctypeUnit | InitUnit | NeverUnit | TraceUnit;
  /** Number of initial instances: 0 without `active`, 1 for `init`. */
  readonly activeCount: number;
  readonly parameters: readonly VariableSymbol[];
  /** Locals of all blocks in textual order, without parameters. */
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
