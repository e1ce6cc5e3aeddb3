/**
 * Parsers with expressions: binary operators by precedence, prefix operators, parentheses, numbers and truth values. A language lists
 * its operators, adds its operands and makes the nodes of its tree.
 */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { SourceParser, type ParserOptions } from "./source-parser.js";

export interface ExpressionSyntax {
  /** Binary operators by precedence, weakest first. */
  readonly levels: readonly (readonly TokenType[])[];
  /** The operators that associate to the right. */
  readonly rightAssociative?: TokenType;
  /** Prefix operators; all bind more tightly than binary ones. */
  readonly prefixes: readonly TokenType[];
  readonly number: TokenType;
  /** Literals for true and false. */
  readonly truth?: readonly [yes: TokenType, no: TokenType];
  readonly open: TokenType;
  readonly close: TokenType;
}

export abstract class ExpressionParser<Tree> extends SourceParser {
  readonly #syntax: ExpressionSyntax;

  constructor(vocabulary: readonly TokenType[], syntax: ExpressionSyntax, options: ParserOptions) {
    super(vocabulary, options);
    this.#syntax = syntax;
  }

  protected abstract binary(operator: IToken, left: Tree, right: Tree, span: Span): Tree;
  protected abstract unary(operator: IToken, of: Tree, span: Span): Tree;
  protected abstract number(token: IToken, span: Span): Tree;
  /** A language whose syntax has truth values overrides it. */
  protected truth(_value: boolean, _span: Span): Tree {
    throw new Error("no truth values");
  }
  /** All operands, in the order in which messages list them: those below, and those of the language. `first` is their first token. */
  protected abstract operands(first: IToken): IOrAlt<Tree>[];

  /** Without the operators below `level`, which then end the expression; parentheses contain all of them. */
  protected readonly expression = this.RULE("expression", (level = 0): Tree => this.#climb(level));

  /** Precedence climbing, with one token of lookahead. */
  #climb(level: number): Tree {
    const { levels, rightAssociative } = this.#syntax;
    const operators = levels[level];
    if (!operators) return this.SUBRULE(this.operand);
    const first = this.LA(1);
    let left = this.#climb(level + 1);
    // Recording visits every alternative once; the loop is not part of the grammar that it analyses.
    while (!this.RECORDING_PHASE && operators.includes(this.LA(1).tokenType)) {
      const operator = this.LA(1);
      this.SKIP_TOKEN();
      const right = this.#climb(operator.tokenType === rightAssociative ? level : level + 1);
      left = this.binary(operator, left, right, this.spanFrom(first));
    }
    return left;
  }

  protected readonly operand: () => Tree = this.RULE("operand", (): Tree =>
    this.OR<Tree>({ DEF: this.operands(this.LA(1)), ERR_MSG: "an expression" }),
  );

  protected numbers(first: IToken): IOrAlt<Tree> {
    return { ALT: () => this.number(this.CONSUME(this.#syntax.number), this.spanFrom(first)) };
  }

  protected truths(first: IToken): IOrAlt<Tree>[] {
    const { truth = [] } = this.#syntax;
    return truth.map((type, index) => ({
      ALT: () => (this.CONSUME(type), this.truth(index === 0, this.spanFrom(first))),
    }));
  }

  protected parentheses(): IOrAlt<Tree> {
    return {
      ALT: () => {
        this.CONSUME(this.#syntax.open);
        const inner = this.SUBRULE(this.expression);
        this.CONSUME(this.#syntax.close);
        return inner;
      },
    };
  }

  protected prefixes(first: IToken): IOrAlt<Tree>[] {
    return this.#syntax.prefixes.map((type, index) => ({
      ALT: () => {
        const operator = this.CONSUME(type);
        return this.unary(operator, this.subrule(index, this.operand), this.spanFrom(first));
      },
    }));
  }
}
