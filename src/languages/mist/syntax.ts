/** Grammar and syntax tree of Mist's nets. Also accepts constructs that nets lack, for precise diagnostics. */
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { SourceParser, type Named } from "../toolkit/source-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import * as v from "./vocabulary.js";

export interface Spec {
  readonly places: readonly Named[];
  readonly rules: readonly Rule[];
  readonly initial: readonly Constraint[];
  readonly targets: readonly (readonly Constraint[])[];
}

export interface Rule {
  readonly guards: readonly Constraint[];
  readonly updates: readonly Update[];
  readonly span: Span;
}

export interface Constraint extends Named {
  readonly relation: "at-least" | "equals" | "at-most" | "within";
  readonly count: string;
  readonly whole: Span;
}

export interface Update extends Named {
  readonly terms: readonly Term[];
  readonly whole: Span;
}

export interface Term {
  readonly isNegative: boolean;
  /** A number or a name. */
  readonly text: string;
  readonly span: Span;
}

class MistGrammar extends SourceParser {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, { ...options, code: "mist/syntax" });
    this.performSelfAnalysis();
  }

  parseSpec(tokens: readonly SourceToken[], end: Span, report: Report): Spec | undefined {
    return this.parseWith(this.spec, tokens, end, report) as Spec | undefined;
  }

  private readonly spec = this.RULE("spec", (): Spec => {
    const places: Named[] = [];
    const rules: Rule[] = [];
    const targets: Constraint[][] = [];
    this.CONSUME(v.Vars);
    this.MANY(() => places.push(this.named(this.CONSUME(v.Name))));
    this.CONSUME(v.Rules);
    this.MANY2(() => {
      const rule = this.attempt(
        () => this.SUBRULE(this.rule),
        () => this.#toNextRule(),
      );
      if (rule) rules.push(rule);
    });
    this.CONSUME(v.Init);
    const initial = this.SUBRULE(this.conjunction);
    this.CONSUME(v.Target);
    this.MANY3(() => targets.push(this.SUBRULE2(this.conjunction)));
    this.OPTION(() => {
      this.CONSUME(v.Invariants);
      this.MANY4(() => this.SUBRULE3(this.conjunction));
    });
    return { places, rules, initial, targets };
  });

  private readonly rule = this.RULE("rule", (): Rule => {
    const first = this.LA(1);
    const guards: Constraint[] = [];
    const updates: Update[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      ERR_MSG: "a condition",
      DEF: () =>
        this.OR([
          { ALT: () => void this.CONSUME(v.True) },
          { ALT: () => void guards.push(this.SUBRULE(this.constraint)) },
        ]),
    });
    this.CONSUME(v.Arrow);
    this.MANY_SEP({ SEP: v.Comma, DEF: () => updates.push(this.SUBRULE(this.update)) });
    this.CONSUME(v.Semicolon);
    return { guards, updates, span: this.spanFrom(first) };
  });

  private readonly conjunction = this.RULE("conjunction", (): Constraint[] => {
    const constraints = [this.SUBRULE(this.constraint)];
    this.MANY({
      GATE: () => this.LA(2).tokenType === v.Name,
      DEF: () => {
        this.CONSUME(v.Comma);
        constraints.push(this.SUBRULE2(this.constraint));
      },
    });
    // Some of Mist's examples end a list with a comma.
    this.OPTION(() => this.CONSUME2(v.Comma));
    return constraints;
  });

  private readonly constraint = this.RULE("constraint", (): Constraint => {
    const name = this.CONSUME(v.Name);
    let relation: Constraint["relation"] = "at-least";
    const count = this.OR({
      DEF: [
        { ALT: () => (this.CONSUME(v.AtLeast), this.CONSUME(v.NumberToken).image) },
        {
          ALT: () => {
            this.CONSUME(v.Equals);
            relation = "equals";
            return this.CONSUME2(v.NumberToken).image;
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Less);
            relation = "at-most";
            return this.CONSUME3(v.NumberToken).image;
          },
        },
        { ALT: () => (this.SUBRULE(this.interval), (relation = "within"), "0") },
      ],
      ERR_MSG: "`>=` or `=`",
    });
    return { ...this.named(name), relation, count, whole: this.spanFrom(name) };
  });

  private readonly interval = this.RULE("interval", (): void => {
    this.CONSUME(v.In);
    this.CONSUME(v.OpenBracket);
    this.CONSUME(v.NumberToken);
    this.CONSUME(v.Comma);
    this.CONSUME2(v.NumberToken);
    this.CONSUME(v.CloseBracket);
  });

  private readonly update = this.RULE("update", (): Update => {
    const name = this.CONSUME(v.Name);
    this.CONSUME(v.Prime);
    this.CONSUME(v.Equals);
    const terms = [this.SUBRULE(this.term)];
    this.MANY(() => {
      const isNegative = this.OR([
        { ALT: () => (this.CONSUME(v.Plus), false) },
        { ALT: () => (this.CONSUME(v.Minus), true) },
      ]);
      const term = this.SUBRULE2(this.term);
      terms.push({ ...term, isNegative });
    });
    return { ...this.named(name), terms, whole: this.spanFrom(name) };
  });

  private readonly term = this.RULE("term", (): Term => {
    const token = this.OR({
      DEF: [{ ALT: () => this.CONSUME(v.Name) }, { ALT: () => this.CONSUME(v.NumberToken) }],
      ERR_MSG: "a name or a number",
    });
    return { isNegative: false, text: token.image, span: this.named(token).span };
  });

  /** Recovers after the semicolon of the invalid rule, or at the next section. */
  #toNextRule(): void {
    this.skipWhile(({ tokenType }) => tokenType !== v.Semicolon && tokenType !== v.Init);
    if (this.LA(1).tokenType === v.Semicolon) this.SKIP_TOKEN();
  }
}

let shared: MistGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): MistGrammar => (shared ??= new MistGrammar());
