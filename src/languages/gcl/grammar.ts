/** Grammar of guarded commands. A broken declaration gives one diagnostic; parsing resumes after its semicolon. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { ExpressionParser, type ExpressionSyntax } from "../toolkit/expression-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type {
  AssignTree,
  Binary,
  Item,
  Named,
  ProcessTree,
  RangeTree,
  Source,
  TransitionTree,
  Tree,
  TypeTree,
  VariableTree,
} from "./ast.js";
import * as v from "./vocabulary.js";

const EXPRESSIONS: ExpressionSyntax = {
  levels: [
    [v.Implies],
    [v.Or],
    [v.And],
    [v.Equal, v.NotEqual, v.AtMost, v.AtLeast, v.Less, v.Greater],
    [v.Plus, v.Minus],
    [v.Star, v.Percent],
  ],
  rightAssociative: v.Implies,
  prefixes: [v.Not, v.Minus],
  number: v.NumberToken,
  truth: [v.True, v.False],
  open: v.Open,
  close: v.Close,
};

const DECLARING: ReadonlySet<TokenType> = new Set([
  v.Param,
  v.Const,
  v.Explicit,
  v.Abstract,
  v.Var,
  v.Init,
  v.Process,
  v.Safety,
  v.ErrorWord,
  v.Reach,
  v.Predicates,
]);

class GclGrammar extends ExpressionParser<Tree> {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, EXPRESSIONS, { ...options, code: "gcl/syntax" });
    this.performSelfAnalysis();
  }

  parseSource(tokens: readonly SourceToken[], end: Span, report: Report): Source {
    return (this.parseWith(this.source, tokens, end, report) as Source | undefined) ?? { items: [] };
  }

  private readonly source = this.RULE("source", (): Source => {
    const items = this.each(
      () => this.SUBRULE(this.item),
      () => this.#resume(),
    );
    return { items };
  });

  #resume(): void {
    this.skipWhile(({ tokenType }) => tokenType !== v.Semicolon && !DECLARING.has(tokenType));
    if (this.LA(1).tokenType === v.Semicolon) this.skipWhile(({ tokenType }) => tokenType === v.Semicolon);
  }

  private readonly item = this.RULE("item", (): Item =>
    this.OR<Item>([
      {
        GATE: () => this.LA(1).tokenType === v.Param || this.LA(1).tokenType === v.Const,
        ALT: () => this.SUBRULE(this.constant),
      },
      { ALT: () => this.SUBRULE(this.variable) },
      { ALT: () => this.SUBRULE(this.init) },
      { ALT: () => this.SUBRULE(this.process) },
      { ALT: () => this.SUBRULE(this.property) },
      { ALT: () => this.SUBRULE(this.predicates) },
      { ALT: () => this.SUBRULE(this.transition) },
    ]),
  );

  private readonly constant = this.RULE("constant", (): Item => {
    const word = this.OR([{ ALT: () => this.CONSUME(v.Param) }, { ALT: () => this.CONSUME(v.Const) }]);
    const name = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.Is);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.Semicolon);
    return { kind: word.tokenType === v.Param ? "param" : "const", ...name, value };
  });

  private readonly variable = this.RULE("variable", (): VariableTree => {
    const first = this.LA(1);
    let mode: VariableTree["mode"];
    this.OPTION(() => {
      mode = this.OR([
        { ALT: () => (this.CONSUME(v.Explicit), "explicit" as const) },
        { ALT: () => (this.CONSUME(v.Abstract), "abstract" as const) },
      ]);
    });
    this.CONSUME(v.Var);
    const names: (Named & { range: RangeTree | undefined })[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => {
        const name = this.named(this.CONSUME(v.Name));
        let range: RangeTree | undefined;
        this.OPTION2(() => {
          this.CONSUME(v.OpenBracket);
          range = this.SUBRULE(this.range);
          this.CONSUME(v.CloseBracket);
        });
        names.push({ ...name, range });
      },
    });
    this.CONSUME(v.Colon);
    const type = this.SUBRULE(this.type);
    let initial: Tree | undefined;
    this.OPTION3(() => {
      this.CONSUME(v.Is);
      initial = this.OR2<Tree | undefined>([
        { ALT: () => (this.CONSUME(v.Star), undefined) },
        { ALT: () => this.SUBRULE(this.expression) },
      ]);
    });
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { kind: "var", mode, names, type, initial, span };
  });

  private readonly type = this.RULE("type", (): TypeTree => {
    const first = this.LA(1);
    // `pc` is a type here, and a name inside bounds.
    return this.OR<TypeTree>([
      { ALT: () => (this.CONSUME(v.IntWord), { kind: "int", span: this.spanFrom(first) }) },
      { ALT: () => (this.CONSUME(v.BoolWord), { kind: "bool", span: this.spanFrom(first) }) },
      {
        GATE: () => this.LA(1).tokenType === v.PcWord,
        ALT: () => (this.CONSUME(v.PcWord), { kind: "pc", span: this.spanFrom(first) }),
      },
      {
        GATE: () => this.LA(1).tokenType !== v.PcWord,
        ALT: () => {
          const range = this.SUBRULE(this.range);
          return { kind: "range", range, span: this.spanFrom(first) };
        },
      },
    ]);
  });

  private readonly range = this.RULE("range", (): RangeTree => {
    const low = this.SUBRULE(this.expression);
    this.CONSUME(v.Dots);
    const high = this.SUBRULE2(this.expression);
    return { low, high };
  });

  private readonly init = this.RULE("init", (): Item => {
    const first = this.CONSUME(v.Init);
    const condition = this.SUBRULE(this.expression);
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { kind: "init", condition, span };
  });

  private readonly process = this.RULE("process", (): ProcessTree => {
    this.CONSUME(v.Process);
    const name = this.named(this.CONSUME(v.Name));
    let index: ProcessTree["index"];
    this.OPTION(() => {
      this.CONSUME(v.Open);
      const own = this.named(this.CONSUME2(v.Name));
      this.CONSUME(v.In);
      index = { ...own, range: this.SUBRULE(this.range) };
      this.CONSUME(v.Close);
    });
    this.CONSUME(v.OpenBrace);
    const items = this.each(
      () =>
        this.OR<VariableTree | TransitionTree>([
          { ALT: () => this.SUBRULE(this.variable) },
          { ALT: () => this.SUBRULE(this.transition) },
        ]),
      () => this.#resumeInside(),
    );
    this.CONSUME(v.CloseBrace);
    return { kind: "process", ...name, index, items };
  });

  #resumeInside(): void {
    this.skipWhile(({ tokenType }) => tokenType !== v.Semicolon && tokenType !== v.CloseBrace);
    if (this.LA(1).tokenType === v.Semicolon) this.skipWhile(({ tokenType }) => tokenType === v.Semicolon);
  }

  private readonly property = this.RULE("property", (): Item => {
    const word = this.OR([
      { ALT: () => (this.CONSUME(v.Safety), "safety" as const) },
      { ALT: () => (this.CONSUME(v.ErrorWord), "error" as const) },
      { ALT: () => (this.CONSUME(v.Reach), "reach" as const) },
    ]);
    const name = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.Colon);
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(v.Semicolon);
    return { kind: word, ...name, condition };
  });

  private readonly predicates = this.RULE("predicates", (): Item => {
    const first = this.CONSUME(v.Predicates);
    const all: Tree[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => all.push(this.SUBRULE(this.expression)) });
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { kind: "predicates", all, span };
  });

  private readonly transition = this.RULE("transition", (): TransitionTree => {
    const first = this.LA(1);
    let label: Named | undefined;
    this.OPTION({
      GATE: () => this.LA(2).tokenType === v.Colon,
      DEF: () => {
        label = this.named(this.CONSUME(v.Name));
        this.CONSUME(v.Colon);
      },
    });
    const guard = this.SUBRULE(this.expression);
    this.CONSUME(v.Arrow);
    const assignments: AssignTree[] = [];
    this.OR([
      { ALT: () => this.CONSUME(v.Skip) },
      {
        ALT: () =>
          this.AT_LEAST_ONE_SEP({
            SEP: v.Comma,
            DEF: () => {
              const target = this.SUBRULE(this.place);
              this.CONSUME(v.Assign);
              const value = this.OR2<Tree | "nondet">([
                { ALT: () => (this.CONSUME(v.Nondet), "nondet" as const) },
                { ALT: () => this.SUBRULE2(this.expression) },
              ]);
              assignments.push({ target, value });
            },
          }),
      },
    ]);
    const span = this.spanFrom(first);
    this.CONSUME(v.Semicolon);
    return { kind: "transition", label, guard, assignments, span };
  });

  private readonly place = this.RULE("place", (): AssignTree["target"] => {
    const first = this.CONSUME(v.Name);
    let index: Tree | undefined;
    let field: string | undefined;
    this.OPTION(() => {
      this.CONSUME(v.OpenBracket);
      index = this.SUBRULE(this.expression);
      this.CONSUME(v.CloseBracket);
    });
    this.OPTION2(() => {
      this.CONSUME(v.Dot);
      field = this.CONSUME2(v.Name).image;
    });
    return { kind: "place", name: first.image, index, field, span: this.spanFrom(first) };
  });

  protected override operands(first: IToken): IOrAlt<Tree>[] {
    return [
      this.numbers(first),
      ...this.truths(first),
      { ALT: () => this.SUBRULE(this.place) },
      { ALT: () => this.SUBRULE(this.quantified) },
      this.parentheses(),
      ...this.prefixes(first),
    ];
  }

  private readonly quantified = this.RULE("quantified", (): Tree => {
    const first = this.LA(1);
    const kind = this.OR([
      { ALT: () => (this.CONSUME(v.Exists), "exists" as const) },
      { ALT: () => (this.CONSUME(v.Forall), "forall" as const) },
    ]);
    const index = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.In);
    const range = this.SUBRULE(this.range);
    let except: readonly [Named, Named] | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Comma);
      const left = this.named(this.CONSUME2(v.Name));
      this.CONSUME(v.NotEqual);
      except = [left, this.named(this.CONSUME3(v.Name))];
    });
    this.CONSUME(v.Colon);
    const body = this.SUBRULE(this.expression);
    return { kind, index, range, except, body, span: this.spanFrom(first) };
  });

  protected override binary({ image }: IToken, left: Tree, right: Tree, span: Span): Tree {
    return { kind: "binary", operator: image as Binary, left, right, span };
  }

  protected override unary({ image }: IToken, of: Tree, span: Span): Tree {
    return { kind: "unary", operator: image as "!" | "-", of, span };
  }

  protected override number({ image }: IToken, span: Span): Tree {
    return { kind: "number", value: this.RECORDING_PHASE ? 0n : BigInt(image), span };
  }

  protected override truth(value: boolean, span: Span): Tree {
    return { kind: "truth", value, span };
  }
}

let shared: GclGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): GclGrammar => (shared ??= new GclGrammar());
