/** Types and expressions: grammar rules for operands, `fold.ts` for operators. */
import type { IToken, TokenType } from "chevrotain";
import { SourceParser } from "../toolkit/source-parser.js";
import type {
  Actual,
  BinaryOperator,
  Designator,
  DesignatorStep,
  Expression,
  Name,
  Quantifier,
  TypeExpression,
} from "./ast.js";
import { EXPRESSIONS, foldPieces, type Piece } from "./fold.js";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";

export abstract class ExpressionGrammar extends SourceParser {
  protected readonly expression = this.RULE("expression", (): Expression => {
    const first = this.LA(1);
    const condition = this.SUBRULE(this.simpleExpression);
    const branches = this.OPTION(() => {
      this.CONSUME(v.Query);
      const then = this.SUBRULE2(this.simpleExpression);
      this.CONSUME(v.Colon);
      const otherwise = this.SUBRULE3(this.simpleExpression);
      return { then, otherwise };
    });
    return this.ACTION(() =>
      branches ? { kind: "conditional", condition, ...branches, span: this.spanFrom(first) } : condition,
    );
  });

  /** Expressions that bind tighter than `? :`. */
  private readonly simpleExpression = this.RULE("simpleExpression", (): Expression => {
    const pieces: Piece[] = [];
    this.SUBRULE(this.operand, { ARGS: [pieces] });
    this.MANY(() => {
      const { image, span } = this.CONSUME(v.BinaryOperatorToken) as Token;
      this.ACTION(() =>
        pieces.push({ kind: "binary", op: SPELLINGS.get(image) ?? (image as BinaryOperator), span }),
      );
      this.SUBRULE2(this.operand, { ARGS: [pieces] });
    });
    return this.ACTION(() => foldPieces(pieces, EXPRESSIONS, (problem) => this.report(problem)));
  });

  private readonly operand = this.RULE("operand", (pieces: Piece[]): void => {
    this.MANY(() => {
      const { image, span } = this.CONSUME(v.PrefixOperator) as Token;
      this.ACTION(() =>
        pieces.push({ kind: "prefix", op: PREFIX_SPELLINGS.get(image) ?? (image as "!"), span }),
      );
    });
    const expression = this.SUBRULE(this.primary);
    this.ACTION(() => pieces.push({ kind: "operand", expression }));
  });

  private readonly primary = this.RULE("primary", (): Expression =>
    this.OR<Expression>({
      DEF: [{ ALT: () => this.SUBRULE(this.parenthesised) }, { ALT: () => this.SUBRULE(this.atom) }],
      ERR_MSG: "an expression",
    }),
  );

  protected readonly atom = this.RULE("atom", (): Expression =>
    this.OR<Expression>({
      DEF: [
        { ALT: () => this.SUBRULE(this.literal) },
        { ALT: () => this.SUBRULE(this.quantified) },
        { ALT: () => this.SUBRULE(this.isUndefined) },
        { ALT: () => this.SUBRULE(this.isMember) },
        { ALT: () => this.SUBRULE(this.multisetCount) },
        { GATE: () => this.LA(2).tokenType === v.LeftParen, ALT: () => this.SUBRULE(this.call) },
        { ALT: () => this.SUBRULE(this.designator) },
      ],
      ERR_MSG: "an expression",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly parenthesised = this.RULE("parenthesised", (): Expression => {
    const first = this.CONSUME(v.LeftParen);
    const inner = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ ...inner, span: this.spanFrom(first) }));
  });

  private readonly literal = this.RULE("literal", (): Expression => {
    const token = this.OR([
      { ALT: () => this.CONSUME(v.NumberToken) },
      { ALT: () => this.CONSUME(v.TrueWord) },
      { ALT: () => this.CONSUME(v.FalseWord) },
    ]) as Token;
    return this.ACTION(() => {
      const { span } = token;
      if (token.tokenType !== v.NumberToken)
        return { kind: "boolean", value: token.tokenType === v.TrueWord, span };
      const value = Number(token.image);
      // The lexer has reported invalid numbers.
      const isOctal = /^0\d/.test(token.image);
      return { kind: "number", value: Number.isSafeInteger(value) ? value : 0, isOctal, span };
    });
  });

