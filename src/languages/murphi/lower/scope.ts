/** Names and their meanings, by block of declaration. */
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
      /** The reason why it cannot be written. */
      readonly readOnly: string | undefined;
    }
  /** An element of the multiset with this `key`. */
  | { readonly kind: "element"; readonly slot: number; readonly multiset: MultisetType; readonly key: string }
  | { readonly kind: "procedure"; readonly index: number }
  /** Its declaration has been reported. */
  | { readonly kind: "broken" };

export interface Declared {
  readonly symbol: Symbol;
  readonly span: Span;
}

export class Scope {
  readonly #names = new Map<string, Declared>();

  constructor(readonly outer: Scope | undefined) {}

  /** Returns the conflicting declaration, if any. */
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

/** A value, or a place to be read or written. */
export type Resolved =
  | { readonly kind: "value"; readonly value: RuleExpr; readonly what: string }
  /** `readOnly`: the reason why it cannot be written. */
  | { readonly kind: "place"; readonly place: Place; readonly readOnly: string | undefined };
