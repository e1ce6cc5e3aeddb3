/** Grammar of Boolean programs. A broken statement gives one diagnostic; parsing resumes after its semicolon. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { entryOf } from "../../model/known.js";
import type { Report } from "../toolkit/diagnostics.js";
import { ExpressionParser, type ExpressionSyntax } from "../toolkit/expression-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type {
  Action,
  Block,
  FunctionTree,
  Initial,
  Named,
  Operator,
  Source,
  Statement,
  ThreadTree,
  Tree,
  VariableTree,
} from "./ast.js";
import * as v from "./vocabulary.js";

const OPERATORS: ReadonlyMap<TokenType, Operator> = new Map<TokenType, Operator>([
  [v.Implies, "implies"],
  [v.OrOr, "or"],
  [v.Or, "or"],
  [v.Xor, "xor"],
  [v.AndAnd, "and"],
  [v.And, "and"],
  [v.Equal, "equal"],
  [v.Is, "equal"],
  [v.NotEqual, "xor"],
]);

const EXPRESSIONS: ExpressionSyntax = {
  levels: [[v.Implies], [v.OrOr, v.Or], [v.Xor], [v.AndAnd, v.And], [v.Equal, v.Is, v.NotEqual]],
  rightAssociative: v.Implies,
  prefixes: [v.Not],
  number: v.NumberToken,
  truth: [v.True, v.False],
  open: v.Open,
  close: v.Close,
};

const CLOSING: ReadonlySet<TokenType> = new Set([v.CloseBrace, v.End]);

export class BpGrammar extends ExpressionParser<Tree> {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, EXPRESSIONS, { ...options, code: "bp/syntax" });
    this.performSelfAnalysis();
  }

  parseSource(tokens: readonly SourceToken[], end: Span, report: Report): Source {
    const nothing: Source = { variables: [], functions: [], threads: [] };
    return (this.parseWith(this.source, tokens, end, report) as Source | undefined) ?? nothing;
  }

  private readonly source = this.RULE("source", (): Source => {
    const variables: VariableTree[] = [];
    const functions: FunctionTree[] = [];
    const threads: ThreadTree[] = [];
    this.MANY(() => {
      this.attempt(
        () =>
          this.OR([
            {
              GATE: () => !this.#isFunction(),
              ALT: () => void variables.push(this.SUBRULE(this.variable)),
            },
            {
              GATE: () => this.#isFunction(),
              ALT: () => void functions.push(this.SUBRULE(this.function)),
            },
            { ALT: () => void threads.push(this.SUBRULE(this.thread)) },
          ]),
        () => this.#resume(),
      );
    });
    return { variables, functions, threads };
  });

  /** `void`, `bool <`, or `bool name (`. */
  #isFunction(): boolean {
    const [first, second, third] = [1, 2, 3].map((ahead) => this.LA(ahead).tokenType);
    return first === v.Void || (first === v.Bool && (second === v.Less || third === v.Open));
  }

  /** Skips the rest of a declaration: a block, or up to its semicolon. */
  #resume(): void {
    let depth = 0;
    this.skipWhile(({ tokenType }) => {
      if (tokenType === v.OpenBrace || tokenType === v.Begin) depth++;
      if (tokenType === v.CloseBrace || tokenType === v.End) depth--;
      if (depth > 0) return true;
      return tokenType !== v.Semicolon && tokenType !== v.CloseBrace && tokenType !== v.End;
    });
    const next = this.LA(1).tokenType;
    if (next === v.Semicolon || next === v.CloseBrace || next === v.End) this.#skipOne();
  }

  #skipOne(): void {
    let isFirst = true;
    this.skipWhile(() => {
      const was = isFirst;
      isFirst = false;
      return was;
    });
  }

  private readonly variable = this.RULE("variable", (): VariableTree => {
    const first = this.LA(1);
    this.OR([{ ALT: () => this.CONSUME(v.Bool) }, { ALT: () => this.CONSUME(v.Decl) }]);
    const names = this.SUBRULE(this.names);
    let values: Initial[] | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Is);
      values = [];
      this.AT_LEAST_ONE_SEP({
        SEP: v.Comma,
        DEF: () => void values?.push(this.SUBRULE(this.initial)),
      });
    });
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { names, values, span };
  });

  private readonly initial = this.RULE("initial", (): Initial =>
    this.OR<Initial>([
      { ALT: () => (this.CONSUME(v.Star), "*" as const) },
      { ALT: () => (this.CONSUME(v.True), true) },
      { ALT: () => (this.CONSUME(v.False), false) },
      { ALT: () => this.#bit(this.CONSUME(v.NumberToken)) },
    ]),
  );

  #bit(token: IToken): boolean {
    if (token.image !== "0" && token.image !== "1" && !this.RECORDING_PHASE)
      this.report({
        code: "bp/not-boolean",
        severity: "error",
        message: `${token.image} is not a truth value`,
        span: this.spanFrom(token),
        hint: "write 0 or 1",
      });
    return token.image === "1";
  }

  private readonly names = this.RULE("names", (): Named[] => {
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => void names.push(this.named(this.CONSUME(v.Name))) });
    return names;
  });

  private readonly function = this.RULE("function", (): FunctionTree => {
    const results = this.OR<number>([
      { ALT: () => (this.CONSUME(v.Void), 0) },
      {
        ALT: () => {
          this.CONSUME(v.Bool);
          let count = 1;
          this.OPTION(() => {
            this.CONSUME(v.Less);
            count = Number(this.CONSUME(v.NumberToken).image);
            this.CONSUME(v.Greater);
          });
          return count;
        },
      },
    ]);
    const name = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.Open);
    const parameters: Named[] = [];
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        this.OPTION2(() => this.CONSUME2(v.Bool));
        parameters.push(this.named(this.CONSUME2(v.Name)));
      },
    });
    this.CONSUME(v.Close);
    return { ...name, results, parameters, body: this.SUBRULE(this.block) };
  });

  private readonly thread = this.RULE("thread", (): ThreadTree => {
    this.CONSUME(v.Thread);
    const name = this.named(this.CONSUME(v.Name));
    let count = 1;
    this.OPTION(() => {
      this.CONSUME(v.OpenBracket);
      count = Number(this.CONSUME(v.NumberToken).image);
      this.CONSUME(v.CloseBracket);
    });
    const body = this.OR<Block | Named>([
      { ALT: () => this.SUBRULE(this.block) },
      {
        ALT: () => {
          this.CONSUME(v.Is);
          const callee = this.named(this.CONSUME2(v.Name));
          this.CONSUME(v.Open);
          this.CONSUME(v.Close);
          this.CONSUME(v.Semicolon);
          return callee;
        },
      },
    ]);
    return { ...name, count, body };
  });

  private readonly block = this.RULE("block", (): Block => {
    this.OR([{ ALT: () => this.CONSUME(v.OpenBrace) }, { ALT: () => this.CONSUME(v.Begin) }]);
    const variables: VariableTree[] = [];
    this.MANY2(() => variables.push(this.SUBRULE(this.variable)));
    const statements = this.each(
      () => this.SUBRULE(this.statement),
      () => this.#resumeInside(),
    );
    const last = this.OR2([{ ALT: () => this.CONSUME(v.CloseBrace) }, { ALT: () => this.CONSUME(v.End) }]);
    return { variables, statements, end: this.named(last).span };
  });

  #resumeInside(): void {
    let depth = 0;
    this.skipWhile(({ tokenType }) => {
      if (tokenType === v.OpenBrace || tokenType === v.Begin) depth++;
      if ((tokenType === v.CloseBrace || tokenType === v.End) && depth-- === 0) return false;
      return depth > 0 || tokenType !== v.Semicolon;
    });
    if (this.LA(1).tokenType === v.Semicolon) this.#skipOne();
  }

  private readonly statement = this.RULE("statement", (): Statement => {
    const labels: Named[] = [];
    this.MANY({
      GATE: () => this.LA(1).tokenType === v.Name && this.LA(2).tokenType === v.Colon,
      DEF: () => {
        labels.push(this.named(this.CONSUME(v.Name)));
        this.CONSUME(v.Colon);
      },
    });
    const first = this.LA(1);
    const what = this.OR<Action>([
      { ALT: () => this.SUBRULE(this.branch) },
      { ALT: () => this.SUBRULE(this.loop) },
      {
        ALT: () => {
          this.CONSUME(v.Atomic);
          return { kind: "atomic", body: this.SUBRULE(this.block) };
        },
      },
      {
        GATE: () => labels.length === 0 || !CLOSING.has(this.LA(1).tokenType),
        ALT: () => {
          const basic = this.SUBRULE(this.basic);
          this.CONSUME(v.Semicolon);
          return basic;
        },
      },
      {
        GATE: () => labels.length > 0 && CLOSING.has(this.LA(1).tokenType),
        ALT: () => ({ kind: "nothing" }),
      },
    ]);
    return { labels, what, span: this.spanFrom(first) };
  });

  private readonly branch = this.RULE("branch", (): Action => {
    const first = this.CONSUME(v.If);
    const condition = this.SUBRULE(this.guarded);
    const head = this.spanFrom(first);
    const then = this.SUBRULE(this.block);
    let otherwise: Block | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Else);
      otherwise = this.SUBRULE2(this.block);
    });
    return { kind: "if", condition, then, otherwise, head };
  });

  private readonly loop = this.RULE("loop", (): Action => {
    const first = this.CONSUME(v.While);
    const condition = this.SUBRULE(this.guarded);
    const head = this.spanFrom(first);
    return { kind: "while", condition, body: this.SUBRULE(this.block), head };
  });

  private readonly guarded = this.RULE("guarded", (): Tree => {
    this.CONSUME(v.Open);
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(v.Close);
    return condition;
  });

  private readonly basic = this.RULE("basic", (): Action =>
    this.OR<Action>([
      { ALT: () => (this.CONSUME(v.Skip), { kind: "skip" }) },
      { ALT: () => (this.CONSUME(v.AtomicBegin), { kind: "atomic_begin" }) },
      { ALT: () => (this.CONSUME(v.AtomicEnd), { kind: "atomic_end" }) },
      { ALT: () => (this.CONSUME(v.Goto), { kind: "goto", targets: this.SUBRULE(this.names) }) },
      { ALT: () => (this.CONSUME(v.Assume), { kind: "assume", condition: this.SUBRULE(this.expression) }) },
      { ALT: () => (this.CONSUME(v.Assert), { kind: "assert", condition: this.SUBRULE2(this.expression) }) },
      {
        ALT: () => (this.CONSUME(v.Enforce), { kind: "enforce", condition: this.SUBRULE3(this.expression) }),
      },
      { ALT: () => (this.CONSUME(v.Dead), { kind: "dead", targets: this.SUBRULE2(this.names) }) },
      {
        ALT: () => {
          this.CONSUME(v.Return);
          let values: Tree[] = [];
          this.OPTION(() => (values = this.SUBRULE(this.expressions)));
          return { kind: "return", values };
        },
      },
      { ALT: () => this.SUBRULE(this.callOrAssignment) },
    ]),
  );

  private readonly callOrAssignment = this.RULE("callOrAssignment", (): Action =>
    this.OR<Action>([
      { GATE: () => this.#isCall(), ALT: () => this.SUBRULE(this.call, { ARGS: [[]] }) },
      { GATE: () => !this.#isCall(), ALT: () => this.SUBRULE(this.assignment) },
    ]),
  );

  #isCall(): boolean {
    return this.LA(1).tokenType === v.Name && this.LA(2).tokenType === v.Open;
  }

  private readonly assignment = this.RULE("assignment", (): Action => {
    const targets = this.SUBRULE(this.names);
    this.OR([{ ALT: () => this.CONSUME(v.Is) }, { ALT: () => this.CONSUME(v.Becomes) }]);
    return this.OR2<Action>([
      { GATE: () => this.#isCall(), ALT: () => this.SUBRULE(this.call, { ARGS: [targets] }) },
      {
        GATE: () => !this.#isCall(),
        ALT: () => {
          const values = this.SUBRULE(this.expressions);
          let constraint: Tree | undefined;
          this.OPTION(() => {
            this.CONSUME(v.Constrain);
            constraint = this.SUBRULE(this.expression);
          });
          return { kind: "assign", targets, values, constraint };
        },
      },
    ]);
  });

  private readonly call = this.RULE("call", (targets: readonly Named[]): Action => {
    const callee = this.named(this.CONSUME(v.Name));
    const args: Tree[] = [];
    this.CONSUME(v.Open);
    this.MANY_SEP({ SEP: v.Comma, DEF: () => void args.push(this.SUBRULE(this.expression)) });
    this.CONSUME(v.Close);
    return { kind: "call", targets, callee, args };
  });

  private readonly expressions = this.RULE("expressions", (): Tree[] => {
    const all: Tree[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => void all.push(this.SUBRULE(this.expression)) });
    return all;
  });

  protected override operands(first: IToken): IOrAlt<Tree>[] {
    return [
      ...this.prefixes(first),
      this.parentheses(),
      { ALT: () => (this.CONSUME(v.Star), { kind: "star", span: this.spanFrom(first) }) },
      ...this.truths(first),
      this.numbers(first),
      { ALT: () => this.SUBRULE(this.schoose) },
      {
        ALT: () => {
          const name = this.CONSUME(v.Name).image;
          let isPrimed = false;
          this.OPTION(() => {
            this.CONSUME(v.Prime);
            isPrimed = true;
          });
          return { kind: "name", name, isPrimed, span: this.spanFrom(first) };
        },
      },
    ];
  }

  protected override binary({ tokenType }: IToken, left: Tree, right: Tree, span: Span): Tree {
    return { kind: "binary", operator: entryOf(OPERATORS, tokenType), left, right, span };
  }

  protected override unary(_: IToken, of: Tree, span: Span): Tree {
    return { kind: "not", of, span };
  }

  protected override number(token: IToken, span: Span): Tree {
    return { kind: "constant", value: this.#bit(token), span };
  }

  protected override truth(value: boolean, span: Span): Tree {
    return { kind: "constant", value, span };
  }

  private readonly schoose: () => Tree = this.RULE("schoose", (): Tree => {
    const first = this.CONSUME(v.Schoose);
    this.CONSUME(v.OpenBracket);
    const yes = this.SUBRULE(this.expression);
    this.CONSUME(v.Comma);
    const no = this.SUBRULE2(this.expression);
    this.CONSUME(v.CloseBracket);
    return { kind: "schoose", yes, no, span: this.spanFrom(first) };
  });
}

let shared: BpGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): BpGrammar => (shared ??= new BpGrammar());
