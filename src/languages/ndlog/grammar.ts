/**
 * Grammar of NDLog and of its specifications: one for both, so that a file may contain both. A broken declaration gives one diagnostic;
 * parsing resumes after its end.
 */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { ExpressionParser, type ExpressionSyntax } from "../toolkit/expression-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type {
  AlternativeTree,
  AtomTree,
  Binary,
  Item,
  Literal,
  Named,
  PropertyTree,
  RuleTree,
  Source,
  Tree,
} from "./ast.js";
import * as v from "./vocabulary.js";

const EXPRESSIONS: ExpressionSyntax = {
  levels: [
    [v.Implies],
    [v.Or],
    [v.And],
    [v.Equal, v.Is, v.NotEqual, v.AtMost, v.AtLeast, v.Less, v.Greater],
    [v.Plus, v.Minus],
    [v.Star, v.Slash, v.Percent],
  ],
  rightAssociative: v.Implies,
  prefixes: [v.Not, v.Minus],
  number: v.NumberToken,
  truth: [v.True, v.False],
  open: v.Open,
  close: v.Close,
};

/** Antecedents end at `=>`; inside parentheses it is an implication. */
const WITHOUT_IMPLICATION = 1;

const DECLARING: ReadonlySet<TokenType> = new Set([
  v.Define,
  v.Materialize,
  v.BaseWord,
  v.TypeWord,
  v.Property,
  v.Derivable,
  v.Constraint,
  v.Annotation,
  v.Lemma,
  v.Cut,
]);

const ENDING: ReadonlySet<TokenType> = new Set([v.Dot, v.Semicolon, v.CloseBrace]);

