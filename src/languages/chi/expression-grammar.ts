/** Grammar of χ's types and expressions. */
import type { IRecognitionException, IToken, TokenType } from "chevrotain";
import type { ChiBinary } from "../../model/chi.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { SourceParser } from "../toolkit/source-parser.js";
import type { Named, PlaceTree, Tree, TypeTree } from "./ast.js";
import * as v from "./vocabulary.js";

/** Binary operators by precedence, weakest first; `=>` associates to the right. */
const LEVELS: readonly (readonly TokenType[])[] = [
  [v.Implies],
  [v.Or],
  [v.And],
  [v.Is, v.NotEqual, v.AtMost, v.AtLeast, v.Less, v.Greater],
  [v.Plus, v.Minus],
  [v.Star, v.Slash, v.Percent],
];

/** An operand can follow: then `*` multiplies. After the star of a process none does. */
const OPERANDS: ReadonlySet<TokenType> = new Set([
  v.Name,
  v.Ctl,
  v.Ltl,
  v.Invariant,
  v.NumberToken,
  v.True,
  v.False,
  v.Open,
  v.OpenBracket,
  v.OpenBrace,
  v.Not,
  v.Minus,
]);

export abstract class ExpressionGrammar extends SourceParser {
  protected constructor(options: { readonly validate?: boolean }) {
    super(v.VOCABULARY, options);
  }

  protected override describe(error: IRecognitionException): Diagnostic | undefined {
    const described = super.describe(error);
    return described && { ...described, code: "chi/syntax" };
  }

  protected readonly type = this.RULE("type", (): TypeTree => {
    const first = this.LA(1);
    return this.OR<TypeTree>({
      DEF: [
        { ALT: () => (this.CONSUME(v.BoolWord), { kind: "bool", span: this.spanFrom(first) }) },
        { ALT: () => this.SUBRULE(this.natType) },
        { ALT: () => this.SUBRULE(this.intType) },
        { ALT: () => this.SUBRULE(this.enumType) },
        { ALT: () => this.SUBRULE(this.arrayType) },
        { ALT: () => this.SUBRULE(this.tupleType) },
        { ALT: () => this.SUBRULE(this.listType) },
        { ALT: () => ({ kind: "name", name: this.CONSUME(v.Name).image, span: this.spanFrom(first) }) },
      ],
      ERR_MSG: "a type",
    });
  });

