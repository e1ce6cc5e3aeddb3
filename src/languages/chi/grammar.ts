/** Grammar of χ's processes and declarations. A broken declaration gives one diagnostic; parsing resumes after its semicolon. */
import { tokenMatcher, type TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type { FormalTree, Item, Named, ProcessTree, Source, Tree, TypeTree, VariablesTree } from "./ast.js";
import { ExpressionGrammar } from "./expression-grammar.js";
import * as v from "./vocabulary.js";

/** Operators of processes, weakest first. */
const OPERATORS = [
  { type: v.Parallel, kind: "par" },
  { type: v.Choice, kind: "alt" },
  { type: v.Semicolon, kind: "seq" },
] as const;

const DECLARING: ReadonlySet<TokenType> = new Set([
  v.Const,
  v.Type,
  v.Var,
  v.Chan,
  v.Proc,
  v.System,
  v.Check,
]);

/** End the search for the arrow of a guard: no guard contains one. */
const NOT_IN_GUARDS: ReadonlySet<TokenType> = new Set([
  v.Semicolon,
  v.Choice,
  v.Parallel,
  v.Assign,
  v.Send,
  v.Receive,
  v.OpenScope,
  v.CloseScope,
  v.Bar,
  v.Eps,
  v.Delta,
  v.Skip,
  v.Encap,
]);
const OPENING: ReadonlySet<TokenType> = new Set([v.Open, v.OpenBracket, v.OpenBrace]);
const CLOSING: ReadonlySet<TokenType> = new Set([v.Close, v.CloseBracket, v.CloseBrace]);

class ChiGrammar extends ExpressionGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(options);
    this.performSelfAnalysis();
  }

  parseSource(tokens: readonly SourceToken[], end: Span, report: Report): Source {
    return (this.parseWith(this.source, tokens, end, report) as Source | undefined) ?? { items: [] };
  }

  parseCondition(tokens: readonly SourceToken[], end: Span, report: Report): Tree | undefined {
    return this.parseWith(this.condition, tokens, end, report) as Tree | undefined;
  }

  private readonly condition = this.RULE("condition", (): Tree => this.SUBRULE(this.expression));

  private readonly source = this.RULE("source", (): Source => {
    const items: Item[] = [];
    this.MANY(() => {
      const item = this.attempt(
        () => this.SUBRULE(this.item),
        () => this.#resume(),
      );
      if (item) items.push(item);
    });
    return { items };
  });

  /** A semicolon also separates processes: the next declaration is certain. */
  #resume(): void {
    this.skipWhile(({ tokenType }) => !DECLARING.has(tokenType));
  }

  private readonly item = this.RULE("item", (): Item =>
    this.OR<Item>({
      DEF: [
        { ALT: () => this.SUBRULE(this.constant) },
        { ALT: () => this.SUBRULE(this.typeItem) },
        { ALT: () => this.SUBRULE(this.variable) },
        { ALT: () => this.SUBRULE(this.channel) },
        { ALT: () => this.SUBRULE(this.procedure) },
        { ALT: () => this.SUBRULE(this.system) },
        { ALT: () => this.SUBRULE(this.check) },
      ],
      ERR_MSG: "a declaration",
    }),
  );

  private readonly constant = this.RULE("constant", (): Item => {
    this.CONSUME(v.Const);
    const name = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.Is);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.Semicolon);
    return { kind: "const", ...name, value };
  });

  private readonly typeItem = this.RULE("typeItem", (): Item => {
    this.CONSUME(v.Type);
    const name = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.Is);
    const type = this.SUBRULE(this.type);
    this.CONSUME(v.Semicolon);
    return { kind: "type", ...name, type };
  });

  private readonly variable = this.RULE("variable", (): Item => {
    this.CONSUME(v.Var);
    const variables = this.SUBRULE(this.variables);
    this.CONSUME(v.Semicolon);
    return { kind: "var", ...variables };
  });

  private readonly variables = this.RULE("variables", (): VariablesTree => {
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => names.push(this.named(this.CONSUME(v.Name))) });
    this.CONSUME(v.Colon);
    const type = this.SUBRULE(this.type);
    let initial: Tree | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Is);
      initial = this.SUBRULE(this.expression);
    });
    return { names, type, initial };
  });

  private readonly channel = this.RULE("channel", (): Item => {
    this.CONSUME(v.Chan);
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => names.push(this.named(this.CONSUME(v.Name))) });
    let type: TypeTree | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Colon);
      type = this.SUBRULE(this.type);
    });
    this.CONSUME(v.Semicolon);
    return { kind: "chan", names, type };
  });

  private readonly procedure = this.RULE("procedure", (): Item => {
    this.CONSUME(v.Proc);
    const name = this.named(this.CONSUME(v.Name));
    const formals: FormalTree[] = [];
    this.CONSUME(v.Open);
    this.MANY_SEP({ SEP: v.Comma, DEF: () => formals.push(this.SUBRULE(this.formal)) });
    this.CONSUME(v.Close);
    this.CONSUME(v.Is);
    const body = this.SUBRULE(this.process);
    this.CONSUME(v.Semicolon);
    return { kind: "proc", ...name, formals, body };
  });

  private readonly formal = this.RULE("formal", (): FormalTree => {
    const name = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.Colon);
    let isChannel = false;
    this.OPTION(() => {
      this.CONSUME(v.Chan);
      isChannel = true;
    });
    const type = this.SUBRULE(this.type);
    return { ...name, type, isChannel };
  });

  private readonly system = this.RULE("system", (): Item => {
    const first = this.CONSUME(v.System);
    this.CONSUME(v.Is);
    const body = this.SUBRULE(this.process);
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { kind: "system", body, span };
  });

  private readonly check = this.RULE("check", (): Item => {
    const first = this.CONSUME(v.Check);
    let text: Named | undefined;
    const what = this.OR([
      { ALT: () => (this.CONSUME(v.DeadlockFree), "deadlock-free" as const) },
      { ALT: () => (this.CONSUME(v.Ctl), (text = this.named(this.CONSUME(v.Text))), "ctl" as const) },
      { ALT: () => (this.CONSUME(v.Ltl), (text = this.named(this.CONSUME2(v.Text))), "ltl" as const) },
      {
        ALT: () => (
          this.CONSUME(v.Invariant),
          (text = this.named(this.CONSUME3(v.Text))),
          "invariant" as const
        ),
      },
    ]);
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { kind: "check", what, text, span };
  });

  private readonly process = this.RULE("process", (): ProcessTree => this.#operators(0));

  #operators(level: number): ProcessTree {
    const operator = OPERATORS[level];
    if (!operator) return this.SUBRULE(this.guarded);
    const first = this.LA(1);
    const operands = [this.#operators(level + 1)];
    while (!this.RECORDING_PHASE && this.LA(1).tokenType === operator.type && !this.#endsDeclaration()) {
      this.SKIP_TOKEN();
      operands.push(this.#operators(level + 1));
    }
    const span = this.spanFrom(first);
    return operands.reduceRight((right, left) => ({ kind: operator.kind, left, right, span }));
  }

  /** The semicolon before a declaration, or before the end. */
  #endsDeclaration(): boolean {
    if (this.LA(1).tokenType !== v.Semicolon) return false;
    const next = this.LA(2);
    return DECLARING.has(next.tokenType) || !this.tokenOf(next);
  }

  private readonly guarded = this.RULE("guarded", (): ProcessTree => {
    const first = this.LA(1);
    return this.OR<ProcessTree>([
      {
        GATE: () => this.#isGuard(),
        ALT: () => {
          const when = this.SUBRULE(this.expression);
          this.CONSUME(v.GuardArrow);
          const then = this.SUBRULE(this.guarded);
          return { kind: "guard", when, then, span: this.spanFrom(first) };
        },
      },
      { GATE: () => !this.#isGuard(), ALT: () => this.SUBRULE(this.postfix) },
    ]);
  });

  /** Looks for the arrow before anything that belongs to a process. */
  #isGuard(): boolean {
    let depth = 0;
    for (let ahead = 1; ; ahead++) {
      const { tokenType } = this.LA(ahead);
      if (tokenType === v.GuardArrow && depth === 0) return true;
      if (NOT_IN_GUARDS.has(tokenType) || DECLARING.has(tokenType)) return false;
      if (!this.tokenOf(this.LA(ahead))) return false;
      if (OPENING.has(tokenType)) depth++;
      if (CLOSING.has(tokenType) && --depth < 0) return false;
    }
  }

  private readonly postfix = this.RULE("postfix", (): ProcessTree => {
    const first = this.LA(1);
    let process = this.SUBRULE(this.primary);
    this.MANY(() => {
      this.CONSUME(v.Star);
      process = { kind: "star", body: process, span: this.spanFrom(first) };
    });
    return process;
  });

  private readonly primary = this.RULE("primary", (): ProcessTree => {
    const first = this.LA(1);
    const isName = (...after: TokenType[]) => {
      const named = tokenMatcher(this.LA(1), v.Name);
      return named && after.includes(this.LA(2).tokenType);
    };
    return this.OR<ProcessTree>({
      DEF: [
        { ALT: () => (this.CONSUME(v.Eps), { kind: "eps", span: this.spanFrom(first) }) },
        { ALT: () => (this.CONSUME(v.Delta), { kind: "delta", span: this.spanFrom(first) }) },
        { ALT: () => (this.CONSUME(v.Skip), { kind: "skip", span: this.spanFrom(first) }) },
        { ALT: () => this.SUBRULE(this.scope) },
        { ALT: () => this.SUBRULE(this.encapsulated) },
        {
          ALT: () => {
            this.CONSUME(v.Open);
            const inner = this.SUBRULE(this.process);
            this.CONSUME(v.Close);
            return inner;
          },
        },
        { GATE: () => isName(v.Send), ALT: () => this.SUBRULE(this.sending) },
        { GATE: () => isName(v.Receive), ALT: () => this.SUBRULE(this.receiving) },
        {
          GATE: () => isName(v.Open),
          ALT: () => {
            const name = this.named(this.CONSUME(v.Name));
            const of = this.SUBRULE(this.callArguments);
            return { kind: "call", name, of, span: this.spanFrom(first) };
          },
        },
        {
          GATE: () => !isName(v.Send, v.Receive, v.Open),
          ALT: () => {
            const to = this.SUBRULE(this.place);
            this.CONSUME(v.Assign);
            const value = this.SUBRULE(this.expression);
            return { kind: "assign", to, value, span: this.spanFrom(first) };
          },
        },
      ],
      ERR_MSG: "a process",
    });
  });

  private readonly sending = this.RULE("sending", (): ProcessTree => {
    const first = this.CONSUME(v.Name);
    this.CONSUME(v.Send);
    let value: Tree | undefined;
    this.OPTION(() => (value = this.SUBRULE(this.expression)));
    return { kind: "send", channel: this.named(first), value, span: this.spanFrom(first) };
  });

  private readonly receiving = this.RULE("receiving", (): ProcessTree => {
    const first = this.CONSUME(v.Name);
    this.CONSUME(v.Receive);
    let to: ReturnType<typeof this.place> | undefined;
    this.OPTION(() => (to = this.SUBRULE(this.place)));
    return { kind: "receive", channel: this.named(first), to, span: this.spanFrom(first) };
  });

  private readonly scope = this.RULE("scope", (): ProcessTree => {
    const first = this.CONSUME(v.OpenScope);
    const variables: VariablesTree[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => variables.push(this.SUBRULE(this.variables)) });
    this.CONSUME(v.Bar);
    const body = this.SUBRULE(this.process);
    this.CONSUME(v.CloseScope);
    return { kind: "scope", variables, body, span: this.spanFrom(first) };
  });

  private readonly encapsulated = this.RULE("encapsulated", (): ProcessTree => {
    const first = this.CONSUME(v.Encap);
    this.CONSUME(v.Open);
    const body = this.SUBRULE(this.process);
    this.CONSUME(v.Close);
    return { kind: "encap", body, span: this.spanFrom(first) };
  });
}

let shared: ChiGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): ChiGrammar => (shared ??= new ChiGrammar());
