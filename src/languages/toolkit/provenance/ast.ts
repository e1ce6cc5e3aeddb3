import type { Span } from "../../../model/diagnostic.js";

export interface Named {
  readonly text: string;
  readonly span: Span;
}

export interface PropertyNode {
  readonly kind: "property";
  readonly span: Span;
  readonly name: Named;
  readonly principal: Named;
  readonly variable: Named;
  readonly isAllowed: boolean;
  readonly policy: PolicyNode;
  readonly when: { readonly principal: Named; readonly variable: Named; readonly message: Named } | undefined;
}

export type PolicyNode =
  | { readonly kind: "words"; readonly span: Span; readonly expression: WordsNode }
  | { readonly kind: "subset"; readonly span: Span; readonly names: readonly Named[] }
  | { readonly kind: "contains"; readonly span: Span; readonly sets: readonly (readonly Named[])[] }
  | { readonly kind: "classes"; readonly span: Span; readonly names: readonly Named[] }
  | {
      readonly kind: "automaton";
      readonly span: Span;
      readonly initial: readonly Named[];
      readonly accepting: readonly Named[];
      readonly steps: readonly { readonly from: Named; readonly letter: Named; readonly to: Named }[];
    };

export type WordsNode =
  | { readonly kind: "empty" }
  | { readonly kind: "any" }
  | { readonly kind: "letters"; readonly names: readonly Named[]; readonly isNegated: boolean }
  | { readonly kind: "sequence"; readonly parts: readonly WordsNode[] }
  | { readonly kind: "choice"; readonly options: readonly WordsNode[] }
  | { readonly kind: "repeated"; readonly body: WordsNode; readonly how: "*" | "+" | "?" };

export interface DomainChoiceNode {
  readonly kind: "domain-choice";
  readonly span: Span;
  readonly name: Named;
}