  private readonly natType = this.RULE("natType", (): TypeTree => {
    const first = this.CONSUME(v.NatWord);
    let most: Tree | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Open);
      most = this.SUBRULE(this.expression);
      this.CONSUME(v.Close);
    });
    return { kind: "nat", most, span: this.spanFrom(first) };
  });

  private readonly intType = this.RULE("intType", (): TypeTree => {
    const first = this.CONSUME(v.IntWord);
    this.CONSUME(v.OpenBracket);
    const low = this.SUBRULE(this.expression);
    this.CONSUME(v.Dots);
    const high = this.SUBRULE2(this.expression);
    this.CONSUME(v.CloseBracket);
    return { kind: "int", low, high, span: this.spanFrom(first) };
  });

  private readonly enumType = this.RULE("enumType", (): TypeTree => {
    const first = this.CONSUME(v.Enum);
    this.CONSUME(v.OpenBrace);
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => names.push(this.named(this.CONSUME(v.Name))) });
    this.CONSUME(v.CloseBrace);
    return { kind: "enum", names, span: this.spanFrom(first) };
  });

  private readonly arrayType = this.RULE("arrayType", (): TypeTree => {
    const first = this.CONSUME(v.OpenBracket);
    const of = this.SUBRULE(this.type);
    this.CONSUME(v.Semicolon);
    const length = this.SUBRULE(this.expression);
    this.CONSUME(v.CloseBracket);
    return { kind: "array", of, length, span: this.spanFrom(first) };
  });

  private readonly tupleType = this.RULE("tupleType", (): TypeTree => {
    const first = this.CONSUME(v.Open);
    const of: TypeTree[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => of.push(this.SUBRULE(this.type)) });
    this.CONSUME(v.Close);
    return { kind: "tuple", of, span: this.spanFrom(first) };
  });

  private readonly listType = this.RULE("listType", (): TypeTree => {
    const first = this.CONSUME(v.List);
    this.CONSUME(v.Open);
    const of = this.SUBRULE(this.type);
    this.CONSUME(v.Comma);
    const most = this.SUBRULE(this.expression);
    this.CONSUME(v.Close);
    return { kind: "list", of, most, span: this.spanFrom(first) };
  });

  protected readonly expression = this.RULE("expression", (): Tree => this.#climb(0));

  /** Precedence climbing, with one token of lookahead, two for `*`. */
  #climb(level: number): Tree {
    const operators = LEVELS[level];
    if (!operators) return this.SUBRULE(this.operand);
    const first = this.LA(1);
    let left = this.#climb(level + 1);
    // Recording visits every alternative once; the loop is not part of the grammar that it analyses.
    while (!this.RECORDING_PHASE && operators.includes(this.LA(1).tokenType) && this.#isBinary()) {
      const operator = this.LA(1).image as ChiBinary;
      this.SKIP_TOKEN();
      const right = operator === "=>" ? this.#climb(level) : this.#climb(level + 1);
      left = { kind: "binary", operator, left, right, span: this.spanFrom(first) };
    }
    return left;
  }

  #isBinary(): boolean {
    return this.LA(1).tokenType !== v.Star || OPERANDS.has(this.LA(2).tokenType);
  }

  private readonly operand = this.RULE("operand", (): Tree => {
    const first = this.LA(1);
    return this.OR<Tree>({
      DEF: [
        {
          ALT: () => ({
            kind: "number",
            text: this.CONSUME(v.NumberToken).image,
            span: this.spanFrom(first),
          }),
        },
        { ALT: () => (this.CONSUME(v.True), { kind: "truth", value: true, span: this.spanFrom(first) }) },
        { ALT: () => (this.CONSUME(v.False), { kind: "truth", value: false, span: this.spanFrom(first) }) },
        { GATE: () => this.LA(2).tokenType === v.Open, ALT: () => this.SUBRULE(this.call) },
        { GATE: () => this.LA(2).tokenType !== v.Open, ALT: () => this.SUBRULE(this.place) },
        { ALT: () => this.SUBRULE(this.composed) },
        { ALT: () => this.SUBRULE(this.parenthesised) },
        {
          ALT: () => {
            this.CONSUME(v.Not);
            const of = this.SUBRULE(this.operand);
            return { kind: "unary", operator: "not", of, span: this.spanFrom(first) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Minus);
            const of = this.SUBRULE2(this.operand);
            return { kind: "unary", operator: "-", of, span: this.spanFrom(first) };
          },
        },
      ],
      ERR_MSG: "an expression",
    });
  });

  private readonly call = this.RULE("call", (): Tree => {
    const first = this.CONSUME(v.Name);
    const of = this.SUBRULE(this.callArguments);
    return { kind: "call", name: this.named(first), of, span: this.spanFrom(first) };
  });

  protected readonly callArguments = this.RULE("callArguments", (): Tree[] => {
    const all: Tree[] = [];
    this.CONSUME(v.Open);
    this.MANY_SEP({ SEP: v.Comma, DEF: () => all.push(this.SUBRULE(this.expression)) });
    this.CONSUME(v.Close);
    return all;
  });

  private readonly composed = this.RULE("composed", (): Tree => {
    const first = this.LA(1);
    const parts: Tree[] = [];
    return this.OR<Tree>([
      {
        ALT: () => {
          this.CONSUME(v.OpenBracket);
          this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => parts.push(this.SUBRULE(this.expression)) });
          this.CONSUME(v.CloseBracket);
          return { kind: "compose", as: "array", parts, span: this.spanFrom(first) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(v.OpenBrace);
          this.MANY_SEP({ SEP: v.Comma, DEF: () => parts.push(this.SUBRULE2(this.expression)) });
          this.CONSUME(v.CloseBrace);
          return { kind: "compose", as: "list", parts, span: this.spanFrom(first) };
        },
      },
    ]);
  });

  private readonly parenthesised = this.RULE("parenthesised", (): Tree => {
    const first = this.CONSUME(v.Open);
    const parts: Tree[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => parts.push(this.SUBRULE(this.expression)) });
    this.CONSUME(v.Close);
    const [only] = parts;
    return parts.length === 1 && only
      ? only
      : { kind: "compose", as: "tuple", parts, span: this.spanFrom(first) };
  });

  protected readonly place = this.RULE("place", (): PlaceTree => {
    const first = this.CONSUME(v.Name);
    const path: PlaceTree["path"][number][] = [];
    this.MANY(() =>
      this.OR([
        {
          ALT: () => {
            this.CONSUME(v.OpenBracket);
            path.push({ kind: "index", at: this.SUBRULE(this.expression) });
            this.CONSUME(v.CloseBracket);
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Dot);
            const number = this.CONSUME(v.NumberToken);
            path.push({ kind: "field", number: number.image, span: this.named(number).span });
          },
        },
      ]),
    );
    return { kind: "place", name: this.named(first), path, span: this.spanFrom(first) };
  });

  protected override named(token: IToken): Named {
    return { name: token.image, span: this.tokenOf(token)?.span ?? this.end };
  }
}