class NdlogGrammar extends ExpressionParser<Tree> {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, EXPRESSIONS, { ...options, code: "ndlog/syntax" });
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
    this.skipWhile(({ tokenType }) => !ENDING.has(tokenType) && !DECLARING.has(tokenType));
    this.skipWhile(({ tokenType }) => ENDING.has(tokenType));
  }

  private readonly item = this.RULE("item", (): Item =>
    this.OR<Item>({
      DEF: [
        { ALT: () => this.SUBRULE(this.define) },
        { ALT: () => this.SUBRULE(this.materialize) },
        { ALT: () => this.SUBRULE(this.names) },
        { ALT: () => this.SUBRULE(this.sorts) },
        { ALT: () => this.SUBRULE(this.property) },
        { ALT: () => this.SUBRULE(this.derivable) },
        { ALT: () => this.SUBRULE(this.constraint) },
        { ALT: () => this.SUBRULE(this.annotation) },
        { ALT: () => this.SUBRULE(this.lemma) },
        { ALT: () => this.SUBRULE(this.rule) },
      ],
      ERR_MSG: "a rule or a declaration",
    }),
  );

  private readonly define = this.RULE("define", (): Item => {
    this.CONSUME(v.Define);
    const name = this.SUBRULE(this.anyName);
    const value = this.SUBRULE(this.operand);
    return { kind: "define", ...name, value };
  });

  /** Lifetimes, sizes and keys do not change the derivable tuples. */
  private readonly materialize = this.RULE("materialize", (): Item => {
    this.CONSUME(v.Materialize);
    this.CONSUME(v.Open);
    this.CONSUME(v.Name);
    this.CONSUME(v.Comma);
    this.SUBRULE(this.amount);
    this.CONSUME2(v.Comma);
    this.SUBRULE2(this.amount);
    this.CONSUME3(v.Comma);
    this.CONSUME2(v.Name);
    this.CONSUME2(v.Open);
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        this.CONSUME(v.NumberToken);
        this.OPTION(() => {
          this.CONSUME(v.Colon);
          this.CONSUME3(v.Name);
        });
      },
    });
    this.CONSUME(v.Close);
    this.CONSUME2(v.Close);
    this.CONSUME(v.Dot);
    return { kind: "materialize" };
  });

  private readonly amount = this.RULE("amount", (): void => {
    this.OR([{ ALT: () => this.CONSUME(v.NumberToken) }, { ALT: () => this.CONSUME(v.Name) }]);
  });

  private readonly names = this.RULE("names", (): Item => {
    const kind = this.OR([
      { ALT: () => (this.CONSUME(v.BaseWord), "base" as const) },
      { ALT: () => (this.CONSUME(v.Cut), "cut" as const) },
    ]);
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => names.push(this.named(this.CONSUME(v.Name))) });
    this.SUBRULE(this.end_);
    return { kind, names };
  });

  private readonly sorts = this.RULE("sorts", (): Item => {
    this.CONSUME(v.TypeWord);
    const name = this.named(this.CONSUME(v.Name));
    const sorts: string[] = [];
    this.CONSUME(v.Open);
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => sorts.push(this.CONSUME2(v.Name).image) });
    this.CONSUME(v.Close);
    this.SUBRULE(this.end_);
    return { kind: "type", ...name, sorts };
  });

  /** Programs end declarations with a full stop, specifications with a semicolon. */
  private readonly end_ = this.RULE("end", (): void => {
    this.OR([{ ALT: () => this.CONSUME(v.Dot) }, { ALT: () => this.CONSUME(v.Semicolon) }]);
  });

  private readonly rule = this.RULE("rule", (): RuleTree => {
    const first = this.LA(1);
    let label: Named | undefined;
    let deletes = false;
    this.OPTION({
      GATE: () => this.LA(2).tokenType === v.Name || this.LA(2).tokenType === v.Delete,
      DEF: () => {
        label = this.named(this.CONSUME(v.Name));
      },
    });
    this.OPTION2(() => {
      this.CONSUME(v.Delete);
      deletes = true;
    });
    const head = this.SUBRULE(this.atom);
    let body: readonly Literal[] | undefined;
    this.OPTION3(() => {
      this.CONSUME(v.If);
      body = this.SUBRULE(this.conjunction, { ARGS: [0] });
    });
    const span = this.spanFrom(first);
    this.CONSUME(v.Dot);
    return { kind: "rule", label, deletes, head, body, span };
  });

  private readonly property = this.RULE("property", (): PropertyTree => {
    this.CONSUME(v.Property);
    const name = this.SUBRULE(this.anyName);
    this.CONSUME(v.OpenBrace);
    let forall: readonly Named[] = [];
    this.OPTION({
      // A quantified condition may begin an antecedent; variables before a colon belong to the property.
      GATE: () => this.LA(1).tokenType === v.Forall,
      DEF: () => {
        this.CONSUME(v.Forall);
        forall = this.SUBRULE(this.variables);
      },
    });
    const when = this.SUBRULE(this.conjunction, { ARGS: [WITHOUT_IMPLICATION] });
    this.CONSUME(v.Implies);
    const alternatives: AlternativeTree[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Bar, DEF: () => alternatives.push(this.SUBRULE(this.alternative)) });
    this.OPTION2(() => this.CONSUME(v.Semicolon));
    this.CONSUME(v.CloseBrace);
    return { kind: "property", ...name, forall, when, alternatives };
  });

  private readonly alternative = this.RULE("alternative", (): AlternativeTree => {
    const first = this.LA(1);
    let exists: readonly Named[] = [];
    this.OPTION({
      GATE: () => this.LA(1).tokenType === v.Exists,
      DEF: () => {
        this.CONSUME(v.Exists);
        exists = this.SUBRULE(this.variables);
      },
    });
    const all = this.SUBRULE(this.conjunction, { ARGS: [0] });
    return { exists, all, span: this.spanFrom(first) };
  });

  private readonly variables = this.RULE("variables", (): Named[] => {
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => names.push(this.named(this.CONSUME(v.VariableToken))),
    });
    this.CONSUME(v.Colon);
    return names;
  });

  private readonly derivable = this.RULE("derivable", (): PropertyTree => {
    this.CONSUME(v.Derivable);
    const name = this.SUBRULE(this.anyName);
    this.CONSUME(v.OpenBrace);
    const when = this.SUBRULE(this.conjunction, { ARGS: [0] });
    this.OPTION(() => this.CONSUME(v.Semicolon));
    this.CONSUME(v.CloseBrace);
    return { kind: "derivable", ...name, forall: [], when, alternatives: [] };
  });

  private readonly constraint = this.RULE("constraint", (): Item => {
    this.CONSUME(v.Constraint);
    const name = this.SUBRULE(this.anyName);
    this.CONSUME(v.OpenBrace);
    const when = this.SUBRULE(this.conjunction, { ARGS: [WITHOUT_IMPLICATION] });
    this.CONSUME(v.Implies);
    const then = this.SUBRULE(this.expression);
    this.OPTION(() => this.CONSUME(v.Semicolon));
    this.CONSUME(v.CloseBrace);
    return { kind: "constraint", ...name, when, then };
  });

  private readonly annotation = this.RULE("annotation", (): Item => {
    const first = this.CONSUME(v.Annotation);
    const atom = this.SUBRULE(this.atom);
    this.CONSUME(v.Colon);
    const condition = this.SUBRULE(this.expression);
    const span = this.spanFrom(first);
    this.SUBRULE(this.end_);
    return { kind: "annotation", atom, condition, span };
  });

  private readonly lemma = this.RULE("lemma", (): Item => {
    const first = this.CONSUME(v.Lemma);
    const atom = this.SUBRULE(this.atom);
    this.CONSUME(v.Implies);
    const then = this.SUBRULE(this.alternative);
    const span = this.spanFrom(first);
    this.SUBRULE(this.end_);
    return { kind: "lemma", atom, then, span };
  });

  private readonly conjunction = this.RULE("conjunction", (level: number): Literal[] => {
    const all: Literal[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => all.push(this.SUBRULE(this.literal, { ARGS: [level] })),
    });
    return all;
  });

  private readonly literal = this.RULE("literal", (level: number): Literal => {
    const first = this.LA(1);
    const isAtom = (): boolean =>
      this.LA(1).tokenType === v.Name || (this.LA(1).tokenType === v.Not && this.LA(2).tokenType === v.Name);
    const isAssignment = (): boolean =>
      this.LA(1).tokenType === v.VariableToken && this.LA(2).tokenType === v.Assign;
    return this.OR<Literal>({
      DEF: [
        { GATE: isAtom, ALT: () => this.SUBRULE(this.signedAtom) },
        {
          GATE: isAssignment,
          ALT: () => {
            const target = this.named(this.CONSUME(v.VariableToken));
            this.CONSUME(v.Assign);
            const value = this.SUBRULE(this.expression, { ARGS: [level] });
            return { kind: "assign", target, value, span: this.spanFrom(first) };
          },
        },
        {
          GATE: () => !isAtom() && !isAssignment(),
          ALT: () => {
            const of = this.SUBRULE2(this.expression, { ARGS: [level] });
            return { kind: "condition", of, span: this.spanFrom(first) };
          },
        },
      ],
      ERR_MSG: "a tuple or a condition",
    });
  });

  private readonly signedAtom = this.RULE("signedAtom", (): AtomTree => {
    const first = this.LA(1);
    let isNegated = false;
    this.OPTION(() => {
      this.CONSUME(v.Not);
      isNegated = true;
    });
    const atom = this.SUBRULE(this.atom);
    return isNegated ? { ...atom, isNegated, span: this.spanFrom(first) } : atom;
  });

  private readonly atom = this.RULE("atom", (): AtomTree => {
    const first = this.CONSUME(v.Name);
    const args: Tree[] = [];
    let location = -1;
    this.CONSUME(v.Open);
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        this.OPTION(() => {
          this.CONSUME(v.At);
          location = args.length;
        });
        args.push(this.SUBRULE(this.expression));
      },
    });
    this.CONSUME(v.Close);
    return {
      kind: "atom",
      name: first.image,
      args,
      location,
      isNegated: false,
      span: this.spanFrom(first),
    };
  });

  protected override operands(first: IToken): IOrAlt<Tree>[] {
    const span = (): Span => this.spanFrom(first);
    return [
      this.numbers(first),
      {
        ALT: () => {
          const { image } = this.CONSUME(v.StringToken);
          return { kind: "string", text: image.slice(1, -1), span: span() };
        },
      },
      ...this.truths(first),
      { ALT: () => ({ kind: "variable", name: this.CONSUME(v.VariableToken).image, span: span() }) },
      { ALT: () => this.SUBRULE(this.aggregate) },
      { ALT: () => this.SUBRULE(this.call) },
      { ALT: () => this.SUBRULE(this.quantified) },
      this.parentheses(),
      ...this.prefixes(first),
    ];
  }

  private readonly aggregate = this.RULE("aggregate", (): Tree => {
    const first = this.CONSUME(v.AggregateToken);
    this.CONSUME(v.Less);
    const of = this.CONSUME(v.VariableToken).image;
    this.CONSUME(v.Greater);
    return { kind: "aggregate", name: first.image, of, span: this.spanFrom(first) };
  });

  private readonly call = this.RULE("call", (): Tree => {
    const first = this.CONSUME(v.FunctionToken);
    const args: Tree[] = [];
    this.CONSUME(v.Open);
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => args.push(this.SUBRULE(this.expression)),
    });
    this.CONSUME(v.Close);
    return { kind: "call", name: first.image, args, span: this.spanFrom(first) };
  });

  private readonly quantified = this.RULE("quantified", (): Tree => {
    const first = this.LA(1);
    const kind = this.OR([
      { ALT: () => (this.CONSUME(v.Exists), "exists" as const) },
      { ALT: () => (this.CONSUME(v.Forall), "forall" as const) },
    ]);
    const names = this.SUBRULE(this.variables);
    const body = this.SUBRULE(this.expression);
    return { kind, names, body, span: this.spanFrom(first) };
  });

  /** Properties and constants may be spelled in either case. */
  private readonly anyName = this.RULE("anyName", (): Named =>
    this.named(this.OR([{ ALT: () => this.CONSUME(v.Name) }, { ALT: () => this.CONSUME(v.VariableToken) }])),
  );

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

let shared: NdlogGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): NdlogGrammar => (shared ??= new NdlogGrammar());
