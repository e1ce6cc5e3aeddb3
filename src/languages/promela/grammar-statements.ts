/** Grammar of statements that contain others. After an invalid one, parsing resumes at the next separator. */
import { EOF, type IToken, type TokenType } from "chevrotain";
import type {
  BlockStatement,
  Expression,
  Name,
  Refactor,
  Sequence,
  Statement,
  VariableReference,
} from "./ast.js";
import { isA } from "./grammar-declarations.js";
import { nameOf } from "./grammar-expressions.js";
import { SimpleStatementGrammar } from "./grammar-simple.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";
import { lastOf } from "../../model/known.js";

export abstract class StatementGrammar extends SimpleStatementGrammar {
  protected resetStatements(): void {
    this.returnTargets = [];
    this.mayBeTooDeep = false;
  }

  // ------------------------------------------------------------------------------------------ sequences

  protected readonly braced = this.RULE("braced", (): Sequence => {
    const first = this.CONSUME(v.LeftBrace);
    const steps = this.SUBRULE(this.steps);
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "sequence", span: this.spanFrom(first), steps }));
  });

  protected readonly steps = this.RULE("steps", (): Statement[] => {
    const steps: Statement[] = [];
    this.ACTION(() => this.#checkStart());
    this.MANY(() => {
      const step = this.attempt(
        () => this.SUBRULE(this.step),
        () => this.skipStatement(),
      );
      this.ACTION(() => {
        if (step) steps.push(step);
        this.#checkBetween(step !== undefined);
      });
    });
    return steps;
  });

  /** Reports an empty sequence. */
  #checkStart(): void {
    this.#skipSeparators();
    const next = this.LA(1);
    if (startsStep(next)) return;
    this.reportUnexpected("a statement");
    if (endsSequence(next)) return;
    this.skipStatement();
    this.#skipSeparators();
  }

  /**
   * Checks for a separator, or the end of the sequence. `isWhole` is false after an invalid statement, which has been
   * reported.
   */
  #checkBetween(isWhole: boolean): void {
    const next = this.LA(1) as Token;
    if (this.#skipSeparators() > 0 || endsSequence(next)) return;
    if (!isWhole && startsStep(next)) return;
    // After `q?<x>` Spin implies no `;` at a line break, because `>` may continue an expression. Here it does not.
    if (startsStep(next) && next.newlineBefore) return;
    if (startsStep(next)) {
      this.reportMissingSeparator();
    } else {
      this.reportUnexpected("`;`");
      this.skipStatement();
    }
    this.#skipSeparators();
  }

  #skipSeparators(): number {
    let count = 0;
    this.skipWhile((next) => isA(next.tokenType, v.Separator) && ++count > 0);
    return count;
  }

  private readonly step = this.RULE("step", (): Statement =>
    this.OR({
      DEF: [
        { GATE: () => this.startsDeclaration(), ALT: () => this.SUBRULE(this.declaration) },
        { ALT: () => this.SUBRULE(this.exclusive) },
        { ALT: () => this.SUBRULE(this.guarded) },
      ],
      ERR_MSG: "a statement",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly guarded = this.RULE("guarded", (): Statement => {
    const first = this.LA(1);
    const main = this.SUBRULE(this.statement);
    const escape = this.OPTION(() => {
      this.CONSUME(v.Unless);
      return this.SUBRULE2(this.statement);
    });
    return this.ACTION(() => (escape ? { kind: "unless", ...this.placeFrom(first), main, escape } : main));
  });

  private readonly exclusive = this.RULE("exclusive", (): Statement => {
    const first = this.CONSUME(v.Exclusive);
    const channels: VariableReference[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => channels.push(this.SUBRULE(this.variable)),
      ERR_MSG: "the name of a channel",
    });
    return this.ACTION(() => {
      const access = first.image === "xr" ? "receive" : "send";
      return { kind: "exclusive", ...this.placeFrom(first), access, channels };
    });
  });

  // ----------------------------------------------------------------------------------------- statements

  private readonly statement = this.RULE("statement", (): Statement =>
    this.OR({
      DEF: [
        { GATE: () => this.LA(2).tokenType === v.Colon, ALT: () => this.SUBRULE(this.labelled) },
        { ALT: () => this.SUBRULE(this.unlabelled) },
      ],
      ERR_MSG: "a statement",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly labelled = this.RULE("labelled", (): Statement => {
    const first = this.LA(1);
    const labels: Name[] = [];
    this.AT_LEAST_ONE({
      GATE: () => this.LA(2).tokenType === v.Colon,
      DEF: () => {
        const label = this.CONSUME(v.Name);
        this.CONSUME(v.Colon);
        this.ACTION(() => labels.push(nameOf(label)));
      },
    });
    this.ACTION(() => this.checkAfterLabel(lastOf(labels)));
    const statement = this.OPTION(() => this.SUBRULE(this.unlabelled));
    return this.ACTION(() => ({ kind: "labelled", ...this.placeFrom(first), labels, statement }));
  });

  private readonly unlabelled = this.RULE("unlabelled", (): Statement =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.choice) },
        { ALT: () => this.SUBRULE(this.forLoop) },
        { ALT: () => this.SUBRULE(this.select) },
        { ALT: () => this.SUBRULE(this.block, { ARGS: [undefined] }) },
        { ALT: () => this.SUBRULE(this.jump) },
        { ALT: () => this.SUBRULE(this.printf) },
        { ALT: () => this.SUBRULE(this.printm) },
        { ALT: () => this.SUBRULE(this.assertion) },
        { ALT: () => this.SUBRULE(this.setPriority) },
        { ALT: () => this.SUBRULE(this.returned) },
        { ALT: () => this.SUBRULE(this.simple) },
      ],
      ERR_MSG: "a statement",
    }),
  );

  private readonly choice = this.RULE("choice", (): Statement => {
    const first = this.OR([{ ALT: () => this.CONSUME(v.If) }, { ALT: () => this.CONSUME(v.Do) }]);
    const options: Sequence[] = [];
    this.ACTION(() => this.#checkOptions());
    const refactors: Refactor[] = [];
    this.MANY(() => {
      this.OR3([
        {
          ALT: () => {
            const option = this.SUBRULE(this.choiceOption);
            this.ACTION(() => options.push(option));
          },
        },
        {
          ALT: () => {
            const { span, keys, options: own } = this.SUBRULE(this.refactor);
            this.ACTION(() => {
              refactors.push({ span, keys, first: options.length, count: own.length });
              options.push(...own);
            });
          },
        },
      ]);
    });
    const last = this.OR2({
      DEF: [{ ALT: () => this.CONSUME(v.Fi) }, { ALT: () => this.CONSUME(v.Od) }],
      ERR_MSG: "`::`, `fi` or `od`",
    });
    return this.ACTION(() => {
      this.checkChoiceEnd(first as Token, last as Token);
      const kind = first.image as "if";
      return { kind, ...this.placeFrom(first), options, ...(refactors.length > 0 ? { refactors } : {}) };
    });
  });

  private readonly choiceOption = this.RULE("choiceOption", (): Sequence => {
    const start = this.CONSUME(v.DoubleColon);
    const steps = this.SUBRULE(this.steps);
    return this.ACTION(() => ({ kind: "sequence", span: this.spanFrom(start), steps }));
  });

  private readonly refactor = this.RULE(
    "refactor",
    (): Pick<Refactor, "span" | "keys"> & { readonly options: Sequence[] } => {
      const start = this.CONSUME(v.RefactorBy);
      const keys: VariableReference[] = [];
      this.AT_LEAST_ONE_SEP({
        SEP: v.Comma,
        DEF: () => keys.push(this.SUBRULE(this.variable)),
        ERR_MSG: "the name of a channel",
      });
      const span = this.ACTION(() => this.spanFrom(start));
      this.MANY(() => this.CONSUME(v.Separator));
      this.CONSUME(v.LeftBrace);
      const options: Sequence[] = [];
      this.AT_LEAST_ONE({ DEF: () => options.push(this.SUBRULE(this.choiceOption)), ERR_MSG: "`::`" });
      this.CONSUME(v.RightBrace);
      this.MANY2(() => this.CONSUME2(v.Separator));
      return { span, keys, options };
    },
  );

  /** Options start with `::`. Without it, skips to the next `::` or to the end, if there is one. */
  #checkOptions(): void {
    this.#skipSeparators();
    const next = this.LA(1).tokenType;
    if (next === v.DoubleColon || next === v.RefactorBy || next === v.LeftParen || !this.#isClosed()) return;
    this.reportUnexpected("`::`");
    this.#skipTo((type) => type === v.DoubleColon || CLOSES.has(type));
  }

  #isClosed(): boolean {
    let depth = 0;
    for (let k = 1; this.tokenOf(this.LA(k)); k++) {
      const type = this.LA(k).tokenType;
      if (depth === 0 && CLOSES.has(type)) return type !== v.RightBrace;
      if (OPENS.has(type)) depth++;
      else if (CLOSES.has(type)) depth--;
    }
    return false;
  }

  private readonly forLoop = this.RULE("forLoop", (): Statement => {
    const first = this.CONSUME(v.For);
    this.CONSUME(v.LeftParen);
    const variable = this.SUBRULE(this.variable);
    const head = this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.range) },
        {
          ALT: () => {
            this.CONSUME(v.In);
            return this.SUBRULE2(this.variable);
          },
        },
      ],
      ERR_MSG: "`: from .. to` or `in array`",
    });
    this.CONSUME(v.RightParen);
    this.MANY(() => this.CONSUME(v.Separator));
    const body = this.SUBRULE(this.braced);
    return this.ACTION(() => {
      const place = this.placeFrom(first);
      if ("from" in head) return { kind: "forRange", ...place, variable, ...head, body };
      return { kind: "forIn", ...place, variable, collection: head, body };
    });
  });

  private readonly range = this.RULE("range", (): { from: Expression; to: Expression } => {
    this.CONSUME(v.Colon);
    const from = this.SUBRULE(this.expression);
    this.CONSUME(v.DotDot);
    const to = this.SUBRULE2(this.expression);
    return { from, to };
  });

  private readonly select = this.RULE("select", (): Statement => {
    const first = this.CONSUME(v.Select);
    this.CONSUME(v.LeftParen);
    const variable = this.SUBRULE(this.variable);
    const range = this.SUBRULE(this.range);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "select", ...this.placeFrom(first), variable, ...range }));
  });

  protected readonly block = this.RULE(
    "block",
    (returnTarget: VariableReference | undefined): BlockStatement => {
      const first = this.LA(1) as Token;
      this.OPTION(() =>
        this.OR([{ ALT: () => this.CONSUME(v.Atomic) }, { ALT: () => this.CONSUME(v.DStep) }]),
      );
      const inline = (this.LA(1) as Token).opensInline;
      if (inline) this.returnTargets.push(returnTarget);
      try {
        const body = this.SUBRULE(this.braced);
        const kind = first.image === "atomic" ? "atomic" : first.image === "d_step" ? "dStep" : "block";
        return this.ACTION(() => ({ kind, ...this.placeFrom(first), body, inline, returnTarget }));
      } finally {
        if (inline) this.returnTargets.pop();
      }
    },
  );

  // -------------------------------------------------------------------------------------- gates and aid

  /** Skips an invalid statement: to the next separator, option or end at this level. */
  protected skipStatement(): void {
    this.#skipTo((type) => isA(type, v.Separator) || type === v.DoubleColon || CLOSES.has(type));
  }

  #skipTo(isTarget: (type: TokenType) => boolean): void {
    let depth = 0;
    this.skipWhile((next) => {
      const type = next.tokenType;
      if (STARTS_UNIT.has(type) || (depth === 0 && isTarget(type))) return false;
      if (OPENS.has(type)) depth++;
      else if (CLOSES.has(type)) depth--;
      return true;
    });
  }

  protected abstract reportMissingSeparator(): void;
  /** Reports the next token; `expected` describes the alternatives. */
  protected abstract reportUnexpected(expected: string): void;
  protected abstract checkAfterLabel(label: Name): void;
  protected abstract checkChoiceEnd(first: Token, last: Token): void;
}

