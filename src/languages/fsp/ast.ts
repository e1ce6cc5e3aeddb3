/** The syntax tree of FSP. */
import type { Span } from "../../model/diagnostic.js";

export interface Source {
  readonly items: readonly Item[];
}

export type Item =
  ConstTree | RangeItem | SetItem | ProgressTree | ProcessTree | CompositeTree | FluentTree | AssertTree;

export interface ConstTree {
  readonly kind: "const";
  readonly name: string;
  readonly value: Expr;
  readonly span: Span;
}

export interface RangeItem {
  readonly kind: "range";
  readonly name: string;
  readonly low: Expr;
  readonly high: Expr;
  readonly span: Span;
}

/** `menu` is for animation; a set like others here. */
export interface SetItem {
  readonly kind: "set" | "menu";
  readonly name: string;
  readonly set: SetTree;
  readonly span: Span;
}

export interface ProgressTree {
  readonly kind: "progress";
  readonly name: string;
  readonly indices: readonly Index[];
  readonly premise: SetTree | undefined;
  readonly set: SetTree;
  readonly span: Span;
}

/** `fluent NAME = <on, off> initially …`: true from an action of `on` up to one of `off`. */
export interface FluentTree {
  readonly kind: "fluent";
  readonly name: string;
  readonly indices: readonly Index[];
  readonly on: SetTree;
  readonly off: SetTree;
  readonly initially: Expr | undefined;
  readonly span: Span;
}

export interface AssertTree {
  readonly kind: "assert";
  readonly name: string;
  readonly indices: readonly Index[];
  readonly formula: FormulaTree;
  readonly span: Span;
}

export type FormulaTree =
  | { readonly kind: "not" | "next" | "always" | "eventually"; readonly of: FormulaTree }
  | {
      readonly kind: "and" | "or" | "implies" | "equivalent" | "until" | "weak-until";
      readonly left: FormulaTree;
      readonly right: FormulaTree;
    }
  | { readonly kind: "forall" | "exists"; readonly indices: readonly Index[]; readonly of: FormulaTree }
  | { readonly kind: "rigid"; readonly condition: Expr }
  /** A fluent, an assertion, an action or a set of actions. */
  | { readonly kind: "atom"; readonly label: Label };

export interface ProcessTree {
  readonly kind: "process";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly modifier: Modifier | undefined;
  readonly isProperty: boolean;
  readonly locals: readonly LocalDefinition[];
  readonly extension: SetTree | undefined;
  readonly changes: readonly Change[];
  readonly span: Span;
}

export type Modifier = "minimal" | "deterministic";

export interface Parameter {
  readonly name: string;
  readonly value: Expr;
  readonly span: Span;
}

/** The first has the name of the process. */
export interface LocalDefinition {
  readonly name: string;
  readonly indices: readonly Index[];
  readonly body: Local;
  readonly span: Span;
}

export type Local =
  | { readonly kind: "stop" | "error" | "end"; readonly span: Span }
  | ReferenceTree
  | { readonly kind: "sequence"; readonly first: ReferenceTree; readonly then: Local; readonly span: Span }
  | { readonly kind: "choice"; readonly branches: readonly Branch[]; readonly span: Span }
  | {
      readonly kind: "if";
      readonly condition: Expr;
      readonly then: Local;
      readonly otherwise: Local | undefined;
      readonly span: Span;
    };

export interface ReferenceTree {
  readonly kind: "reference";
  readonly name: string;
  readonly indices: readonly Expr[];
  readonly args: readonly Expr[] | undefined;
  readonly span: Span;
}

export interface Branch {
  readonly guard: Expr | undefined;
  /** At least one. */
  readonly actions: readonly Label[];
  readonly then: Local;
}

/** Parts are joined by dots; it stands for several names if it has ranges or sets. */
export interface Label {
  readonly parts: readonly LabelPart[];
  readonly span: Span;
}

export type LabelPart =
  { readonly kind: "name"; readonly name: string } | { readonly kind: "set"; readonly set: SetTree } | Index;

export interface Index {
  readonly kind: "index";
  readonly variable: string | undefined;
  readonly values: Values;
  readonly span: Span;
}

export type Values =
  | { readonly kind: "value"; readonly value: Expr }
  | { readonly kind: "range"; readonly low: Expr; readonly high: Expr }
  | { readonly kind: "set"; readonly set: SetTree };

export type SetTree =
  | { readonly kind: "named"; readonly name: string; readonly span: Span }
  | { readonly kind: "listed"; readonly labels: readonly Label[]; readonly span: Span };

/** In the order in which they are applied. */
export type Change =
  | { readonly kind: "relabel"; readonly pairs: readonly RelabelTree[] }
  | { readonly kind: "hide" | "keep" | "high" | "low"; readonly set: SetTree };

export type RelabelTree =
  | { readonly kind: "pair"; readonly to: Label; readonly from: Label }
  | { readonly kind: "forall"; readonly indices: readonly Index[]; readonly pairs: readonly RelabelTree[] };

export interface CompositeTree {
  readonly kind: "composite";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly modifier: Modifier | undefined;
  readonly isProperty: boolean;
  readonly body: Composition;
  readonly span: Span;
}

export type Composition =
  | {
      readonly kind: "instance";
      /** `{a, b}::`: each action becomes one for every label. */
      readonly sharing: Label | undefined;
      /** `a:`: an instance for every label. */
      readonly prefix: Label | undefined;
      readonly of: ReferenceTree | Composition;
      readonly changes: readonly Change[];
      readonly span: Span;
    }
  | { readonly kind: "parallel"; readonly parts: readonly Composition[]; readonly span: Span }
  | {
      readonly kind: "forall";
      readonly indices: readonly Index[];
      readonly body: Composition;
      readonly span: Span;
    }
  | {
      readonly kind: "if";
      readonly condition: Expr;
      readonly then: Composition;
      readonly otherwise: Composition | undefined;
      readonly span: Span;
    };

export type Expr =
  | { readonly kind: "number"; readonly value: number; readonly span: Span }
  | { readonly kind: "name"; readonly name: string; readonly span: Span }
  | { readonly kind: "label"; readonly label: Label; readonly span: Span }
  | { readonly kind: "size"; readonly set: SetTree; readonly span: Span }
  | { readonly kind: "element"; readonly set: SetTree; readonly index: Expr; readonly span: Span }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expr; readonly span: Span }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expr;
      readonly right: Expr;
      readonly span: Span;
    };
