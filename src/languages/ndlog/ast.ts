/** Syntax tree of NDLog. Conditions and numbers share one tree; the lowering distinguishes them. */
import type { Span } from "../../model/diagnostic.js";
import type { Named } from "../toolkit/source-parser.js";

export type { Named };

export interface Source {
  readonly items: readonly Item[];
}

export type Item =
  | DefineTree
  | { readonly kind: "materialize" }
  | { readonly kind: "base" | "cut"; readonly names: readonly Named[] }
  | (Named & { readonly kind: "type"; readonly sorts: readonly string[] })
  | RuleTree
  | PropertyTree
  | ConstraintTree
  | { readonly kind: "annotation"; readonly atom: AtomTree; readonly condition: Tree; readonly span: Span }
  | LemmaTree;

export interface DefineTree extends Named {
  readonly kind: "define";
  readonly value: Tree;
}

export interface RuleTree {
  readonly kind: "rule";
  readonly label: Named | undefined;
  readonly deletes: boolean;
  readonly head: AtomTree;
  /** Undefined: a fact. */
  readonly body: readonly Literal[] | undefined;
  readonly span: Span;
}

export interface PropertyTree extends Named {
  readonly kind: "property" | "derivable";
  readonly forall: readonly Named[];
  readonly when: readonly Literal[];
  readonly alternatives: readonly AlternativeTree[];
}

export interface AlternativeTree {
  readonly exists: readonly Named[];
  readonly all: readonly Literal[];
  readonly span: Span;
}

export interface ConstraintTree extends Named {
  readonly kind: "constraint";
  readonly when: readonly Literal[];
  readonly then: Tree;
}

export interface LemmaTree {
  readonly kind: "lemma";
  readonly atom: AtomTree;
  readonly then: AlternativeTree;
  readonly span: Span;
}

export interface AtomTree {
  readonly kind: "atom";
  readonly name: string;
  readonly args: readonly Tree[];
  /** Position of the attribute after `@`; -1: none. */
  readonly location: number;
  readonly isNegated: boolean;
  readonly span: Span;
}

export type Literal =
  | AtomTree
  | { readonly kind: "assign"; readonly target: Named; readonly value: Tree; readonly span: Span }
  | { readonly kind: "condition"; readonly of: Tree; readonly span: Span };

export type Binary =
  "=>" | "||" | "&&" | "==" | "=" | "!=" | "<=" | ">=" | "<" | ">" | "+" | "-" | "*" | "/" | "%";

export type Tree =
  | { readonly kind: "number"; readonly value: bigint; readonly span: Span }
  | { readonly kind: "string"; readonly text: string; readonly span: Span }
  | { readonly kind: "truth"; readonly value: boolean; readonly span: Span }
  /** `_` is a variable of this name. */
  | { readonly kind: "variable"; readonly name: string; readonly span: Span }
  | { readonly kind: "aggregate"; readonly name: string; readonly of: string; readonly span: Span }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Tree[]; readonly span: Span }
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
      readonly names: readonly Named[];
      readonly body: Tree;
      readonly span: Span;
    };
