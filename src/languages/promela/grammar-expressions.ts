/** Grammar of expressions: rules for operands, `fold.ts` for operators. */
import type { IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { entryOf, lastOf } from "../../model/known.js";
import { SourceParser } from "../toolkit/source-parser.js";
import type {
  Expression,
  FieldAccess,
  Name,
  NumberLiteral,
  ReceiveArgument,
  VariableReference,
} from "./ast.js";
import { METHODS } from "./classify.js";
import { foldBinary, foldPrefixes, type Term } from "./fold.js";
import { MAX_DEPTH } from "./limits.js";
import { literalOf } from "./literals.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";

export abstract class ExpressionGrammar extends SourceParser {
  /** Set if a term is long enough that the depth of the tree must be measured (`limits.ts`). */
  protected mayBeTooDeep = false;

  protected readonly expression = this.RULE("expression", (): Expression => {
    const operands: Term[] = [];
    const operators: string[] = [];
    operands.push(this.SUBRULE(this.operand));
    this.MANY(() => {
      operators.push(this.CONSUME(v.BinaryOperatorToken).image);
      operands.push(this.SUBRULE2(this.operand));
    });
    return this.ACTION(() => {
      if (operators.length > MAX_DEPTH / 10) this.mayBeTooDeep = true;
      return foldBinary(operands, operators) as Expression;
    });
  });

  private readonly operand = this.RULE("operand", (): Term => {
    const prefixes: { text: string; span: Span }[] = [];
    this.MANY(() => {
      const token = this.CONSUME(v.PrefixOperator) as Token;
      this.ACTION(() => prefixes.push({ text: token.image, span: token.span }));
    });
    const inner = this.SUBRULE(this.primary);
    return this.ACTION(() => {
      if (prefixes.length > MAX_DEPTH / 10) this.mayBeTooDeep = true;
      return foldPrefixes(prefixes, inner);
    });
  });

  private readonly primary = this.RULE("primary", (): Expression => {
    return this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.parenthesised) },
        { ALT: () => this.SUBRULE(this.constant) },
        { ALT: () => this.SUBRULE(this.mtypeConstant) },
        { ALT: () => this.SUBRULE(this.variableTerm) },
        { ALT: () => this.SUBRULE(this.remote) },
        { ALT: () => this.SUBRULE(this.run) },
        { ALT: () => this.SUBRULE(this.channelQuery) },
        { ALT: () => this.SUBRULE(this.processQuery) },
        { ALT: () => this.SUBRULE(this.wordExpression) },
      ],
      ERR_MSG: "an expression",
    });
  });

  private readonly parenthesised = this.RULE("parenthesised", (): Expression => {
    const first = this.CONSUME(v.LeftParen);
    const condition = this.SUBRULE(this.expression);
    const branches = this.OPTION(() => {
      this.CONSUME(v.Arrow);
      const then = this.SUBRULE2(this.expression);
      this.CONSUME(v.Colon);
      const otherwise = this.SUBRULE3(this.expression);
      return { then, otherwise };
    });
    this.CONSUME(v.RightParen);
    return this.ACTION(() =>
      branches ? { kind: "conditional", span: this.spanFrom(first), condition, ...branches } : condition,
    );
  });

  protected readonly constant = this.RULE("constant", (): NumberLiteral => {
    const token = this.CONSUME(v.Constant) as Token;
    return this.ACTION(() => literalOf(token, (problem) => this.report(problem)));
  });

  private readonly mtypeConstant = this.RULE("mtypeConstant", (): Expression => {
    const token = this.CONSUME(v.MtypeName) as Token;
    return this.ACTION(() => ({ kind: "mtypeConstant", span: token.span, name: token.image }));
  });

  protected readonly variable = this.RULE("variable", (): VariableReference => {
    const first = this.CONSUME(v.Name);
    const index = this.OPTION(() => this.SUBRULE(this.index));
    const fields: FieldAccess[] = [];
    this.MANY(() => {
      this.CONSUME(v.Dot);
      fields.push(this.SUBRULE(this.field));
    });
    return this.ACTION(() => ({
      kind: "variable",
      span: this.spanFrom(first),
      name: nameOf(first),
      index,
      fields,
    }));
  });

  private readonly field = this.RULE("field", (): FieldAccess => {
    const name = this.CONSUME(v.Identifier);
    const index = this.OPTION(() => this.SUBRULE(this.index));
    return this.ACTION(() => ({ kind: "field", span: this.spanFrom(name), name: nameOf(name), index }));
  });

  private readonly index = this.RULE("index", (): Expression => {
    this.CONSUME(v.LeftBracket);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.RightBracket);
    return value;
  });

  /** A variable, a poll `q?[…]`, or `P@label` and `P[i]@label` before the proctype is declared. */
  private readonly variableTerm = this.RULE("variableTerm", (): Expression => {
    const first = this.LA(1);
    const variable = this.SUBRULE(this.variable);
    const poll = this.OPTION({
      GATE: () => this.LA(2).tokenType === v.LeftBracket,
      DEF: () => {
        const random = this.SUBRULE(this.queryOperator);
        this.CONSUME(v.LeftBracket);
        const values = this.SUBRULE(this.receiveArguments);
        this.CONSUME(v.RightBracket);
        return { random, values };
      },
    });
    const label = this.OPTION2(() => {
      this.CONSUME(v.At);
      return this.CONSUME(v.Identifier);
    });
    const call = this.OPTION3({
      GATE: () => this.LA(-1).tokenType === v.Dot && METHODS.has(this.LA(0).image),
      DEF: () => this.SUBRULE(this.methodArguments),
    });
    return this.ACTION(() => {
      const span = this.spanFrom(first);
      const { name: proctype, index } = variable;
      if (call) return this.#methodCall(span, variable, call);
      if (label) return { kind: "remoteLabel", span, proctype, index, label: nameOf(label) };
      if (!poll) return variable;
      return { kind: "poll", span, channel: variable, random: poll.random, arguments: poll.values };
    });
  });

  private readonly methodArguments = this.RULE("methodArguments", (): Expression[] => {
    this.CONSUME(v.LeftParen);
    const values = this.OPTION(() => this.SUBRULE(this.expressions));
    this.CONSUME(v.RightParen);
    return values ?? [];
  });

  #methodCall(span: Span, variable: VariableReference, values: readonly Expression[]): Expression {
    const method = lastOf(variable.fields).name;
    const fields = variable.fields.slice(0, -1);
    const object = { ...variable, span: { ...variable.span, end: method.span.start - 1 }, fields };
    return { kind: "method", span, object, method, arguments: values };
  }

  /** True for `??`. */
  protected readonly queryOperator = this.RULE("queryOperator", (): boolean =>
    this.OR([
      { ALT: () => this.CONSUME(v.Query) && false },
      { ALT: () => this.CONSUME(v.DoubleQuery) && true },
    ]),
  );

  protected readonly receiveArguments = this.RULE("receiveArguments", (): ReceiveArgument[] => {
    const values: ReceiveArgument[] = [];
    const add = (more: readonly ReceiveArgument[]): void => this.ACTION(() => void values.push(...more));
    this.OR([
      { ALT: () => add([this.SUBRULE(this.receiveArgument)]) },
      { ALT: () => add(this.SUBRULE(this.receiveGroup)) },
    ]);
    this.MANY(() => {
      this.OR2([
        {
          ALT: () => {
            this.CONSUME(v.Comma);
            this.OR3([
              { ALT: () => add([this.SUBRULE2(this.receiveArgument)]) },
              { ALT: () => add(this.SUBRULE2(this.receiveGroup)) },
            ]);
          },
        },
        { ALT: () => add(this.SUBRULE3(this.receiveGroup)) },
      ]);
    });
    return values;
  });

  private readonly receiveGroup = this.RULE("receiveGroup", (): ReceiveArgument[] => {
    this.CONSUME(v.LeftParen);
    const values = this.SUBRULE(this.receiveArguments);
    this.CONSUME(v.RightParen);
    return values;
  });

  private readonly receiveArgument = this.RULE("receiveArgument", (): ReceiveArgument => {
    const first = this.LA(1);
    return this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.evalArgument) },
        { ALT: () => this.SUBRULE(this.negativeArgument) },
        { ALT: () => matching(this.spanFrom(first), this.SUBRULE(this.constant)) },
        { ALT: () => matching(this.spanFrom(first), this.SUBRULE(this.mtypeConstant)) },
        {
          ALT: () => {
            const variable = this.SUBRULE(this.variable);
            return this.ACTION((): ReceiveArgument => ({ kind: "bind", span: variable.span, variable }));
          },
        },
      ],
      ERR_MSG: "a variable, a constant or `eval(…)`",
    });
  });

  private readonly evalArgument = this.RULE("evalArgument", (): ReceiveArgument => {
    const first = this.CONSUME(v.Eval);
    this.CONSUME(v.LeftParen);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => matching(this.spanFrom(first), value));
  });

  private readonly negativeArgument = this.RULE("negativeArgument", (): ReceiveArgument => {
    const first = this.CONSUME(v.Minus);
    const operand = this.OR<Expression>({
      DEF: [{ ALT: () => this.SUBRULE(this.constant) }, { ALT: () => this.SUBRULE(this.mtypeConstant) }],
      ERR_MSG: "a constant",
    });
    return this.ACTION(() => {
      const span = this.spanFrom(first);
      if (operand.kind === "number") return matching(span, { ...operand, span, value: -operand.value | 0 });
      return matching(span, { kind: "unary", span, operator: "-", operand });
    });
  });

  protected readonly expressions = this.RULE("expressions", (): Expression[] => {
    const values: Expression[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => values.push(this.SUBRULE(this.expression)),
      ERR_MSG: "an expression",
    });
    return values;
  });

  private readonly remote = this.RULE("remote", (): Expression => {
    const first = this.CONSUME(v.ProcessName);
    const index = this.OPTION(() => this.SUBRULE(this.index));
    return this.OR({
      DEF: [
        {
          ALT: () => {
            this.CONSUME(v.At);
            const label = this.CONSUME(v.Identifier);
            return this.ACTION((): Expression => {
              const span = this.spanFrom(first);
              return { kind: "remoteLabel", span, proctype: nameOf(first), index, label: nameOf(label) };
            });
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Colon);
            const field = this.SUBRULE(this.field);
            return this.ACTION((): Expression => {
              const variable: VariableReference = { ...field, kind: "variable", fields: [] };
              const span = this.spanFrom(first);
              return { kind: "remoteVariable", span, proctype: nameOf(first), index, variable };
            });
          },
        },
      ],
      ERR_MSG: "`@label` or `:variable` after the name of a proctype",
    });
  });

  private readonly run = this.RULE("run", (): Expression => {
    const first = this.CONSUME(v.Run);
    const proctype = this.CONSUME(v.Identifier);
    this.CONSUME(v.LeftParen);
    const values = this.OPTION(() => this.SUBRULE(this.expressions));
    this.CONSUME(v.RightParen);
    const priority = this.OPTION2(() => this.SUBRULE(this.priority));
    return this.ACTION(() => ({
      kind: "run",
      span: this.spanFrom(first),
      proctype: nameOf(proctype),
      arguments: values ?? [],
      priority,
    }));
  });

  protected readonly priority = this.RULE("priority", (): NumberLiteral => {
    this.CONSUME(v.Priority);
    return this.SUBRULE(this.constant);
  });

  private readonly channelQuery = this.RULE("channelQuery", (): Expression => {
    const first = this.OR([
      { ALT: () => this.CONSUME(v.Len) },
      { ALT: () => this.CONSUME(v.ChannelTestToken) },
    ]);
    this.CONSUME(v.LeftParen);
    const channel = this.SUBRULE(this.variable);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => {
      const span = this.spanFrom(first);
      if (first.tokenType === v.Len) return { kind: "len", span, channel };
      return { kind: "channelTest", span, test: first.image as "full", channel };
    });
  });

  private readonly processQuery = this.RULE("processQuery", (): Expression => {
    const first = this.CONSUME(v.ProcessQueryToken);
    this.CONSUME(v.LeftParen);
    const process = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: entryOf(QUERIES, first.image), span: this.spanFrom(first), process }));
  });

  private readonly wordExpression = this.RULE("wordExpression", (): Expression => {
    const token = this.OR([
      { ALT: () => this.CONSUME(v.Timeout) },
      { ALT: () => this.CONSUME(v.NonProgress) },
      { ALT: () => this.CONSUME(v.EmbeddedCToken) },
    ]) as Token;
    return this.ACTION(() => {
      const { span } = token;
      if (token.tokenType === v.Timeout) return { kind: "timeout", span };
      if (token.tokenType === v.NonProgress) return { kind: "nonProgress", span };
      return this.embeddedC(token);
    });
  });

  protected embeddedC(token: Token): Extract<Expression, { kind: "embeddedC" }> {
    const { span, image: keyword, expandedFrom } = token;
    this.report({
      code: "promela/embedded-c",
      severity: "error",
      message: `embedded C (\`${keyword}\`) is not supported`,
      span,
      hint: EMBEDDED_C_HINTS[keyword] ?? "write it in Promela",
    });
    return { kind: "embeddedC", span, keyword, expandedFrom };
  }
}

const matching = (span: Span, value: Expression): ReceiveArgument => ({ kind: "match", span, value });

export function nameOf(token: IToken): Name {
  return { kind: "name", text: token.image, span: (token as Token).span };
}

const QUERIES: ReadonlyMap<string, "enabled" | "pcValue" | "getPriority"> = new Map([
  ["enabled", "enabled"],
  ["pc_value", "pcValue"],
  ["get_priority", "getPriority"],
]);

const EMBEDDED_C_HINTS: Readonly<Record<string, string>> = {
  c_code: "write the statements in Promela, inside `d_step { … }` if they must be one step",
  c_expr: "write the condition in Promela; it must have no side effects",
  c_decl: "declare the data with Promela types or `typedef`",
  c_state: "declare the data as Promela variables (`hidden` for data that is not part of the state)",
  c_track: "declare the data as Promela variables, which are part of the state",
};