  private readonly quantified = this.RULE("quantified", (): Expression => {
    const first = this.LA(1);
    const isForall = this.OR([
      { ALT: () => (this.CONSUME(v.Forall), true) },
      { ALT: () => (this.CONSUME(v.Exists), false) },
    ]);
    const quantifiers = this.SUBRULE(this.quantifiers);
    this.SUBRULE(this.doWord);
    const body = this.SUBRULE(this.expression);
    this.OR2([
      { ALT: () => this.CONSUME(v.EndAny) },
      { ALT: () => this.CONSUME(v.EndForall) },
      { ALT: () => this.CONSUME(v.EndExists) },
    ]);
    return this.ACTION(() => ({
      kind: "quantified",
      op: isForall ? "forall" : "exists",
      quantifiers,
      body,
      span: this.spanFrom(first),
    }));
  });

  protected readonly doWord = this.RULE("doWord", (): void => {
    this.OR({
      DEF: [{ ALT: () => this.CONSUME(v.Do) }, { ALT: () => this.CONSUME(v.Colon) }],
      ERR_MSG: "`do`",
    });
  });

  protected readonly quantifiers = this.RULE("quantifiers", (): Quantifier[] => {
    const quantifiers = [this.SUBRULE(this.quantifier)];
    this.MANY(() => {
      this.CONSUME(v.Semicolon);
      this.OPTION({
        GATE: () => this.LA(1).tokenType !== v.Do,
        DEF: () => quantifiers.push(this.SUBRULE2(this.quantifier)),
      });
    });
    return quantifiers;
  });

  private readonly quantifier = this.RULE("quantifier", (): Quantifier => {
    const first = this.LA(1);
    const name = this.SUBRULE(this.name);
    return this.OR<Quantifier>([
      {
        ALT: () => {
          this.CONSUME(v.Colon);
          const type = this.SUBRULE(this.type);
          return this.ACTION((): Quantifier => ({ kind: "over", name, type, span: this.spanFrom(first) }));
        },
      },
      {
        ALT: () => {
          this.CONSUME(v.Becomes);
          const from = this.SUBRULE(this.expression);
          this.CONSUME(v.To);
          const to = this.SUBRULE2(this.expression);
          const by = this.OPTION(() => {
            this.CONSUME(v.By);
            return this.SUBRULE3(this.expression);
          });
          return this.ACTION((): Quantifier => ({
            kind: "steps",
            name,
            from,
            to,
            by,
            span: this.spanFrom(first),
          }));
        },
      },
    ]);
  });

