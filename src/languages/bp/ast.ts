/** Syntax tree of Boolean programs. */
import type { Span } from "../../model/diagnostic.js";
import type { Named } from "../toolkit/source-parser.js";

export type { Named };

export interface Source {
  readonly variables: readonly VariableTree[];
  readonly functions: readonly FunctionTree[];
  readonly threads: readonly ThreadTree[];
}

export interface VariableTree {
  readonly names: readonly Named[];
  /** Absent: the default. */
  readonly values: readonly Initial[] | undefined;
  readonly span: Span;
}

/** `*`: either value. */
export type Initial = boolean | "*";

export interface FunctionTree extends Named {
  readonly results: number;
  readonly parameters: readonly Named[];
  readonly body: Block;
}

export interface ThreadTree extends Named {
  readonly count: number;
  /** A block, or the name of a function to run. */
  readonly body: Block | Named;
}

export interface Block {
  readonly variables: readonly VariableTree[];
  readonly statements: readonly Statement[];
  /** Closing brace or `end`. */
  readonly end: Span;
}

export interface Statement {
  readonly labels: readonly Named[];
  readonly what: Action;
  readonly span: Span;
}

export type Action =
  /** `nothing`: labels at the end of a block. */
  | { readonly kind: "nothing" | "skip" | "atomic_begin" | "atomic_end" }
  | { readonly kind: "goto"; readonly targets: readonly Named[] }
  | { readonly kind: "assume" | "assert" | "enforce"; readonly condition: Tree }
  | {
      readonly kind: "assign";
      readonly targets: readonly Named[];
      readonly values: readonly Tree[];
      readonly constraint: Tree | undefined;
    }
  | {
      readonly kind: "call";
      readonly targets: readonly Named[];
      readonly callee: Named;
      readonly args: readonly Tree[];
    }
  | { readonly kind: "return"; readonly values: readonly Tree[] }
  | { readonly kind: "dead"; readonly targets: readonly Named[] }
  | {
      readonly kind: "if";
      readonly condition: Tree;
      readonly then: Block;
      readonly otherwise: Block | undefined;
      /** `if (…)`, for traces. */
      readonly head: Span;
    }
  | { readonly kind: "while"; readonly condition: Tree; readonly body: Block; readonly head: Span }
  | { readonly kind: "atomic"; readonly body: Block };

export type Operator = "and" | "or" | "xor" | "equal" | "implies";

export type Tree =
  | { readonly kind: "constant"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "star"; readonly span: Span }
  | { readonly kind: "name"; readonly name: string; readonly isPrimed: boolean; readonly span: Span }
  | { readonly kind: "not"; readonly of: Tree; readonly span: Span }
  | {
      readonly kind: "binary";
      readonly operator: Operator;
      readonly left: Tree;
      readonly right: Tree;
      readonly span: Span;
    }
  | { readonly kind: "schoose"; readonly yes: Tree; readonly no: Tree; readonly span: Span };