const OPENS = new Set<TokenType>([v.LeftBrace, v.If, v.Do]);
const CLOSES = new Set<TokenType>([v.RightBrace, v.Fi, v.Od]);
export const STARTS_UNIT = new Set<TokenType>([
  v.Active,
  v.Proctype,
  v.DProctype,
  v.Init,
  v.Never,
  v.Trace,
  v.NotTrace,
  v.Ltl,
  v.Typedef,
  v.Inline,
]);

const STARTS_STEP: readonly TokenType[] = [
  ...[
    v.Identifier,
    v.BasicTypeToken,
    v.Visibility,
    v.Exclusive,
    v.If,
    v.Do,
    v.For,
    v.Select,
    v.Atomic,
    v.DStep,
  ],
  ...[
    v.LeftBrace,
    v.Break,
    v.Else,
    v.Goto,
    v.Printf,
    v.Printm,
    v.Assert,
    v.SetPriority,
    v.Return,
    v.LeftParen,
  ],
  ...[v.Constant, v.Run, v.Len, v.ChannelTestToken, v.ProcessQueryToken, v.Timeout, v.NonProgress],
  ...[v.EmbeddedCToken, v.PrefixOperator],
];

const startsStep = (token: IToken): boolean => STARTS_STEP.some((type) => isA(token.tokenType, type));

const endsSequence = ({ tokenType }: IToken): boolean =>
  tokenType === v.DoubleColon ||
  tokenType === v.RefactorBy ||
  tokenType === EOF ||
  CLOSES.has(tokenType) ||
  STARTS_UNIT.has(tokenType);
