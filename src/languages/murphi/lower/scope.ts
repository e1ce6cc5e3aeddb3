/** Names and what they stand for, by the block in which they are declared. */
import type { Span } from "../../../model/diagnostic.js";
import type { MultisetType, Place, RuleExpr, RuleType, SimpleType } from "../../../model/rules.js";
import type { Name } from "../ast.js";

export type Symbol =
  | { readonly kind: "constant"; readonly type: SimpleType; readonly value: number }
  | { readonly kind: "type"; readonly type: RuleType }
  | { readonly kind: "variable"; readonly index: number; readonly type: RuleType }
  /** A slot of kind `value`, or of kind `variable` or `reference`. */
  | { readonly kind: "value"; readonly slot: number; readonly type: SimpleType; readonly what: string }
  | {
      readonly kind: "place";
      readonly slot: number;
      readonly type: RuleType;
      /** Why it cannot be written, if it cannot. */
      readonly readOnly: string | undefined;
    }
  /** Of the multiset that `key` tells from others. */
  | { readonly kind: "element"; readonly slot: number; readonly multiset: MultisetType; readonly key: string }
  | { readonly kind: "procedure"; readonly index: number }
  /** What is wrong with its declaration was said there. */
  | { readonly kind: "broken" };

export interface Declared {
  readonly symbol: Symbol;
  readonly span: Span;
}

export class Scope {
  readonly #names = new Map<string, Declared>();

  constructor(readonly outer: Scope | undefined) {}

  /** The declaration that stands in the way, if there is one. */
  declare({ text, span }: Name, symbol: Symbol): Declared | undefined {
    const known = this.#names.get(text);
    if (!known) this.#names.set(text, { symbol, span });
    return known;
  }

  replace({ text, span }: Name, symbol: Symbol): void {
    this.#names.set(text, { symbol, span });
  }

  find(name: string): Declared | undefined {
    return this.#names.get(name) ?? this.outer?.find(name);
  }

  *all(): Iterable<string> {
    yield* this.#names.keys();
    if (this.outer) yield* this.outer.all();
  }
}

export type Constant = RuleExpr & { readonly kind: "constant" };

/** A value, or a place of which it is not yet said whether it is read or written. */
export type Resolved =
  | { readonly kind: "value"; readonly value: RuleExpr; readonly what: string }
  /** `readOnly`: why it cannot be written. */
  | { readonly kind: "place"; readonly place: Place; readonly readOnly: string | undefined };
