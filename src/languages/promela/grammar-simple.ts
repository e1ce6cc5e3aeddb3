/** Grammar of statements that contain no others. */
import type { IToken, ParserMethod } from "chevrotain";
import type { BlockStatement, Expression, ReceiveArgument, Statement, VariableReference } from "./ast.js";
import { DeclarationGrammar } from "./grammar-declarations.js";
import { nameOf } from "./grammar-expressions.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";

export abstract class SimpleStatementGrammar extends DeclarationGrammar {
  /** The `x` of each enclosing `x = f(…)`, innermost last; undefined for a plain call. */
  protected returnTargets: (VariableReference | undefined)[] = [];

  /** A call of an inline is a block, including in `x = f(…)`. */
  protected abstract readonly block: ParserMethod<[VariableReference | undefined], BlockStatement>;

  protected readonly jump = this.RULE("jump", (): Statement => {
    const first = this.LA(1);
    const label = this.OR([
      { ALT: () => void this.CONSUME(v.Break) },
      { ALT: () => void this.CONSUME(v.Else) },
      {
        ALT: () => {
          this.CONSUME(v.Goto);
          return this.CONSUME(v.Identifier);
        },
      },
    ]);
    return this.ACTION(() => {
      const place = this.placeFrom(first);
      if (label) return { kind: "goto", ...place, label: nameOf(label) };
      return { kind: first.tokenType === v.Break ? "break" : "else", ...place };
    });
  });

  protected readonly printf = this.RULE("printf", (): Statement => {
    const first = this.CONSUME(v.Printf);
    this.CONSUME(v.LeftParen);
    const format = this.CONSUME(v.StringToken);
    const values: Expression[] = [];
    this.MANY(() => {
      this.CONSUME(v.Comma);
      values.push(this.SUBRULE(this.expression));
    });
    this.CONSUME(v.RightParen);
    return this.ACTION(() => {
      const text = format.image.slice(1, -1);
      return { kind: "printf", ...this.placeFrom(first), format: text, arguments: values };
    });
  });

  protected readonly printm = this.RULE("printm", (): Statement => {
    const first = this.CONSUME(v.Printm);
    this.CONSUME(v.LeftParen);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "printm", ...this.placeFrom(first), value }));
  });

  protected readonly assertion = this.RULE("assertion", (): Statement => {
    const first = this.CONSUME(v.Assert);
    const condition = this.SUBRULE(this.expression);
    return this.ACTION(() => ({ kind: "assert", ...this.placeFrom(first), condition }));
  });

  protected readonly setPriority = this.RULE("setPriority", (): Statement => {
    const first = this.CONSUME(v.SetPriority);
    this.CONSUME(v.LeftParen);
    const process = this.SUBRULE(this.expression);
    this.CONSUME(v.Comma);
    const priority = this.SUBRULE2(this.expression);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "setPriority", ...this.placeFrom(first), process, priority }));
  });

  protected readonly returned = this.RULE("returned", (): Statement => {
    const first = this.CONSUME(v.Return);
    const value = this.SUBRULE(this.expression);
    return this.ACTION(() => {
      const target = this.returnTargets.at(-1);
      const place = this.placeFrom(first);
      if (target) return { kind: "assign", ...place, target, value, isReturn: true };
      this.reportMisplacedReturn(first as Token, this.returnTargets.length > 0);
      return { kind: "expression", ...place, expression: value };
    });
  });

  /**
   * A statement that starts with an expression: an assignment, an increment, a send, a receive, or the expression
   * itself.
   */
  protected readonly simple = this.RULE("simple", (): Statement => {
    const first = this.LA(1);
    const left = this.SUBRULE(this.expression);
    const rest = this.OPTION(() => {
      this.ACTION(() => this.checkTarget(first as Token, left));
      const target = left as VariableReference;
      return this.OR([
        { ALT: () => this.SUBRULE(this.assignment, { ARGS: [first, target] }) },
        { ALT: () => this.SUBRULE(this.increment, { ARGS: [first, target] }) },
        { ALT: () => this.SUBRULE(this.send, { ARGS: [first, target] }) },
        { ALT: () => this.SUBRULE(this.receive, { ARGS: [first, target] }) },
      ]);
    });
    return this.ACTION(() => {
      if (rest) return rest;
      if (left.kind === "embeddedC") return left;
      return { kind: "expression", ...this.placeFrom(first), expression: left };
    });
  });

  private readonly assignment = this.RULE(
    "assignment",
    (first: IToken, target: VariableReference): Statement => {
      this.CONSUME(v.Assign);
      return this.OR<Statement>({
        DEF: [
          {
            GATE: () => (this.LA(1) as Token).opensInline !== undefined,
            ALT: () => this.SUBRULE(this.block, { ARGS: [target] }),
          },
          {
            ALT: () => {
              const value = this.SUBRULE(this.expression);
              return this.ACTION(() => ({
                kind: "assign",
                ...this.placeFrom(first),
                target,
                value,
                isReturn: false,
              }));
            },
          },
        ],
        ERR_MSG: "an expression",
      });
    },
  );

  private readonly increment = this.RULE(
    "increment",
    (first: IToken, target: VariableReference): Statement => {
      const operator = this.CONSUME(v.StepOperator);
      return this.ACTION(() => {
        const by = operator.image === "++" ? 1 : -1;
        return { kind: "increment", ...this.placeFrom(first), target, by };
      });
    },
  );

  private readonly send = this.RULE("send", (first: IToken, channel: VariableReference): Statement => {
    const operator = this.OR([
      { ALT: () => this.CONSUME(v.Bang) },
      { ALT: () => this.CONSUME(v.DoubleBang) },
    ]);
    const values = this.SUBRULE(this.expressions);
    const rest = this.OPTION(() => {
      this.CONSUME(v.LeftParen);
      const more = this.SUBRULE2(this.expressions);
      this.CONSUME(v.RightParen);
      return more;
    });
    return this.ACTION(() => {
      const sorted = operator.image === "!!";
      return {
        kind: "send",
        ...this.placeFrom(first),
        channel,
        sorted,
        arguments: [...values, ...(rest ?? [])],
      };
    });
  });

  private readonly receive = this.RULE("receive", (first: IToken, channel: VariableReference): Statement => {
    const random = this.SUBRULE(this.queryOperator);
    const { peek, values } = this.OR([
      { ALT: () => this.SUBRULE(this.peeked) },
      { ALT: () => ({ peek: false, values: this.SUBRULE(this.receiveArguments) }) },
    ]);
    return this.ACTION(() => ({
      kind: "receive",
      ...this.placeFrom(first),
      channel,
      random,
      peek,
      arguments: values,
    }));
  });

  private readonly peeked = this.RULE("peeked", (): { peek: boolean; values: ReceiveArgument[] } => {
    this.CONSUME(v.Less);
    const values = this.SUBRULE(this.receiveArguments);
    this.CONSUME(v.Greater);
    return { peek: true, values };
  });

  protected abstract reportMisplacedReturn(token: Token, isInInline: boolean): void;
  protected abstract checkTarget(first: Token, target: Expression): void;
}
