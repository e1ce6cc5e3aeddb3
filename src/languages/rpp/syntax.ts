/** Grammar and syntax tree of recursively parallel programs. A semicolon before a closing brace is optional. */
import type { IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { SourceParser, type Named } from "../toolkit/source-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import * as v from "./vocabulary.js";

export interface ParallelProgram {
  readonly tasks: readonly TaskTree[];
  readonly main: Named | undefined;
}

export interface TaskTree extends Named {
  readonly body: readonly Statement[];
}

export type Statement =
  | { readonly kind: "post"; readonly task: Named; readonly region: Named; readonly span: Span }
  | {
      readonly kind: "ewait";
      readonly region: Named;
      readonly branches: readonly WaitBranch[];
      readonly span: Span;
    }
  | { readonly kind: "await"; readonly span: Span }
  | { readonly kind: "choose"; readonly branches: readonly (readonly Statement[])[]; readonly span: Span }
  | { readonly kind: "loop"; readonly body: readonly Statement[]; readonly span: Span }
  | { readonly kind: "return"; readonly value: Named; readonly span: Span }
  | { readonly kind: "break" | "skip" | "error"; readonly span: Span };

export interface WaitBranch {
  /** `*` stands for all values not listed. */
  readonly value: string;
  readonly body: readonly Statement[];
  readonly span: Span;
}

class RppGrammar extends SourceParser {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, { ...options, code: "rpp/syntax" });
    this.performSelfAnalysis();
  }

  parseProgram(tokens: readonly SourceToken[], end: Span, report: Report): ParallelProgram | undefined {
    return this.parseWith(this.program, tokens, end, report) as ParallelProgram | undefined;
  }

  private readonly program = this.RULE("program", (): ParallelProgram => {
    const tasks: TaskTree[] = [];
    this.MANY(() => {
      const task = this.attempt(
        () => this.SUBRULE(this.task),
        () => this.skipWhile(({ tokenType }) => tokenType !== v.Task),
      );
      if (task) tasks.push(task);
    });
    let main: Named | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Main);
      main = this.named(this.CONSUME(v.Name));
      this.CONSUME(v.Semicolon);
    });
    return { tasks, main };
  });

  private readonly task = this.RULE("task", (): TaskTree => {
    this.CONSUME(v.Task);
    const name = this.named(this.CONSUME(v.Name));
    const body = this.SUBRULE(this.block);
    return { ...name, body };
  });

  private readonly block = this.RULE("block", (): readonly Statement[] => {
    this.CONSUME(v.OpenBrace);
    const body = this.SUBRULE(this.statements);
    this.CONSUME(v.CloseBrace);
    return body;
  });

  private readonly statements = this.RULE("statements", (): readonly Statement[] => {
    const all: Statement[] = [];
    this.MANY(() => {
      const found = this.OR<readonly Statement[]>([
        { ALT: () => this.SUBRULE(this.block) },
        { ALT: () => [this.SUBRULE(this.statement)] },
        { ALT: () => (this.CONSUME(v.Semicolon), []) },
      ]);
      this.ACTION(() => void all.push(...found));
    });
    return all;
  });

  private readonly statement = this.RULE("statement", (): Statement =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.post) },
        { ALT: () => this.SUBRULE(this.ewait) },
        { ALT: () => this.SUBRULE(this.awaitAll) },
        { ALT: () => this.SUBRULE(this.choose) },
        { ALT: () => this.SUBRULE(this.loop) },
        { ALT: () => this.SUBRULE(this.giveBack) },
        { ALT: () => this.#simple("break", this.CONSUME(v.Break)) },
        { ALT: () => this.#simple("skip", this.CONSUME(v.Skip)) },
        { ALT: () => this.#simple("error", this.CONSUME(v.ErrorWord)) },
      ],
      ERR_MSG: "a statement",
    }),
  );

  private readonly post = this.RULE("post", (): Statement => {
    const first = this.CONSUME(v.Post);
    const task = this.named(this.CONSUME(v.Name));
    this.CONSUME(v.In);
    const region = this.named(this.CONSUME2(v.Name));
    return { kind: "post", task, region, span: this.spanFrom(first) };
  });

  private readonly ewait = this.RULE("ewait", (): Statement => {
    const first = this.CONSUME(v.Ewait);
    const region = this.named(this.CONSUME(v.Name));
    const span = this.spanFrom(first);
    const branches: WaitBranch[] = [];
    this.CONSUME(v.OpenBrace);
    this.AT_LEAST_ONE({
      ERR_MSG: "`on`",
      DEF: () => {
        this.CONSUME(v.On);
        const value = this.OR({
          DEF: [{ ALT: () => this.CONSUME2(v.Name) }, { ALT: () => this.CONSUME(v.Star) }],
          ERR_MSG: "a value or `*`",
        });
        this.CONSUME(v.Colon);
        branches.push({
          value: value.image,
          body: this.SUBRULE(this.statements),
          span: this.named(value).span,
        });
      },
    });
    this.CONSUME(v.CloseBrace);
    return { kind: "ewait", region, branches, span };
  });

  private readonly awaitAll = this.RULE("awaitAll", (): Statement => {
    const first = this.CONSUME(v.Await);
    this.CONSUME(v.Name);
    return { kind: "await", span: this.spanFrom(first) };
  });

  private readonly choose = this.RULE("choose", (): Statement => {
    const first = this.CONSUME(v.Choose);
    const branches: (readonly Statement[])[] = [];
    this.CONSUME(v.OpenBrace);
    this.AT_LEAST_ONE({
      ERR_MSG: "`[]`",
      DEF: () => {
        this.CONSUME(v.Branch);
        branches.push(this.SUBRULE(this.statements));
      },
    });
    this.CONSUME(v.CloseBrace);
    return { kind: "choose", branches, span: this.named(first).span };
  });

  private readonly loop = this.RULE("loop", (): Statement => {
    const first = this.CONSUME(v.Loop);
    const body = this.SUBRULE(this.block);
    return { kind: "loop", body, span: this.named(first).span };
  });

  private readonly giveBack = this.RULE("giveBack", (): Statement => {
    const first = this.CONSUME(v.Return);
    const value = this.named(this.CONSUME(v.Name));
    return { kind: "return", value, span: this.spanFrom(first) };
  });

  #simple(kind: "break" | "skip" | "error", token: IToken): Statement {
    return { kind, span: this.named(token).span };
  }
}

let shared: RppGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export const grammar = (): RppGrammar => (shared ??= new RppGrammar());
