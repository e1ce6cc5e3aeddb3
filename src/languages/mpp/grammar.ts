/** Grammar of message-passing programs; extends the grammar of policies. */
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { Named } from "../toolkit/provenance/ast.js";
import { PolicyGrammar, named } from "../toolkit/provenance/grammar.js";
import * as v from "../toolkit/provenance/vocabulary.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type { Condition, Declaration, DomainStepNode, Statement } from "./ast.js";

export class MppGrammar extends PolicyGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super({ ...options, code: "mpp/syntax" });
    this.performSelfAnalysis();
  }

  parseProgram(tokens: readonly SourceToken[], end: Span, report: Report): readonly Declaration[] {
    return this.parseWith(this.declarations, tokens, end, report) ?? [];
  }

  private readonly declarations = this.RULE("declarations", (): Declaration[] => {
    const all: Declaration[] = [];
    this.MANY(() => {
      const one = this.attempt(
        () => this.SUBRULE(this.declaration),
        () => this.#skipDeclaration(),
      );
      this.ACTION(() => one && all.push(one));
    });
    return all;
  });

  private readonly declaration = this.RULE("declaration", (): Declaration =>
    this.OR<Declaration>({
      DEF: [
        {
          ALT: () => {
            this.CONSUME(v.Message);
            const names = this.SUBRULE(this.names);
            this.CONSUME(v.Semicolon);
            return { kind: "messages", names };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Channel);
            const names = this.SUBRULE2(this.names);
            this.CONSUME2(v.Semicolon);
            return { kind: "channels", names };
          },
        },
        { ALT: () => this.SUBRULE(this.operation) },
        { ALT: () => this.SUBRULE(this.principal) },
        { ALT: () => this.SUBRULE(this.domain) },
        {
          ALT: () => {
            const first = this.CONSUME(v.ProvenanceWord);
            const name = this.CONSUME(v.Name);
            this.CONSUME3(v.Semicolon);
            return this.ACTION(() => ({
              kind: "domain-choice",
              span: this.spanFrom(first),
              name: named(name),
            }));
          },
        },
        { ALT: () => this.SUBRULE(this.property) },
      ],
      ERR_MSG: "a declaration",
    }),
  );

  private readonly operation = this.RULE("operation", (): Declaration => {
    this.CONSUME(v.Op);
    const name = this.CONSUME(v.Name);
    this.CONSUME(v.LeftBrace);
    const images: { from: Named; to: Named }[] = [];
    this.MANY(() => {
      const from = this.CONSUME2(v.Name);
      this.CONSUME(v.Arrow);
      const to = this.CONSUME3(v.Name);
      this.CONSUME(v.Semicolon);
      this.ACTION(() => images.push({ from: named(from), to: named(to) }));
    });
    const others = this.OPTION(() => {
      this.CONSUME(v.Star);
      this.CONSUME2(v.Arrow);
      const to = this.OR({
        IGNORE_AMBIGUITIES: true,
        DEF: [{ ALT: () => this.CONSUME(v.Same) }, { ALT: () => this.CONSUME4(v.Name) }],
      });
      this.CONSUME2(v.Semicolon);
      return this.ACTION(() => ({ to: to.tokenType === v.Same ? undefined : named(to) }));
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "operation", name: named(name), images, others }));
  });

  private readonly domain = this.RULE("domain", (): Declaration => {
    const first = this.CONSUME(v.Domain);
    const name = this.CONSUME(v.Name);
    const initial: Named[] = [];
    const steps: DomainStepNode[] = [];
    this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      this.OR({
        IGNORE_AMBIGUITIES: true,
        DEF: [
          {
            ALT: () => {
              this.CONSUME(v.Init);
              const state = this.CONSUME2(v.Name);
              this.ACTION(() => initial.push(named(state)));
            },
          },
          { ALT: () => steps.push(this.SUBRULE(this.domainStep)) },
        ],
      });
      this.CONSUME(v.Semicolon);
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({
      kind: "domain",
      span: this.spanFrom(first),
      name: named(name),
      initial,
      steps,
    }));
  });

  private readonly domainStep = this.RULE("domainStep", (): DomainStepNode => {
    const from = this.CONSUME(v.Name);
    this.CONSUME(v.Minus);
    const event = this.OR([
      { ALT: () => this.CONSUME(v.Send) },
      { ALT: () => this.CONSUME(v.Receive) },
      { ALT: () => this.CONSUME(v.Op) },
    ]);
    const by = this.OR2([{ ALT: () => this.CONSUME2(v.Name) }, { ALT: () => this.CONSUME(v.Any) }]);
    this.CONSUME(v.Arrow);
    const to = this.CONSUME3(v.Name);
    return this.ACTION(() => ({
      from: named(from),
      event: event.tokenType === v.Send ? "send" : event.tokenType === v.Receive ? "receive" : "operation",
      by: by.tokenType === v.Any ? undefined : named(by),
      to: named(to),
    }));
  });

  private readonly principal = this.RULE("principal", (): Declaration => {
    const first = this.CONSUME(v.Principal);
    const name = this.CONSUME(v.Name);
    const variables: Named[] = [];
    this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      this.CONSUME(v.Var);
      const names = this.SUBRULE(this.names);
      this.CONSUME(v.Semicolon);
      this.ACTION(() => variables.push(...names));
    });
    const body = this.SUBRULE(this.statements);
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({
      kind: "principal",
      span: this.spanFrom(first),
      name: named(name),
      variables,
      body,
    }));
  });

  private readonly statements = this.RULE("statements", (): Statement[] => {
    const all: Statement[] = [];
    this.MANY(() => {
      const one = this.attempt(
        () => this.SUBRULE(this.statement),
        () => this.#skipStatement(),
      );
      this.ACTION(() => one && all.push(one));
    });
    return all;
  });

  private readonly block = this.RULE("block", (): Statement[] => {
    this.CONSUME(v.LeftBrace);
    const all = this.SUBRULE(this.statements);
    this.CONSUME(v.RightBrace);
    return all;
  });

  private readonly statement = this.RULE("statement", (): Statement =>
    this.OR<Statement>({
      DEF: [
        {
          ALT: () => {
            this.CONSUME(v.While);
            this.CONSUME(v.LeftParen);
            this.CONSUME(v.True);
            this.CONSUME(v.RightParen);
            return { kind: "loop", body: this.SUBRULE(this.block) };
          },
        },
        { ALT: () => (this.CONSUME(v.Loop), { kind: "loop", body: this.SUBRULE2(this.block) }) },
        { ALT: () => this.SUBRULE(this.choose) },
        { ALT: () => this.SUBRULE(this.conditional) },
        { ALT: () => this.SUBRULE(this.communication) },
        {
          ALT: () => {
            const first = this.CONSUME(v.Assume);
            this.CONSUME2(v.LeftParen);
            const condition = this.SUBRULE(this.condition);
            this.CONSUME2(v.RightParen);
            this.CONSUME(v.Semicolon);
            return this.ACTION(() => ({ kind: "assume", span: this.spanFrom(first), condition }));
          },
        },
        {
          ALT: () => {
            const first = this.CONSUME(v.Spawn);
            const principal = this.CONSUME(v.Name);
            this.CONSUME2(v.Semicolon);
            return this.ACTION(() => ({
              kind: "spawn",
              span: this.spanFrom(first),
              principal: named(principal),
            }));
          },
        },
        {
          ALT: () => {
            const first = this.OR2([
              { ALT: () => this.CONSUME(v.Skip) },
              { ALT: () => this.CONSUME(v.Halt) },
              { ALT: () => this.CONSUME(v.Break) },
            ]);
            this.CONSUME3(v.Semicolon);
            return this.ACTION(() => ({ kind: first.image as "skip" | "halt", span: this.spanFrom(first) }));
          },
        },
        { GATE: () => this.LA(2).tokenType === v.Colon, ALT: () => this.SUBRULE(this.labelled) },
        { ALT: () => this.SUBRULE(this.assignment) },
      ],
      ERR_MSG: "a statement",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly choose = this.RULE("choose", (): Statement => {
    const branches: Statement[][] = [];
    this.CONSUME(v.Choose);
    this.CONSUME(v.LeftBrace);
    this.AT_LEAST_ONE({
      DEF: () => {
        this.CONSUME(v.Branch);
        branches.push(this.SUBRULE(this.statements));
      },
      ERR_MSG: "`[]`",
    });
    this.CONSUME(v.RightBrace);
    return { kind: "choose", branches };
  });

  private readonly conditional = this.RULE("conditional", (): Statement => {
    this.CONSUME(v.If);
    this.CONSUME(v.LeftParen);
    const condition = this.SUBRULE(this.condition);
    this.CONSUME(v.RightParen);
    const then = this.SUBRULE(this.branch);
    const otherwise = this.OPTION(() => {
      this.CONSUME(v.Else);
      return this.SUBRULE2(this.branch);
    });
    return { kind: "if", condition, then, otherwise: otherwise ?? [] };
  });

  private readonly branch = this.RULE("branch", (): Statement[] =>
    this.OR({
      DEF: [{ ALT: () => this.SUBRULE(this.block) }, { ALT: () => [this.SUBRULE(this.statement)] }],
      ERR_MSG: "a statement or `{`",
    }),
  );

  private readonly communication = this.RULE("communication", (): Statement => {
    const first = this.OR([{ ALT: () => this.CONSUME(v.Send) }, { ALT: () => this.CONSUME(v.Receive) }]);
    this.CONSUME(v.LeftParen);
    const channel = this.CONSUME(v.Name);
    this.CONSUME(v.Comma);
    const variable = this.CONSUME2(v.Name);
    this.CONSUME(v.RightParen);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({
      kind: first.tokenType === v.Send ? "send" : "receive",
      span: this.spanFrom(first),
      channel: named(channel),
      variable: named(variable),
    }));
  });

  private readonly labelled = this.RULE("labelled", (): Statement => {
    const label = this.CONSUME(v.Name);
    this.CONSUME(v.Colon);
    const statement = this.SUBRULE(this.statement);
    return this.ACTION(() => ({ kind: "labelled", label: named(label), statement }));
  });

  private readonly assignment = this.RULE("assignment", (): Statement => {
    const target = this.CONSUME(v.Name);
    this.CONSUME(v.Assign);
    const name = this.CONSUME2(v.Name);
    const argument = this.OPTION(() => {
      this.CONSUME(v.LeftParen);
      const variable = this.CONSUME3(v.Name);
      this.CONSUME(v.RightParen);
      return variable;
    });
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({
      kind: "assign",
      span: this.spanFrom(target),
      target: named(target),
      value: { name: named(name), argument: argument && named(argument) },
    }));
  });

  private readonly condition = this.RULE("condition", (): Condition =>
    this.OR<Condition>({
      DEF: [
        {
          ALT: () => {
            const variable = this.CONSUME(v.Name);
            const relation = this.OR2([
              { ALT: () => this.CONSUME(v.Equal) },
              { ALT: () => this.CONSUME(v.NotEqual) },
            ]);
            const message = this.CONSUME2(v.Name);
            return this.ACTION(() => ({
              kind: "message",
              span: this.spanFrom(variable),
              variable: named(variable),
              isEqual: relation.tokenType === v.Equal,
              message: named(message),
            }));
          },
        },
        {
          ALT: () => {
            const first = this.CONSUME(v.ProvenanceWord);
            this.CONSUME(v.LeftParen);
            const variable = this.CONSUME3(v.Name);
            this.CONSUME(v.RightParen);
            const relation = this.OR3([
              { ALT: () => this.CONSUME(v.In) },
              { ALT: () => this.CONSUME(v.NotIn) },
            ]);
            const policy = this.SUBRULE(this.policy);
            return this.ACTION(() => ({
              kind: "provenance",
              span: this.spanFrom(first),
              variable: named(variable),
              isMember: relation.tokenType === v.In,
              policy,
            }));
          },
        },
      ],
      ERR_MSG: "a condition",
    }),
  );

  /** Skips an invalid statement, but not the closing brace of the enclosing block. */
  #skipStatement(): void {
    let depth = 0;
    let isOver = false;
    this.skipWhile(({ tokenType }) => {
      if (isOver || (depth === 0 && (tokenType === v.RightBrace || tokenType === v.Branch))) return false;
      if (DECLARES.has(tokenType)) return false;
      if (tokenType === v.LeftBrace) depth++;
      else if (tokenType === v.RightBrace) isOver = --depth === 0;
      else isOver = depth === 0 && tokenType === v.Semicolon;
      return true;
    });
  }

  /**
   * Skips to the start of a declaration. `provenance` and `op` also occur inside declarations, and at least one token
   * of this one has been consumed.
   */
  #skipDeclaration(): void {
    let depth = 0;
    this.skipWhile(({ tokenType }) => {
      if (DECLARES.has(tokenType) || (depth <= 0 && tokenType === v.Op)) return false;
      if (tokenType === v.LeftBrace) depth++;
      if (tokenType === v.RightBrace) depth--;
      return true;
    });
  }
}

const DECLARES = new Set([v.Principal, v.Channel, v.Message, v.PropertyWord, v.Domain]);
