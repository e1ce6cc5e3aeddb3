/** Grammar of FSP, the language of LTSA. A broken definition gives one diagnostic; parsing resumes after its full stop. */
import type { IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type {
  Branch,
  Change,
  Composition,
  Index,
  Item,
  Label,
  Local,
  LocalDefinition,
  Parameter,
  ReferenceTree,
  RelabelTree,
  SetTree,
  Source,
} from "./ast.js";
import { FormulaGrammar } from "./formula-grammar.js";
import * as v from "./vocabulary.js";

const DECLARING: ReadonlySet<TokenType> = new Set([
  v.Const,
  v.Range,
  v.SetWord,
  v.Menu,
  v.Progress,
  v.Fluent,
  v.Assert,
  v.Property,
  v.Minimal,
  v.Deterministic,
]);

class FspGrammar extends FormulaGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(options);
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

  /** Dots also join parts of labels: a definition ends at a dot before another definition or the end of the file. */
  #resume(): void {
    this.skipWhile(
      ({ tokenType }) => !DECLARING.has(tokenType) && !(tokenType === v.Dot && this.#isStart(this.LA(2))),
    );
    if (this.LA(1).tokenType === v.Dot) this.SKIP_TOKEN();
  }

  #isStart(token: IToken): boolean {
    const { tokenType } = token;
    return !this.tokenOf(token) || DECLARING.has(tokenType) || tokenType === v.Bars || this.isUpper(token);
  }

  private readonly item = this.RULE("item", (): Item =>
    this.OR<Item>([
      { ALT: () => this.SUBRULE(this.constant) },
      { ALT: () => this.SUBRULE(this.rangeItem) },
      { ALT: () => this.SUBRULE(this.setItem) },
      { ALT: () => this.SUBRULE(this.progress) },
      { ALT: () => this.SUBRULE(this.fluent) },
      { ALT: () => this.SUBRULE(this.assertion) },
      { ALT: () => this.SUBRULE(this.definition) },
    ]),
  );

  private readonly constant = this.RULE("constant", (): Item => {
    this.CONSUME(v.Const);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    this.CONSUME(v.Is);
    return { kind: "const", name, value: this.SUBRULE(this.simple), span };
  });

  private readonly rangeItem = this.RULE("rangeItem", (): Item => {
    this.CONSUME(v.Range);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    this.CONSUME(v.Is);
    const low = this.SUBRULE(this.simple);
    this.CONSUME(v.Dots);
    return { kind: "range", name, low, high: this.SUBRULE2(this.simple), span };
  });

  private readonly setItem = this.RULE("setItem", (): Item => {
    const kind = this.OR([
      { ALT: () => (this.CONSUME(v.SetWord), "set" as const) },
      { ALT: () => (this.CONSUME(v.Menu), "menu" as const) },
    ]);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    this.CONSUME(v.Is);
    return { kind, name, set: this.SUBRULE(this.set), span };
  });

  private readonly progress = this.RULE("progress", (): Item => {
    this.CONSUME(v.Progress);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    const indices: Index[] = [];
    this.MANY(() => indices.push(this.SUBRULE(this.index)));
    this.CONSUME(v.Is);
    let premise: SetTree | undefined;
    this.OPTION(() => {
      this.CONSUME(v.If);
      premise = this.SUBRULE(this.set);
      this.CONSUME(v.Then);
    });
    return { kind: "progress", name, indices, premise, set: this.SUBRULE2(this.set), span };
  });

  private readonly definition = this.RULE("definition", (): Item => {
    let isProperty = false;
    let modifier: "minimal" | "deterministic" | undefined;
    this.MANY(() =>
      this.OR([
        { ALT: () => (this.CONSUME(v.Property), (isProperty = true)) },
        { ALT: () => (this.CONSUME(v.Minimal), (modifier = "minimal")) },
        { ALT: () => (this.CONSUME(v.Deterministic), (modifier = "deterministic")) },
      ]),
    );
    return this.OR2<Item>([
      { ALT: () => ({ ...this.SUBRULE(this.composite), isProperty, modifier }) },
      { ALT: () => ({ ...this.SUBRULE(this.process), isProperty, modifier }) },
    ]);
  });

  private readonly process = this.RULE("process", () => {
    const { name, span } = this.named(this.CONSUME(v.Upper));
    const parameters = this.SUBRULE(this.parameters);
    this.CONSUME(v.Is);
    const locals: LocalDefinition[] = [{ name, indices: [], body: this.SUBRULE(this.local), span }];
    this.MANY(() => {
      this.CONSUME(v.Comma);
      const own = this.named(this.CONSUME2(v.Upper));
      const indices: Index[] = [];
      this.MANY2(() => indices.push(this.SUBRULE(this.index)));
      this.CONSUME2(v.Is);
      locals.push({ ...own, indices, body: this.SUBRULE2(this.local) });
    });
    let extension: SetTree | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Plus);
      extension = this.SUBRULE(this.set);
    });
    const changes = this.SUBRULE(this.changes);
    this.CONSUME(v.Dot);
    return { kind: "process" as const, name, parameters, locals, extension, changes, span };
  });

  private readonly parameters = this.RULE("parameters", (): Parameter[] => {
    const found: Parameter[] = [];
    this.OPTION(() => {
      this.CONSUME(v.Open);
      this.AT_LEAST_ONE_SEP({
        SEP: v.Comma,
        DEF: () => {
          const own = this.named(this.CONSUME(v.Upper));
          this.CONSUME(v.Is);
          found.push({ ...own, value: this.SUBRULE(this.expression) });
        },
      });
      this.CONSUME(v.Close);
    });
    return found;
  });

  private readonly local = this.RULE("local", (): Local => {
    const first = this.LA(1);
    const constant = (kind: "stop" | "error" | "end"): Local => ({ kind, span: this.spanFrom(first) });
    return this.OR<Local>({
      DEF: [
        { ALT: () => (this.CONSUME(v.Stop), constant("stop")) },
        { ALT: () => (this.CONSUME(v.ErrorWord), constant("error")) },
        { ALT: () => (this.CONSUME(v.End), constant("end")) },
        { ALT: () => this.SUBRULE(this.conditional) },
        { ALT: () => this.SUBRULE(this.choice) },
        { ALT: () => this.SUBRULE(this.sequence) },
      ],
      ERR_MSG: "a process",
    });
  });

  private readonly conditional = this.RULE("conditional", (): Local => {
    const first = this.CONSUME(v.If);
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(v.Then);
    const then = this.SUBRULE(this.local);
    let otherwise: Local | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Else);
      otherwise = this.SUBRULE2(this.local);
    });
    return { kind: "if", condition, then, otherwise, span: this.spanFrom(first) };
  });

  private readonly sequence = this.RULE("sequence", (): Local => {
    const start = this.LA(1);
    const first = this.SUBRULE(this.reference);
    let then: Local | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Semicolon);
      then = this.SUBRULE(this.local);
    });
    return then ? { kind: "sequence", first, then, span: this.spanFrom(start) } : first;
  });

  private readonly reference = this.RULE("reference", (): ReferenceTree => {
    const first = this.CONSUME(v.Upper);
    const indices: ReferenceTree["indices"][number][] = [];
    this.MANY(() => {
      this.CONSUME(v.OpenBracket);
      indices.push(this.SUBRULE(this.expression));
      this.CONSUME(v.CloseBracket);
    });
    let args: ReferenceTree["indices"][number][] | undefined;
    this.OPTION(() => {
      const found: typeof indices = [];
      this.CONSUME(v.Open);
      this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => found.push(this.SUBRULE2(this.expression)) });
      this.CONSUME(v.Close);
      args = found;
    });
    return { kind: "reference", name: first.image, indices, args, span: this.spanFrom(first) };
  });

  private readonly choice = this.RULE("choice", (): Local => {
    const first = this.CONSUME(v.Open);
    const branches: Branch[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Bar, DEF: () => branches.push(this.SUBRULE(this.branch)) });
    this.CONSUME(v.Close);
    return { kind: "choice", branches, span: this.spanFrom(first) };
  });

  private readonly branch = this.RULE("branch", (): Branch => {
    let guard: Branch["guard"];
    this.OPTION(() => {
      this.CONSUME(v.When);
      guard = this.SUBRULE(this.expression);
    });
    const actions: Label[] = [this.SUBRULE(this.label)];
    this.CONSUME(v.Arrow);
    this.MANY({
      GATE: () => this.#isActionNext(),
      DEF: () => {
        actions.push(this.SUBRULE2(this.label));
        this.CONSUME2(v.Arrow);
      },
    });
    return { guard, actions, then: this.SUBRULE(this.local) };
  });

  /** A capital letter begins a set only before an arrow or a dot; else a process. */
  #isActionNext(): boolean {
    if (!this.isUpper(this.LA(1))) return true;
    const { tokenType } = this.LA(2);
    return tokenType === v.Arrow || tokenType === v.Dot;
  }

  private readonly changes = this.RULE("changes", (): Change[] => {
    const found: Change[] = [];
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(v.Slash);
            found.push({ kind: "relabel", pairs: this.SUBRULE(this.relabels) });
          },
        },
        {
          ALT: () => {
            const kind = this.OR2([
              { ALT: () => (this.CONSUME(v.Backslash), "hide" as const) },
              { ALT: () => (this.CONSUME(v.At), "keep" as const) },
              { ALT: () => (this.CONSUME(v.HighPriority), "high" as const) },
              { ALT: () => (this.CONSUME(v.LowPriority), "low" as const) },
            ]);
            found.push({ kind, set: this.SUBRULE(this.set) });
          },
        },
      ]);
    });
    return found;
  });

  private readonly relabels = this.RULE("relabels", (): RelabelTree[] => {
    const pairs: RelabelTree[] = [];
    this.CONSUME(v.OpenBrace);
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => pairs.push(this.SUBRULE(this.relabel)) });
    this.CONSUME(v.CloseBrace);
    return pairs;
  });

  private readonly relabel = this.RULE("relabel", (): RelabelTree =>
    this.OR<RelabelTree>([
      {
        ALT: () => {
          this.CONSUME(v.Forall);
          const indices: Index[] = [];
          this.AT_LEAST_ONE(() => indices.push(this.SUBRULE(this.index)));
          return { kind: "forall", indices, pairs: this.SUBRULE(this.relabels) };
        },
      },
      {
        ALT: () => {
          const to = this.SUBRULE(this.label);
          this.CONSUME(v.Slash);
          return { kind: "pair", to, from: this.SUBRULE2(this.label) };
        },
      },
    ]),
  );

  private readonly composite = this.RULE("composite", () => {
    this.CONSUME(v.Bars);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    const parameters = this.SUBRULE(this.parameters);
    this.CONSUME(v.Is);
    const body = this.SUBRULE(this.composition);
    this.CONSUME(v.Dot);
    return { kind: "composite" as const, name, parameters, body, span };
  });

  private readonly composition = this.RULE("composition", (): Composition =>
    this.OR<Composition>([
      { ALT: () => this.SUBRULE(this.conditionalComposition) },
      { ALT: () => this.SUBRULE(this.replication) },
      { ALT: () => this.SUBRULE(this.instance) },
    ]),
  );

  private readonly conditionalComposition = this.RULE("conditionalComposition", (): Composition => {
    const first = this.CONSUME(v.If);
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(v.Then);
    const then = this.SUBRULE(this.composition);
    let otherwise: Composition | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Else);
      otherwise = this.SUBRULE2(this.composition);
    });
    return { kind: "if", condition, then, otherwise, span: this.spanFrom(first) };
  });

  private readonly replication = this.RULE("replication", (): Composition => {
    const first = this.CONSUME(v.Forall);
    const indices: Index[] = [];
    this.AT_LEAST_ONE({
      GATE: () => !this.#isPrefixNext(),
      DEF: () => indices.push(this.SUBRULE(this.index)),
    });
    const body = this.SUBRULE(this.composition);
    return { kind: "forall", indices, body, span: this.spanFrom(first) };
  });

  /** `[i]:P`: an index that belongs to a prefix, not to `forall`. */
  #isPrefixNext(): boolean {
    if (this.LA(1).tokenType !== v.OpenBracket || this.LA(3).tokenType !== v.CloseBracket) return false;
    const { tokenType } = this.LA(4);
    return tokenType === v.Colon || tokenType === v.Dot || tokenType === v.Sharing;
  }

  private readonly instance = this.RULE("instance", (): Composition => {
    const first = this.LA(1);
    let sharing: Label | undefined;
    let prefix: Label | undefined;
    this.OPTION({
      GATE: () => this.#isLabelNext(),
      DEF: () => {
        const label = this.SUBRULE(this.label);
        this.OR([
          {
            ALT: () => {
              this.CONSUME(v.Sharing);
              sharing = label;
              this.OPTION2({
                GATE: () => this.#isLabelNext(),
                DEF: () => {
                  prefix = this.SUBRULE2(this.label);
                  this.CONSUME(v.Colon);
                },
              });
            },
          },
          { ALT: () => (this.CONSUME2(v.Colon), (prefix = label)) },
        ]);
      },
    });
    const of = this.OR2<ReferenceTree | Composition>([
      { ALT: () => this.SUBRULE(this.reference) },
      { ALT: () => this.SUBRULE(this.parallel) },
    ]);
    const changes = this.SUBRULE(this.changes);
    return { kind: "instance", sharing, prefix, of, changes, span: this.spanFrom(first) };
  });

  #isLabelNext(): boolean {
    const { tokenType } = this.LA(1);
    if (tokenType === v.Open) return false;
    if (!this.isUpper(this.LA(1))) return true;
    const next = this.LA(2).tokenType;
    return next === v.Colon || next === v.Sharing || (next === v.Dot && this.LA(3).tokenType === v.Lower);
  }

  private readonly parallel = this.RULE("parallel", (): Composition => {
    const first = this.CONSUME(v.Open);
    const parts: Composition[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: v.Bars, DEF: () => parts.push(this.SUBRULE(this.composition)) });
    this.CONSUME(v.Close);
    return { kind: "parallel", parts, span: this.spanFrom(first) };
  });
}

let shared: FspGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): FspGrammar => (shared ??= new FspGrammar());
