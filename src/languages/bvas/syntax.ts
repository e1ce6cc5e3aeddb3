/** Grammar and syntax tree of branching vector addition systems. */
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { SourceParser, type Named } from "../toolkit/source-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import * as v from "./vocabulary.js";

export interface System {
  readonly name: string;
  readonly dimensions: Dimensions;
  readonly items: readonly Item[];
}

export type Dimensions =
  | { readonly kind: "count"; readonly count: string; readonly span: Span }
  | { readonly kind: "names"; readonly names: readonly Named[] };

export interface Item {
  readonly kind: "axiom" | "unary" | "binary" | "target";
  readonly vector: Vector;
  readonly span: Span;
}

export type Vector =
  | { readonly kind: "dense"; readonly entries: readonly Entry[]; readonly span: Span }
  | {
      readonly kind: "sparse";
      readonly entries: readonly (Entry & { readonly place: Named })[];
      readonly span: Span;
    };

export interface Entry {
  /** Including its sign. */
  readonly number: string;
  readonly span: Span;
}

class BvasGrammar extends SourceParser {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, { ...options, code: "bvas/syntax" });
    this.performSelfAnalysis();
  }

  parseSystem(tokens: readonly SourceToken[], end: Span, report: Report): System | undefined {
    return this.parseWith(this.system, tokens, end, report) as System | undefined;
  }

  private readonly system = this.RULE("system", (): System => {
    this.CONSUME(v.BvasWord);
    const name = this.CONSUME(v.Name).image;
    this.CONSUME(v.OpenBrace);
    const dimensions = this.SUBRULE(this.dimensions);
    const items: Item[] = [];
    this.MANY(() => {
      const item = this.attempt(
        () => this.SUBRULE(this.item),
        () => this.#toNextItem(),
      );
      if (item) items.push(item);
    });
    this.CONSUME(v.CloseBrace);
    return { name, dimensions, items };
  });

  private readonly dimensions = this.RULE("dimensions", (): Dimensions =>
    this.OR({
      DEF: [
        {
          ALT: (): Dimensions => {
            this.CONSUME(v.Dim);
            const count = this.CONSUME(v.NumberToken);
            this.CONSUME(v.Semicolon);
            return { kind: "count", count: count.image, span: this.named(count).span };
          },
        },
        {
          ALT: (): Dimensions => {
            const names: Named[] = [];
            this.CONSUME(v.Places);
            this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => names.push(this.named(this.CONSUME(v.Name))) });
            this.CONSUME2(v.Semicolon);
            return { kind: "names", names };
          },
        },
      ],
      ERR_MSG: "`dim` or `places`",
    }),
  );

  private readonly item = this.RULE("item", (): Item => {
    const first = this.LA(1);
    const kind = this.OR<Item["kind"]>({
      DEF: [
        { ALT: () => (this.CONSUME(v.Axiom), "axiom") },
        { ALT: () => (this.CONSUME(v.Unary), "unary") },
        { ALT: () => (this.CONSUME(v.Binary), "binary") },
        { ALT: () => (this.CONSUME(v.Target), "target") },
      ],
      ERR_MSG: "`axiom`, `unary`, `binary` or `target`",
    });
    const vector = this.SUBRULE(this.vector);
    this.CONSUME(v.Semicolon);
    return { kind, vector, span: this.spanFrom(first) };
  });

  private readonly vector = this.RULE("vector", (): Vector => {
    const first = this.LA(1);
    return this.OR({
      DEF: [
        {
          ALT: (): Vector => {
            const entries: Entry[] = [];
            this.CONSUME(v.OpenParen);
            this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => entries.push(this.SUBRULE(this.entry)) });
            this.CONSUME(v.CloseParen);
            return { kind: "dense", entries, span: this.spanFrom(first) };
          },
        },
        {
          ALT: (): Vector => {
            const entries: (Entry & { readonly place: Named })[] = [];
            this.CONSUME(v.OpenBrace);
            this.MANY_SEP({
              SEP: v.Comma,
              DEF: () => {
                const place = this.named(this.CONSUME(v.Name));
                this.CONSUME(v.Colon);
                entries.push({ ...this.SUBRULE2(this.entry), place });
              },
            });
            this.CONSUME(v.CloseBrace);
            return { kind: "sparse", entries, span: this.spanFrom(first) };
          },
        },
      ],
      ERR_MSG: "a vector such as (1, 0) or { p: 1 }",
    });
  });

  private readonly entry = this.RULE("entry", (): Entry => {
    const first = this.LA(1);
    let sign = "";
    this.OPTION(() =>
      this.OR([{ ALT: () => (this.CONSUME(v.Minus), (sign = "-")) }, { ALT: () => this.CONSUME(v.Plus) }]),
    );
    const { image } = this.CONSUME(v.NumberToken);
    return { number: sign + image, span: this.spanFrom(first) };
  });

  #toNextItem(): void {
    this.skipWhile(({ tokenType }) => tokenType !== v.Semicolon);
    if (this.LA(1).tokenType === v.Semicolon) this.SKIP_TOKEN();
  }
}

let shared: BvasGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): BvasGrammar => (shared ??= new BvasGrammar());
