/** Grammar of declarations of variables and channels. */
import type { IToken, TokenType } from "chevrotain";
import type { Declaration, Declarator, Expansion, Initializer, TypeName } from "./ast.js";
import { ExpressionGrammar, nameOf } from "./grammar-expressions.js";
import { wordHint } from "./hints.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";

export abstract class DeclarationGrammar extends ExpressionGrammar {
  protected readonly declaration = this.RULE("declaration", (): Declaration => {
    const first = this.LA(1);
    const visibility = this.OPTION(() => this.CONSUME(v.Visibility));
    const type = this.SUBRULE(this.typeName);
    const variables: Declarator[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => variables.push(this.SUBRULE(this.declarator)),
      ERR_MSG: "a name",
    });
    return this.ACTION(() => ({
      kind: "declaration",
      ...this.placeFrom(first),
      visibility: visibility?.image as Declaration["visibility"],
      type,
      variables,
    }));
  });

  private readonly typeName = this.RULE("typeName", (): TypeName =>
    this.OR({
      DEF: [
        {
          ALT: () => {
            const name = this.CONSUME(v.BasicTypeToken);
            const subtype = this.OPTION(() => {
              this.CONSUME(v.Colon);
              return this.CONSUME(v.Identifier);
            });
            return this.ACTION((): TypeName => {
              const span = this.spanFrom(name);
              const named = subtype && nameOf(subtype);
              if (name.tokenType === v.AbstractType)
                return { kind: "abstractType", span, name: name.image as "set" };
              if (name.tokenType === v.EnumName)
                return { kind: "basicType", span, name: "mtype", subtype: nameOf(name) };
              return { kind: "basicType", span, name: name.image as "int", subtype: named };
            });
          },
        },
        {
          ALT: () => {
            const name = this.CONSUME2(v.Identifier);
            return this.ACTION((): TypeName => ({
              kind: "namedType",
              span: (name as Token).span,
              name: nameOf(name),
            }));
          },
        },
      ],
      ERR_MSG: "a type",
    }),
  );

  private readonly declarator = this.RULE("declarator", (): Declarator => {
    const name = this.CONSUME(v.Identifier);
    const width = this.OPTION(() => {
      this.CONSUME(v.Colon);
      return this.SUBRULE(this.constant);
    });
    const size = this.OPTION2(() => {
      this.CONSUME(v.LeftBracket);
      const value = this.SUBRULE(this.expression);
      this.CONSUME(v.RightBracket);
      return value;
    });
    const initializer = this.OPTION3(() => {
      this.CONSUME(v.Assign);
      return this.SUBRULE(this.initializer);
    });
    this.ACTION(() => this.#checkFree(name as Token));
    return this.ACTION(() => ({
      kind: "declarator",
      span: this.spanFrom(name),
      name: nameOf(name),
      width,
      size,
      initializer,
    }));
  });

  private readonly initializer = this.RULE("initializer", (): Initializer => {
    const first = this.LA(1);
    return this.OR<Initializer>({
      DEF: [
        { ALT: () => this.SUBRULE(this.channelInitializer) },
        {
          ALT: () => {
            this.CONSUME(v.LeftBrace);
            const values = this.SUBRULE(this.expressions);
            this.CONSUME(v.RightBrace);
            return this.ACTION(() => ({ kind: "list", span: this.spanFrom(first), values }));
          },
        },
        {
          ALT: () => {
            const value = this.SUBRULE(this.expression);
            return this.ACTION(() => ({ kind: "value", span: value.span, value }));
          },
        },
      ],
      ERR_MSG: "an expression",
    });
  });

  private readonly channelInitializer = this.RULE("channelInitializer", (): Initializer => {
    const first = this.CONSUME(v.LeftBracket);
    const capacity = this.SUBRULE(this.expression);
    this.CONSUME(v.RightBracket);
    this.CONSUME(v.Of);
    const fields = this.OR<TypeName[]>({
      DEF: [{ ALT: () => this.SUBRULE(this.channelFields) }, { ALT: () => [this.SUBRULE(this.typeName)] }],
      ERR_MSG: "`{` and a type",
    });
    return this.ACTION(() => ({ kind: "channel", span: this.spanFrom(first), capacity, fields }));
  });

  private readonly channelFields = this.RULE("channelFields", (): TypeName[] => {
    const fields: TypeName[] = [];
    this.CONSUME(v.LeftBrace);
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => fields.push(this.SUBRULE(this.typeName)),
      ERR_MSG: "a type",
    });
    this.CONSUME(v.RightBrace);
    return fields;
  });

  /** Reports a variable whose name already denotes a type, constant or process. */
  #checkFree(name: Token): void {
    if (name.tokenType === v.Name) return;
    this.report({
      code: "promela/reserved-name",
      severity: "error",
      message: `\`${name.image}\` is already ${TAKEN.get(name.tokenType) ?? "taken"}`,
      span: name.span,
    });
  }

  /** A declaration starts with a type, or with two names, of which the first is an unknown type. */
  protected startsDeclaration(): boolean {
    const first = this.LA(1).tokenType;
    if (isA(first, v.BasicTypeToken) || isA(first, v.Visibility) || first === v.TypeNameToken) return true;
    const second = this.LA(2) as Token;
    if (first !== v.Name || !isA(second.tokenType, v.Identifier)) return false;
    return !second.newlineBefore && wordHint(second.image) === undefined;
  }

  protected placeFrom(first: IToken): { span: Token["span"]; expandedFrom?: Expansion } {
    return { span: this.spanFrom(first), expandedFrom: (first as Token).expandedFrom };
  }
}

export const isA = (type: TokenType, category: TokenType): boolean =>
  type === category || (type.CATEGORIES?.includes(category) ?? false);

const TAKEN = new Map<TokenType, string>([
  [v.MtypeName, "an mtype constant"],
  [v.TypeNameToken, "a typedef"],
  [v.ProcessName, "a proctype"],
]);
