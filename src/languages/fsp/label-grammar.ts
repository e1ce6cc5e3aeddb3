/** The part of the grammar that processes and compositions share: labels, sets, indices and expressions. */
import type { IOrAlt, IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { ExpressionParser, type ExpressionSyntax } from "../toolkit/expression-parser.js";
import type { Expr, Index, Label, LabelPart, SetTree, Values } from "./ast.js";
import * as v from "./vocabulary.js";

const EXPRESSIONS: ExpressionSyntax = {
  levels: [
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
  ],
  prefixes: [v.Not, v.Minus, v.Plus],
  number: v.NumberToken,
  open: v.Open,
  close: v.Close,
};
/** In bounds and constants, where `||` would begin the next definition. */
const SIMPLE_LEVEL = EXPRESSIONS.levels.length - 2;

export abstract class LabelGrammar extends ExpressionParser<Expr> {
  constructor(options: { readonly validate?: boolean }) {
    super(v.VOCABULARY, EXPRESSIONS, { ...options, code: "fsp/syntax" });
  }

  protected isUpper({ tokenType }: IToken): boolean {
    return (
      tokenType === v.Upper ||
      tokenType === v.NextWord ||
      tokenType === v.UntilWord ||
      tokenType === v.WeakUntilWord
    );
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

  protected readonly simple = this.RULE("simple", (): Expr =>
    this.SUBRULE(this.expression, { ARGS: [SIMPLE_LEVEL] }),
  );

  protected override operands(first: IToken): IOrAlt<Expr>[] {
    return [
      this.numbers(first),
      { ALT: () => ({ kind: "name", name: this.CONSUME(v.Lower).image, span: this.spanFrom(first) }) },
      { ALT: () => ({ kind: "name", name: this.CONSUME(v.Upper).image, span: this.spanFrom(first) }) },
      this.parentheses(),
      ...this.prefixes(first),
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
    ];
  }

  protected override binary({ image }: IToken, left: Expr, right: Expr, span: Span): Expr {
    return { kind: "binary", operator: image, left, right, span };
  }

  protected override unary({ image }: IToken, of: Expr, span: Span): Expr {
    return { kind: "unary", operator: image, of, span };
  }

  protected override number({ image }: IToken, span: Span): Expr {
    const value = Number(image);
    return { kind: "number", value: Number.isFinite(value) ? value : 0, span };
  }
}