  private readonly isUndefined = this.RULE("isUndefined", (): Expression => {
    const first = this.CONSUME(v.IsUndefined);
    this.CONSUME(v.LeftParen);
    const operand = this.SUBRULE(this.designator);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "isundefined", operand, span: this.spanFrom(first) }));
  });

  private readonly isMember = this.RULE("isMember", (): Expression => {
    const first = this.CONSUME(v.IsMember);
    this.CONSUME(v.LeftParen);
    const operand = this.SUBRULE(this.designator);
    this.CONSUME(v.Comma);
    const type = this.SUBRULE(this.type);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "ismember", operand, type, span: this.spanFrom(first) }));
  });

  private readonly multisetCount = this.RULE("multisetCount", (): Expression => {
    const first = this.CONSUME(v.MultisetCount);
    const elements = this.SUBRULE(this.elementsWhere);
    return this.ACTION(() => ({ kind: "multisetcount", ...elements, span: this.spanFrom(first) }));
  });

  /** `(x: multiset, condition)` */
  protected readonly elementsWhere = this.RULE("elementsWhere", (): ElementsWhere => {
    this.CONSUME(v.LeftParen);
    const name = this.SUBRULE(this.name);
    this.CONSUME(v.Colon);
    const multiset = this.SUBRULE(this.designator);
    this.CONSUME(v.Comma);
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    return { name, multiset, condition };
  });

  protected readonly call = this.RULE("call", (): Expression & { kind: "call" } => {
    const first = this.LA(1);
    const name = this.SUBRULE(this.name);
    this.CONSUME(v.LeftParen);
    const actuals: Actual[] = [];
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        // A trailing comma is allowed.
        this.OPTION({
          GATE: () => this.LA(1).tokenType !== v.RightParen,
          DEF: () => actuals.push(this.SUBRULE(this.actual)),
        });
      },
    });
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "call", name, arguments: actuals, span: this.spanFrom(first) }));
  });

  protected readonly actual = this.RULE("actual", (): Actual =>
    this.OR<Actual>({
      DEF: [
        {
          ALT: () => {
            const token = this.CONSUME(v.Undefined) as Token;
            return this.ACTION((): Actual => ({ kind: "undefined", span: token.span }));
          },
        },
        { ALT: () => this.SUBRULE(this.expression) },
      ],
      ERR_MSG: "an expression",
    }),
  );

  protected readonly designator = this.RULE("designator", (): Designator => {
    const first = this.LA(1);
    const name = this.SUBRULE(this.name);
    const path: DesignatorStep[] = [];
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(v.Dot);
            const field = this.SUBRULE2(this.name);
            this.ACTION(() => path.push({ kind: "field", name: field }));
          },
        },
        {
          ALT: () => {
            const open = this.CONSUME(v.LeftBracket);
            const index = this.SUBRULE(this.expression);
            this.CONSUME(v.RightBracket);
            this.ACTION(() => path.push({ kind: "index", index, span: this.spanFrom(open) }));
          },
        },
      ]);
    });
    return this.ACTION(() => ({ kind: "designator", name, path, span: this.spanFrom(first) }));
  });

  protected readonly name = this.RULE("name", (): Name => {
    const token = this.CONSUME(v.Identifier) as Token;
    return this.ACTION(() => ({ text: token.image, span: token.span }));
  });

  // ---- types ------------------------------------------------------------------------------------

  protected readonly names = this.RULE("names", (): Name[] => {
    const names = [this.SUBRULE(this.name)];
    this.MANY(() => {
      this.CONSUME(v.Comma);
      this.OPTION(() => names.push(this.SUBRULE2(this.name)));
    });
    return names;
  });

  protected readonly type = this.RULE("type", (): TypeExpression =>
    this.OR<TypeExpression>({
      DEF: [
        { ALT: () => this.SUBRULE(this.booleanType) },
        { ALT: () => this.SUBRULE(this.enumType) },
        { ALT: () => this.SUBRULE(this.recordType) },
        { ALT: () => this.SUBRULE(this.arrayType) },
        { ALT: () => this.SUBRULE(this.scalarsetType) },
        { ALT: () => this.SUBRULE(this.unionType) },
        { ALT: () => this.SUBRULE(this.multisetType) },
        { GATE: () => this.isTypeName(), ALT: () => this.SUBRULE(this.namedType) },
        { ALT: () => this.SUBRULE(this.rangeType) },
      ],
      ERR_MSG: "a type",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  /** Whether the next token is a type's name; before an operator it begins the lower bound of a range. */
  private isTypeName(): boolean {
    if (this.LA(1).tokenType !== v.Identifier) return false;
    const next = this.LA(2);
    return next.tokenType !== v.DotDot && next.tokenType !== v.LeftParen && !isA(next, v.BinaryOperatorToken);
  }

  private readonly booleanType = this.RULE("booleanType", (): TypeExpression => {
    const token = this.CONSUME(v.BooleanWord) as Token;
    return this.ACTION(() => ({ kind: "boolean", span: token.span }));
  });

  private readonly namedType = this.RULE("namedType", (): TypeExpression => {
    const name = this.SUBRULE(this.name);
    return this.ACTION(() => ({ kind: "named", name, span: name.span }));
  });

  private readonly rangeType = this.RULE("rangeType", (): TypeExpression => {
    const first = this.LA(1);
    const low = this.SUBRULE(this.expression);
    this.CONSUME(v.DotDot);
    const high = this.SUBRULE2(this.expression);
    return this.ACTION(() => ({ kind: "range", low, high, span: this.spanFrom(first) }));
  });

  private readonly enumType = this.RULE("enumType", (): TypeExpression => {
    const first = this.CONSUME(v.EnumWord);
    this.CONSUME(v.LeftBrace);
    const members = this.SUBRULE(this.names);
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "enum", members, span: this.spanFrom(first) }));
  });

  private readonly recordType = this.RULE("recordType", (): TypeExpression => {
    const first = this.CONSUME(v.RecordWord);
    const fields: { names: Name[]; type: TypeExpression }[] = [];
    this.MANY(() => {
      const names = this.SUBRULE(this.names);
      this.CONSUME(v.Colon);
      const type = this.SUBRULE(this.type);
      this.SUBRULE(this.semicolons);
      fields.push({ names, type });
    });
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndRecord) }]);
    return this.ACTION(() => ({ kind: "record", fields, span: this.spanFrom(first) }));
  });

  private readonly arrayType = this.RULE("arrayType", (): TypeExpression => {
    const first = this.CONSUME(v.ArrayWord);
    this.CONSUME(v.LeftBracket);
    const index = this.SUBRULE(this.type);
    this.CONSUME(v.RightBracket);
    this.CONSUME(v.Of);
    const element = this.SUBRULE2(this.type);
    return this.ACTION(() => ({ kind: "array", index, element, span: this.spanFrom(first) }));
  });

  private readonly scalarsetType = this.RULE("scalarsetType", (): TypeExpression => {
    const first = this.CONSUME(v.ScalarsetWord);
    this.CONSUME(v.LeftParen);
    const size = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "scalarset", size, span: this.spanFrom(first) }));
  });

  private readonly unionType = this.RULE("unionType", (): TypeExpression => {
    const first = this.CONSUME(v.Union);
    this.CONSUME(v.LeftBrace);
    const members: TypeExpression[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => members.push(this.SUBRULE(this.type)) });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "union", members, span: this.spanFrom(first) }));
  });

  private readonly multisetType = this.RULE("multisetType", (): TypeExpression => {
    const first = this.CONSUME(v.Multiset);
    this.CONSUME(v.LeftBracket);
    const bound = this.SUBRULE(this.expression);
    this.CONSUME(v.RightBracket);
    this.CONSUME(v.Of);
    const element = this.SUBRULE(this.type);
    return this.ACTION(() => ({ kind: "multiset", bound, element, span: this.spanFrom(first) }));
  });

  protected readonly semicolons = this.RULE("semicolons", (): void => {
    this.MANY(() => this.CONSUME(v.Semicolon));
  });
}

export type ElementsWhere = Pick<
  Extract<Expression, { kind: "multisetcount" }>,
  "name" | "multiset" | "condition"
>;

export function isA(token: IToken, type: TokenType): boolean {
  return token.tokenType === type || (token.tokenType?.CATEGORIES ?? []).includes(type);
}

export const SPELLINGS: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ["→", "->"],
  ["∨", "||"],
  ["∧", "&&"],
  ["==", "="],
  ["≠", "!="],
  ["≤", "<="],
  ["≥", ">="],
  ["−", "-"],
  ["×", "*"],
  ["÷", "/"],
]);

export const PREFIX_SPELLINGS: ReadonlyMap<string, "!" | "-"> = new Map([
  ["¬", "!"],
  ["−", "-"],
]);
