/** Grammar of names, numbers, types, templates and expressions. */
import type { IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import { SourceParser } from "../toolkit/source-parser.js";
import { mergeSpans, type SourceToken } from "../toolkit/source-token.js";
import type * as ast from "./ast.js";
import { PRECEDENCE } from "./precedence.js";
import * as v from "./vocabulary.js";

export abstract class ExpressionGrammar extends SourceParser {
  protected readonly names = this.RULE("names", (): ast.Name[] => {
    const names: ast.Name[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => names.push(nameOf(this.CONSUME(v.Identifier))) });
    return names;
  });

  protected readonly range = this.RULE("range", (): ast.PortRange => {
    const first = this.CONSUME(v.Integer);
    this.CONSUME(v.DotDot);
    const last = this.CONSUME2(v.Integer);
    return this.ACTION(() => ({ low: numberOf(first), high: numberOf(last), span: this.spanFrom(first) }));
  });

  protected readonly endpoint = this.RULE("endpoint", (): ast.EndpointName => {
    const node = this.CONSUME(v.Identifier);
    this.CONSUME(v.Colon);
    const port = numberOf(this.CONSUME(v.Integer));
    return this.ACTION(() => ({ node: nameOf(node), port, span: this.spanFrom(node) }));
  });

  protected readonly template = this.RULE("template", (): ast.Template => {
    const fields: { name: ast.Name; value: ast.Expression | "any" }[] = [];
    const first = this.CONSUME(v.LeftBrace);
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        const name = nameOf(this.CONSUME(v.Identifier));
        this.CONSUME(v.Colon);
        const value = this.OR<ast.Expression | "any">([
          {
            ALT: () => {
              this.CONSUME(v.Any);
              return "any";
            },
          },
          { ALT: () => this.SUBRULE(this.expression) },
        ]);
        fields.push({ name, value });
      },
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ fields, span: this.spanFrom(first) }));
  });

  protected readonly type = this.RULE("type", (): ast.TypeExpression =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.simpleType) },
        { ALT: () => this.SUBRULE(this.rangeType) },
        { ALT: () => this.SUBRULE(this.enumType) },
        { ALT: () => this.SUBRULE(this.setType) },
        { ALT: () => this.SUBRULE(this.mapType) },
        {
          GATE: () => ![v.Port, v.Set, v.MapWord].includes(this.LA(1).tokenType),
          ALT: () => {
            const name = this.CONSUME(v.Identifier);
            return this.ACTION(() => ({ kind: "named", name: nameOf(name), span: nameOf(name).span }));
          },
        },
      ],
      ERR_MSG: "a type",
    }),
  );

  private readonly simpleType = this.RULE("simpleType", (): ast.TypeExpression => {
    const token = this.OR([
      { ALT: () => this.CONSUME(v.Bool) },
      { ALT: () => this.CONSUME(v.Client) },
      { ALT: () => this.CONSUME(v.Switch) },
      { ALT: () => this.CONSUME(v.Port) },
    ]);
    return this.ACTION(() => ({
      kind: token.image as "bool" | "client" | "switch" | "port",
      span: (token as SourceToken).span,
    }));
  });

  private readonly rangeType = this.RULE("rangeType", (): ast.TypeExpression => {
    const range = this.SUBRULE(this.range);
    return { kind: "range", ...range };
  });

  private readonly enumType = this.RULE("enumType", (): ast.TypeExpression => {
    const first = this.CONSUME(v.Enum);
    this.CONSUME(v.LeftBrace);
    const values = this.SUBRULE(this.names);
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "enum", values, span: this.spanFrom(first) }));
  });

  private readonly setType = this.RULE("setType", (): ast.TypeExpression => {
    const first = this.CONSUME(v.Set);
    this.CONSUME(v.Of);
    const of = this.SUBRULE(this.type);
    return this.ACTION(() => ({ kind: "set", of, span: this.spanFrom(first) }));
  });

  private readonly mapType = this.RULE("mapType", (): ast.TypeExpression => {
    const first = this.CONSUME(v.MapWord);
    const keys: ast.TypeExpression[] = [];
    this.CONSUME(v.LeftBracket);
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => keys.push(this.SUBRULE(this.type)) });
    this.CONSUME(v.RightBracket);
    this.CONSUME(v.Of);
    const of = this.SUBRULE2(this.type);
    return this.ACTION(() => ({ kind: "map", keys, of, span: this.spanFrom(first) }));
  });

  protected readonly expressions = this.RULE("expressions", (): ast.Expression[] => {
    const all: ast.Expression[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => all.push(this.SUBRULE(this.expression)) });
    return all;
  });

  protected readonly expression = this.RULE("expression", (): ast.Expression => {
    const operands: ast.Expression[] = [];
    const operators: ast.BinaryOperator[] = [];
    operands.push(this.SUBRULE(this.unary));
    this.MANY(() => {
      operators.push(this.CONSUME(v.Operator).image as ast.BinaryOperator);
      operands.push(this.SUBRULE2(this.unary));
    });
    return this.ACTION(() => fold(operands, operators));
  });

  private readonly unary = this.RULE("unary", (): ast.Expression => {
    const nots: IToken[] = [];
    this.MANY(() => nots.push(this.CONSUME(v.Not)));
    const operand = this.SUBRULE(this.postfix);
    return this.ACTION(() =>
      nots.reduceRight<ast.Expression>(
        (of, not) => ({ kind: "not", of, span: mergeSpans(nameOf(not).span, of.span) }),
        operand,
      ),
    );
  });

  protected readonly postfix = this.RULE("postfix", (): ast.Expression => {
    let of = this.SUBRULE(this.primary);
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(v.Dot);
            const name = this.CONSUME(v.Identifier);
            this.ACTION(() => {
              of = { kind: "member", of, name: nameOf(name), span: mergeSpans(of.span, nameOf(name).span) };
            });
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.LeftBracket);
            const indices = this.SUBRULE(this.expressions);
            const last = this.CONSUME(v.RightBracket);
            this.ACTION(() => {
              of = { kind: "index", of, indices, span: mergeSpans(of.span, nameOf(last).span) };
            });
          },
        },
      ]);
    });
    return of;
  });

  private readonly primary = this.RULE("primary", (): ast.Expression =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.literal) },
        { ALT: () => this.SUBRULE(this.nameOrCall) },
        { ALT: () => this.SUBRULE(this.list) },
        {
          ALT: () => {
            this.CONSUME(v.LeftParen);
            const inner = this.SUBRULE(this.expression);
            this.CONSUME(v.RightParen);
            return inner;
          },
        },
        { ALT: () => this.SUBRULE(this.conditional) },
        { ALT: () => this.SUBRULE(this.rule) },
        { ALT: () => this.SUBRULE(this.quantifier) },
      ],
      ERR_MSG: "an expression",
    }),
  );

  private readonly literal = this.RULE("literal", (): ast.Expression => {
    const token = this.OR([
      { ALT: () => this.CONSUME(v.Integer) },
      { ALT: () => this.CONSUME(v.True) },
      { ALT: () => this.CONSUME(v.False) },
      { ALT: () => this.CONSUME(v.None) },
    ]);
    return this.ACTION((): ast.Expression => {
      const { span } = nameOf(token);
      if (token.tokenType === v.None) return { kind: "none", span };
      if (token.tokenType === v.Integer) return { kind: "int", value: numberOf(token), span };
      return { kind: "bool", value: token.tokenType === v.True, span };
    });
  });

  private readonly nameOrCall = this.RULE("nameOrCall", (): ast.Expression => {
    const name = this.CONSUME(v.Identifier);
    const given = this.OPTION(() => {
      const all: ast.Expression[] = [];
      this.CONSUME(v.LeftParen);
      this.MANY_SEP({ SEP: v.Comma, DEF: () => all.push(this.SUBRULE(this.expression)) });
      this.CONSUME(v.RightParen);
      return all;
    });
    return this.ACTION(() =>
      given
        ? { kind: "call", name: nameOf(name), arguments: given, span: this.spanFrom(name) }
        : { kind: "name", name: nameOf(name), span: nameOf(name).span },
    );
  });

  private readonly list = this.RULE("list", (): ast.Expression => {
    const items: ast.Expression[] = [];
    const first = this.CONSUME(v.LeftBracket);
    this.MANY_SEP({ SEP: v.Comma, DEF: () => items.push(this.SUBRULE(this.expression)) });
    this.CONSUME(v.RightBracket);
    return this.ACTION(() => ({ kind: "list", items, span: this.spanFrom(first) }));
  });

  private readonly conditional = this.RULE("conditional", (): ast.Expression => {
    const first = this.CONSUME(v.If);
    this.CONSUME(v.LeftParen);
    const test = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    const then = this.SUBRULE2(this.expression);
    this.CONSUME(v.Else);
    const otherwise = this.SUBRULE3(this.expression);
    return this.ACTION(() => ({ kind: "conditional", test, then, otherwise, span: this.spanFrom(first) }));
  });

  private readonly rule = this.RULE("rule", (): ast.RuleExpression => {
    const first = this.CONSUME(v.Rule);
    const pattern: { name: ast.Name; value: ast.Expression }[] = [];
    this.CONSUME(v.LeftParen);
    const priority = this.SUBRULE(this.expression);
    this.CONSUME(v.Comma);
    this.CONSUME(v.LeftBrace);
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        const name = nameOf(this.CONSUME(v.Identifier));
        this.CONSUME(v.Colon);
        pattern.push({ name, value: this.SUBRULE2(this.expression) });
      },
    });
    this.CONSUME(v.RightBrace);
    this.CONSUME2(v.Comma);
    const ports = this.SUBRULE3(this.expression);
    const expires = this.OPTION(() => {
      this.CONSUME3(v.Comma);
      return this.CONSUME(v.Timeout);
    });
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({
      kind: "rule",
      priority,
      pattern,
      ports,
      expires: expires !== undefined,
      span: this.spanFrom(first),
    }));
  });

  private readonly quantifier = this.RULE("quantifier", (): ast.QuantifierExpression => {
    const first = this.OR([{ ALT: () => this.CONSUME(v.Forall) }, { ALT: () => this.CONSUME(v.Exists) }]);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.Colon);
    const over = this.OR2<ast.TypeExpression | ast.RegionExpression>([
      { ALT: () => this.SUBRULE(this.region) },
      { ALT: () => this.SUBRULE(this.type) },
    ]);
    this.CONSUME(v.Dot);
    const body = this.SUBRULE(this.expression);
    return this.ACTION(() => ({
      kind: "quantifier",
      quantifier: first.tokenType === v.Forall ? "forall" : "exists",
      name,
      over,
      body,
      span: this.spanFrom(first),
    }));
  });

  /** `at` takes a name or a parenthesised expression, because the dot of the quantifier follows. */
  private readonly region = this.RULE("region", (): ast.RegionExpression => {
    const first = this.CONSUME(v.Packets);
    const at = this.OPTION(() => {
      this.CONSUME(v.At);
      return this.OR<ast.Expression>([
        {
          ALT: () => {
            const name = this.CONSUME(v.Identifier);
            return this.ACTION(() => ({ kind: "name", name: nameOf(name), span: nameOf(name).span }));
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.LeftParen);
            const inner = this.SUBRULE(this.expression);
            this.CONSUME(v.RightParen);
            return inner;
          },
        },
      ]);
    });
    return this.ACTION(() => ({ kind: "packets", at: regionOf(at), span: this.spanFrom(first) }));
  });
}

function regionOf(at: ast.Expression | undefined): ast.RegionExpression["at"] {
  if (!at) return "all";
  if (at.kind === "name" && (at.name.text === "clients" || at.name.text === "switches")) return at.name.text;
  return at;
}

export const nameOf = (token: IToken): ast.Name => ({
  text: token.image,
  span: "span" in token ? (token.span as Span) : { file: "", start: 0, end: 0 },
});

export const numberOf = (token: IToken): number => Number(token.image);

/** Precedence climbing; `->` associates to the right, the others to the left. */
function fold(operands: readonly ast.Expression[], operators: readonly ast.BinaryOperator[]): ast.Expression {
  let next = 0;
  const climb = (least: number): ast.Expression => {
    let left = nth(operands, next);
    while (next < operators.length && PRECEDENCE[nth(operators, next)] >= least) {
      const operator = nth(operators, next++);
      const right = climb(PRECEDENCE[operator] + (operator === "->" ? 0 : 1));
      left = { kind: "binary", operator, left, right, span: mergeSpans(left.span, right.span) };
    }
    return left;
  };
  return climb(1);
}
