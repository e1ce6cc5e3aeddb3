/** Syntax of χ, before names are resolved. */
import type { Span } from "../../model/diagnostic.js";
import type { ChiBinary } from "../../model/chi.js";

export interface Named {
  readonly name: string;
  readonly span: Span;
}

export type TypeTree = { readonly span: Span } & (
  | { readonly kind: "bool" }
  | { readonly kind: "nat"; readonly most: Tree | undefined }
  | { readonly kind: "int"; readonly low: Tree; readonly high: Tree }
  | { readonly kind: "enum"; readonly names: readonly Named[] }
  | { readonly kind: "array"; readonly of: TypeTree; readonly length: Tree }
  | { readonly kind: "tuple"; readonly of: readonly TypeTree[] }
  | { readonly kind: "list"; readonly of: TypeTree; readonly most: Tree }
  | { readonly kind: "name"; readonly name: string }
);

export type Tree = { readonly span: Span } & (
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "truth"; readonly value: boolean }
  | PlaceTree
  | { readonly kind: "unary"; readonly operator: "not" | "-"; readonly of: Tree }
  | { readonly kind: "binary"; readonly operator: ChiBinary; readonly left: Tree; readonly right: Tree }
  | { readonly kind: "compose"; readonly as: "array" | "tuple" | "list"; readonly parts: readonly Tree[] }
  | { readonly kind: "call"; readonly name: Named; readonly of: readonly Tree[] }
);

export interface PlaceTree {
  readonly kind: "place";
  readonly name: Named;
  readonly path: readonly (
    | { readonly kind: "index"; readonly at: Tree }
    | { readonly kind: "field"; readonly number: string; readonly span: Span }
  )[];
  readonly span: Span;
}

export type ProcessTree = { readonly span: Span } & (
  | { readonly kind: "eps" | "delta" | "skip" }
  | { readonly kind: "assign"; readonly to: PlaceTree; readonly value: Tree }
  | { readonly kind: "send"; readonly channel: Named; readonly value: Tree | undefined }
  | { readonly kind: "receive"; readonly channel: Named; readonly to: PlaceTree | undefined }
  | { readonly kind: "guard"; readonly when: Tree; readonly then: ProcessTree }
  | { readonly kind: "seq" | "alt" | "par"; readonly left: ProcessTree; readonly right: ProcessTree }
  | { readonly kind: "star"; readonly body: ProcessTree }
  | { readonly kind: "scope"; readonly variables: readonly VariablesTree[]; readonly body: ProcessTree }
  | { readonly kind: "encap"; readonly body: ProcessTree }
  | { readonly kind: "call"; readonly name: Named; readonly of: readonly Tree[] }
);

export interface VariablesTree {
  readonly names: readonly Named[];
  readonly type: TypeTree;
  readonly initial: Tree | undefined;
}

export interface FormalTree extends Named {
  readonly type: TypeTree;
  readonly isChannel: boolean;
}

export type Item =
  | ({ readonly kind: "const"; readonly value: Tree } & Named)
  | ({ readonly kind: "type"; readonly type: TypeTree } & Named)
  | ({ readonly kind: "var" } & VariablesTree)
  | { readonly kind: "chan"; readonly names: readonly Named[]; readonly type: TypeTree | undefined }
  | ({ readonly kind: "proc"; readonly formals: readonly FormalTree[]; readonly body: ProcessTree } & Named)
  | { readonly kind: "system"; readonly body: ProcessTree; readonly span: Span }
  | {
      readonly kind: "check";
      readonly what: "deadlock-free" | "ctl" | "ltl" | "invariant";
      /** With its quotes. */
      readonly text: Named | undefined;
      readonly span: Span;
    };

export interface Source {
  readonly items: readonly Item[];
}
