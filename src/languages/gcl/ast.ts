/** Syntax tree of guarded commands. Conditions and numbers share one tree; the lowering distinguishes them. */
import type { Span } from "../../model/diagnostic.js";
import type { Named } from "../toolkit/source-parser.js";

export type { Named };

export interface Source {
  readonly items: readonly Item[];
}

export type Item =
  | Constant
  | VariableTree
  | { readonly kind: "init"; readonly condition: Tree; readonly span: Span }
  | ProcessTree
  | TransitionTree
  | PropertyTree
  | { readonly kind: "predicates"; readonly all: readonly Tree[]; readonly span: Span };

export interface Constant extends Named {
  readonly kind: "param" | "const";
  readonly value: Tree;
}

export interface VariableTree {
  readonly kind: "var";
  readonly mode: "explicit" | "abstract" | undefined;
  readonly names: readonly (Named & { readonly range: RangeTree | undefined })[];
  readonly type: TypeTree;
  /** Undefined: `*`, or absent. */
  readonly initial: Tree | undefined;
  readonly span: Span;
}

export interface RangeTree {
  readonly low: Tree;
  readonly high: Tree;
}

export type TypeTree =
  | { readonly kind: "int" | "bool" | "pc"; readonly span: Span }
  | { readonly kind: "range"; readonly range: RangeTree; readonly span: Span };

export interface ProcessTree extends Named {
  readonly kind: "process";
  readonly index: (Named & { readonly range: RangeTree }) | undefined;
  readonly items: readonly (VariableTree | TransitionTree)[];
}

export interface TransitionTree {
  readonly kind: "transition";
  readonly label: Named | undefined;
  readonly guard: Tree;
  readonly assignments: readonly AssignTree[];
  readonly span: Span;
}

export interface AssignTree {
  readonly target: Extract<Tree, { readonly kind: "place" }>;
  readonly value: Tree | "nondet";
}

export interface PropertyTree extends Named {
  readonly kind: "safety" | "error" | "reach";
  readonly condition: Tree;
}

export type Binary = "=>" | "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "%";

export type Tree =
  | { readonly kind: "number"; readonly value: bigint; readonly span: Span }
  | { readonly kind: "truth"; readonly value: boolean; readonly span: Span }
  /** `x`, `x[i]`, `P[i].x`, `P.x`. */
  | {
      readonly kind: "place";
      readonly name: string;
      readonly index: Tree | undefined;
      readonly field: string | undefined;
      readonly span: Span;
    }
  | { readonly kind: "unary"; readonly operator: "!" | "-"; readonly of: Tree; readonly span: Span }
  | {
      readonly kind: "binary";
      readonly operator: Binary;
      readonly left: Tree;
      readonly right: Tree;
      readonly span: Span;
    }
  | {
      readonly kind: "exists" | "forall";
      readonly index: Named;
      readonly range: RangeTree;
      /** The index differs from this one. */
      readonly except: readonly [Named, Named] | undefined;
      readonly body: Tree;
      readonly span: Span;
    };
