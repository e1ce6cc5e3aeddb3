/** The part of the grammar that processes and compositions share: labels, sets, indices and expressions. */
import type { IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { SourceParser } from "../toolkit/source-parser.js";
import type { Expr, Index, Label, LabelPart, SetTree, Values } from "./ast.js";
import * as v from "./vocabulary.js";

/** Binary operators by precedence, weakest first. */
const LEVELS: readonly (readonly TokenType[])[] = [
  [v.Bars],
  [v.And],
  [v.Bar],
  [v.Caret],
  [v.Ampersand],
  [v.Equal, v.NotEqual],
  [v.AtMost, v.AtLeast, v.Less, v.Greater],
  [v.HighPriority, v.LowPriority],
  [v.Plus, v.Minus],
  [v.Star, v.Slash, v.Percent],
];
/** In bounds and constants, where `||` would begin the next definition. */
const SIMPLE_LEVEL = LEVELS.length - 2;

export abstract class LabelGrammar extends SourceParser {
  constructor(options: { readonly validate?: boolean }) {
    super(v.VOCABULARY, options);
  }

  protected isUpper({ tokenType }: IToken): boolean {
    return (
      tokenType === v.Upper ||
      tokenType === v.NextWord ||
      tokenType === v.UntilWord ||
      tokenType === v.WeakUntilWord
    );
  }

  protected named(token: IToken): { readonly name: string; readonly span: Span } {
    return { name: token.image, span: this.tokenOf(token)?.span ?? this.end };
  }

  protected readonly label = this.RULE("label", (): Label => {
    const first = this.LA(1);
    const parts: LabelPart[] = [];
    this.OR({
      DEF: [
        { ALT: () => parts.push(this.SUBRULE(this.part)) },
        { ALT: () => parts.push(this.SUBRULE(this.index)) },
      ],
      ERR_MSG: "an action",
    });
    this.MANY({
      GATE: () => this.LA(1).tokenType === v.OpenBracket || this.#isPartNext(),
      DEF: () =>
        this.OR2([
          { ALT: () => (this.CONSUME(v.Dot), parts.push(this.SUBRULE2(this.part))) },
          { ALT: () => parts.push(this.SUBRULE2(this.index)) },
        ]),
    });
    return { parts, span: this.spanFrom(first) };
  });

  /** A dot may also end a definition. */
  #isPartNext(): boolean {
    const next = this.LA(2);
    return (
      this.LA(1).tokenType === v.Dot &&
      (next.tokenType === v.Lower || next.tokenType === v.OpenBrace || this.isUpper(next))
    );
  }

  private readonly part = this.RULE("part", (): LabelPart =>
    this.OR<LabelPart>({
      DEF: [
        { ALT: () => ({ kind: "name", name: this.CONSUME(v.Lower).image }) },
        { ALT: () => ({ kind: "set", set: this.SUBRULE(this.set) }) },
      ],
      ERR_MSG: "an action",
    }),
  );

  protected readonly set = this.RULE("set", (): SetTree => {
    const first = this.LA(1);
    return this.OR<SetTree>({
      DEF: [
        {
          ALT: () => ({ kind: "named", name: this.CONSUME(v.Upper).image, span: this.spanFrom(first) }),
        },
        {
          ALT: () => {
            const labels: Label[] = [];
            this.CONSUME(v.OpenBrace);
            this.MANY_SEP({ SEP: v.Comma, DEF: () => labels.push(this.SUBRULE(this.label)) });
            this.CONSUME(v.CloseBrace);
            return { kind: "listed", labels, span: this.spanFrom(first) };
          },
        },
      ],
      ERR_MSG: "a set of actions",
    });
  });

  protected readonly index = this.RULE("index", (): Index => {
    const first = this.CONSUME(v.OpenBracket);
    let variable: string | undefined;
    this.OPTION({
      GATE: () => this.LA(2).tokenType === v.Colon,
      DEF: () => {
        variable = this.CONSUME(v.Lower).image;
        this.CONSUME(v.Colon);
      },
    });
    const values = this.OR<Values>({
      DEF: [
        {
          GATE: () => this.LA(1).tokenType === v.OpenBrace,
          ALT: () => ({ kind: "set", set: this.SUBRULE(this.set) }),
        },
        {
          GATE: () => this.LA(1).tokenType !== v.OpenBrace,
          ALT: () => {
            const low = this.SUBRULE(this.expression);
            let high: Expr | undefined;
            this.OPTION2(() => {
              this.CONSUME(v.Dots);
              high = this.SUBRULE2(this.expression);
            });
            return high ? { kind: "range", low, high } : { kind: "value", value: low };
          },
        },
      ],
      ERR_MSG: "an index",
    });
    this.CONSUME(v.CloseBracket);
    return { kind: "index", variable, values, span: this.spanFrom(first) };
  });

  protected readonly expression = this.RULE("expression", (): Expr => this.#climb(0));
  protected readonly simple = this.RULE("simple", (): Expr => this.#climb(SIMPLE_LEVEL));

  /** Precedence climbing, with one token of lookahead. */
  #climb(level: number): Expr {
    const operators = LEVELS[level];
    if (!operators) return this.SUBRULE(this.operand);
    const first = this.LA(1);
    let left = this.#climb(level + 1);
    // Recording visits every alternative once; the loop is not part of the grammar that it analyses.
    while (!this.RECORDING_PHASE && operators.includes(this.LA(1).tokenType)) {
      const operator = this.LA(1).image;
      this.SKIP_TOKEN();
      left = { kind: "binary", operator, left, right: this.#climb(level + 1), span: this.spanFrom(first) };
    }
    return left;
  }

  private readonly operand = this.RULE("operand", (): Expr => {
    const first = this.LA(1);
    return this.OR<Expr>({
      DEF: [
        {
          ALT: () => {
            const value = Number(this.CONSUME(v.NumberToken).image);
            return { kind: "number", value: Number.isFinite(value) ? value : 0, span: this.spanFrom(first) };
          },
        },
        { ALT: () => ({ kind: "name", name: this.CONSUME(v.Lower).image, span: this.spanFrom(first) }) },
        { ALT: () => ({ kind: "name", name: this.CONSUME(v.Upper).image, span: this.spanFrom(first) }) },
        {
          ALT: () => {
            this.CONSUME(v.Open);
            const inner = this.SUBRULE(this.expression);
            this.CONSUME(v.Close);
            return inner;
          },
        },
        {
          ALT: () => {
            const operator = this.OR2([
              { ALT: () => this.CONSUME(v.Not).image },
              { ALT: () => this.CONSUME(v.Minus).image },
              { ALT: () => this.CONSUME(v.Plus).image },
            ]);
            const of = this.SUBRULE(this.operand);
            return { kind: "unary", operator, of, span: this.spanFrom(first) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Quote);
            return { kind: "label", label: this.SUBRULE(this.label), span: this.spanFrom(first) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Hash);
            return { kind: "size", set: this.SUBRULE(this.set), span: this.spanFrom(first) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.At);
            this.CONSUME2(v.Open);
            const set = this.SUBRULE2(this.set);
            this.CONSUME(v.Comma);
            const index = this.SUBRULE2(this.expression);
            this.CONSUME2(v.Close);
            return { kind: "element", set, index, span: this.spanFrom(first) };
          },
        },
      ],
      ERR_MSG: "an expression",
    });
  });
}
