/** Statements. After an invalid one, parsing resumes behind the next semicolon. */
import type { IToken } from "chevrotain";
import type { AliasNode, PropertyNode, Statement } from "./ast.js";
import { isA } from "./grammar-expressions.js";
import { FormulaGrammar } from "./grammar-formulas.js";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";

export abstract class StatementGrammar extends FormulaGrammar {
  protected readonly statements = this.RULE("statements", (): Statement[] => {
    const statements: Statement[] = [];
    this.MANY({
      GATE: () => !this.endsStatements(this.LA(1)),
      DEF: () => {
        const statement = this.attempt(
          () => this.SUBRULE(this.statement),
          () => this.skipStatement(),
        );
        const isClosed = this.OPTION(() => {
          this.AT_LEAST_ONE(() => this.CONSUME(v.Semicolon));
          return true;
        });
        this.ACTION(() => {
          if (statement) statements.push(statement);
          if (statement && !isClosed && !this.endsStatements(this.LA(1))) this.#reportMissingSemicolon();
        });
      },
    });
    return statements;
  });

  /** Reports a missing semicolon; parsing continues. */
  #reportMissingSemicolon(): void {
    // The lexer has reported these.
    if (this.LA(1).tokenType === v.Unknown || this.LA(1).tokenType === v.Probabilistic) return;
    const { span } = this.tokenOf(this.LA(0))!;
    this.report({
      code: "murphi/syntax",
      severity: "error",
      message: `expected \`;\`, found ${this.found(this.LA(1))}`,
      span: { ...span, start: span.end },
      hint: "statements are separated by semicolons",
    });
  }

  private endsStatements(next: IToken): boolean {
    return (
      this.tokenOf(next) === undefined ||
      next.tokenType === v.Case ||
      next.tokenType === v.Else ||
      next.tokenType === v.Elsif ||
      isEnd(next) ||
      STARTS_UNIT.has(next.tokenType)
    );
  }

  /** Skips past the next semicolon, or to the end of the block. */
  protected skipStatement(): void {
    let depth = 0;
    this.skipWhile((next) => {
      if (depth === 0 && (next.tokenType === v.Semicolon || this.endsStatements(next))) return false;
      if (OPENS.has(next.tokenType)) depth++;
      if (isEnd(next)) depth--;
      return true;
    });
  }

  private readonly statement = this.RULE("statement", (): Statement =>
    this.OR<Statement>({
      DEF: [
        { ALT: () => this.SUBRULE(this.ifStatement) },
        { ALT: () => this.SUBRULE(this.switchStatement) },
        { ALT: () => this.SUBRULE(this.forStatement) },
        { ALT: () => this.SUBRULE(this.whileStatement) },
        { ALT: () => this.SUBRULE(this.aliasStatement) },
        { ALT: () => this.SUBRULE(this.resetStatement) },
        { ALT: () => this.SUBRULE(this.errorStatement) },
        { ALT: () => this.SUBRULE(this.property) },
        { ALT: () => this.SUBRULE(this.putStatement) },
        { ALT: () => this.SUBRULE(this.returnStatement) },
        { ALT: () => this.SUBRULE(this.multisetAdd) },
        { ALT: () => this.SUBRULE(this.multisetRemove) },
        { ALT: () => this.SUBRULE(this.multisetRemoveIf) },
        { GATE: () => this.LA(2).tokenType === v.LeftParen, ALT: () => this.SUBRULE(this.call) },
        { ALT: () => this.SUBRULE(this.assignment) },
      ],
      ERR_MSG: "a statement",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly assignment = this.RULE("assignment", (): Statement => {
    const first = this.LA(1);
    const target = this.SUBRULE(this.designator);
    this.CONSUME(v.Becomes);
    const value = this.SUBRULE(this.actual);
    return this.ACTION(() => ({ kind: "assign", target, value, span: this.spanFrom(first) }));
  });

  private readonly ifStatement = this.RULE("ifStatement", (): Statement => {
    const first = this.CONSUME(v.If);
    const branches: {
      condition: (Statement & { kind: "if" })["branches"][0]["condition"];
      body: Statement[];
    }[] = [];
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(v.Then);
    branches.push({ condition, body: this.SUBRULE(this.statements) });
    this.MANY(() => {
      this.CONSUME(v.Elsif);
      const next = this.SUBRULE2(this.expression);
      this.CONSUME2(v.Then);
      branches.push({ condition: next, body: this.SUBRULE2(this.statements) });
    });
    const otherwise = this.OPTION(() => {
      this.CONSUME(v.Else);
      return this.SUBRULE3(this.statements);
    });
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndIf) }]);
    return this.ACTION(() => ({
      kind: "if",
      branches,
      otherwise: otherwise ?? [],
      span: this.spanFrom(first),
    }));
  });

  private readonly switchStatement = this.RULE("switchStatement", (): Statement => {
    const first = this.CONSUME(v.Switch);
    const subject = this.SUBRULE(this.expression);
    const cases: { labels: (typeof subject)[]; body: Statement[] }[] = [];
    this.MANY(() => {
      this.CONSUME(v.Case);
      const labels = [this.SUBRULE2(this.expression)];
      this.MANY2(() => {
        this.CONSUME(v.Comma);
        labels.push(this.SUBRULE3(this.expression));
      });
      this.CONSUME(v.Colon);
      cases.push({ labels, body: this.SUBRULE(this.statements) });
    });
    const otherwise = this.OPTION(() => {
      this.CONSUME(v.Else);
      return this.SUBRULE2(this.statements);
    });
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndSwitch) }]);
    return this.ACTION(() => ({
      kind: "switch",
      subject,
      cases,
      otherwise: otherwise ?? [],
      span: this.spanFrom(first),
    }));
  });

  private readonly forStatement = this.RULE("forStatement", (): Statement => {
    const first = this.CONSUME(v.For);
    const quantifiers = this.SUBRULE(this.quantifiers);
    this.SUBRULE(this.doWord);
    const body = this.SUBRULE(this.statements);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndFor) }]);
    return this.ACTION(() => ({ kind: "for", quantifiers, body, span: this.spanFrom(first) }));
  });

  private readonly whileStatement = this.RULE("whileStatement", (): Statement => {
    const first = this.CONSUME(v.While);
    const condition = this.SUBRULE(this.expression);
    this.SUBRULE(this.doWord);
    const body = this.SUBRULE(this.statements);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndWhile) }]);
    return this.ACTION(() => ({ kind: "while", condition, body, span: this.spanFrom(first) }));
  });

  private readonly aliasStatement = this.RULE("aliasStatement", (): Statement => {
    const first = this.CONSUME(v.Alias);
    const aliases = this.SUBRULE(this.aliases);
    this.CONSUME(v.Do);
    const body = this.SUBRULE(this.statements);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndAlias) }]);
    return this.ACTION(() => ({ kind: "alias", aliases, body, span: this.spanFrom(first) }));
  });

  protected readonly aliases = this.RULE("aliases", (): AliasNode[] => {
    const aliases: AliasNode[] = [];
    this.MANY(() => {
      const first = this.LA(1);
      const name = this.SUBRULE(this.name);
      this.CONSUME(v.Colon);
      const value = this.SUBRULE(this.expression);
      this.ACTION(() => aliases.push({ name, value, span: this.spanFrom(first) }));
      this.SUBRULE(this.semicolons);
    });
    return aliases;
  });

  private readonly resetStatement = this.RULE("resetStatement", (): Statement => {
    const first = this.LA(1);
    const kind = this.OR([
      { ALT: () => (this.CONSUME(v.Clear), "clear" as const) },
      { ALT: () => (this.CONSUME(v.Undefine), "undefine" as const) },
    ]);
    const target = this.SUBRULE(this.designator);
    return this.ACTION(() => ({ kind, target, span: this.spanFrom(first) }));
  });

  private readonly errorStatement = this.RULE("errorStatement", (): Statement => {
    const first = this.CONSUME(v.ErrorWord);
    const message = this.CONSUME(v.StringToken) as Token;
    return this.ACTION(() => ({ kind: "error", message: textOf(message), span: this.spanFrom(first) }));
  });

  /** The message precedes or follows the condition. */
  protected readonly property = this.RULE("property", (): PropertyNode => {
    const first = this.CONSUME(v.Category) as Token;
    const before = this.OPTION(() => this.CONSUME(v.StringToken) as Token);
    const condition = this.SUBRULE(this.expression);
    const after = this.OPTION2(() => this.CONSUME2(v.StringToken) as Token);
    return this.ACTION(() => {
      const message = before ?? after;
      return {
        kind: "property",
        category: first.image.toLowerCase() as PropertyNode["category"],
        message: message && textOf(message),
        condition,
        span: this.spanFrom(first),
      };
    });
  });

  private readonly putStatement = this.RULE("putStatement", (): Statement => {
    const first = this.CONSUME(v.Put);
    const what = this.OR<string | (Statement & { kind: "put" })["what"]>([
      {
        ALT: () => {
          const text = this.CONSUME(v.StringToken) as Token;
          return this.ACTION(() => textOf(text));
        },
      },
      { ALT: () => this.SUBRULE(this.expression) },
    ]);
    return this.ACTION(() => ({ kind: "put", what, span: this.spanFrom(first) }));
  });

  private readonly returnStatement = this.RULE("returnStatement", (): Statement => {
    const first = this.CONSUME(v.Return);
    const value = this.OPTION({
      GATE: () => this.LA(1).tokenType !== v.Semicolon && !this.endsStatements(this.LA(1)),
      DEF: () => this.SUBRULE(this.expression),
    });
    return this.ACTION(() => ({ kind: "return", value, span: this.spanFrom(first) }));
  });

  private readonly multisetAdd = this.RULE("multisetAdd", (): Statement => {
    const first = this.CONSUME(v.MultisetAdd);
    this.CONSUME(v.LeftParen);
    const element = this.SUBRULE(this.designator);
    this.CONSUME(v.Comma);
    const multiset = this.SUBRULE2(this.designator);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "multisetadd", element, multiset, span: this.spanFrom(first) }));
  });

  private readonly multisetRemove = this.RULE("multisetRemove", (): Statement => {
    const first = this.CONSUME(v.MultisetRemove);
    this.CONSUME(v.LeftParen);
    const name = this.SUBRULE(this.name);
    this.CONSUME(v.Comma);
    const multiset = this.SUBRULE(this.designator);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ kind: "multisetremove", name, multiset, span: this.spanFrom(first) }));
  });

  private readonly multisetRemoveIf = this.RULE("multisetRemoveIf", (): Statement => {
    const first = this.CONSUME(v.MultisetRemoveIf);
    const elements = this.SUBRULE(this.elementsWhere);
    return this.ACTION(() => ({ kind: "multisetremovepred", ...elements, span: this.spanFrom(first) }));
  });
}

export const isEnd = (token: IToken): boolean =>
  isA(token, v.EndAny) || (/^end[a-z]+$/i.test(token.image) && token.tokenType !== v.Identifier);

/** Content of a string literal; escapes are kept. */
export const textOf = (token: Token): string => token.image.slice(1, -1);

/** Tokens that begin a unit other than a statement. */
export const STARTS_UNIT: ReadonlySet<unknown> = new Set([
  v.RuleWord,
  v.Startstate,
  v.Ruleset,
  v.Choose,
  v.Ltl,
  v.ProcedureWord,
  v.FunctionWord,
]);

const OPENS: ReadonlySet<unknown> = new Set([
  v.If,
  v.Switch,
  v.For,
  v.While,
  v.Alias,
  v.Forall,
  v.Exists,
  v.RecordWord,
]);
