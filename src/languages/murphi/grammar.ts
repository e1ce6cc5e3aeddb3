/** Top level of the grammar: declarations, procedures and rules, in any order. */
import type { IToken } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type {
  Declaration,
  Expression,
  Formal,
  Formula,
  Name,
  ProcedureUnit,
  RuleUnit,
  Statement,
  TypeExpression,
  Unit,
} from "./ast.js";
import { isA } from "./grammar-expressions.js";
import { isEnd, STARTS_UNIT, StatementGrammar, textOf } from "./grammar-statements.js";
import { describeSyntaxError } from "./hints.js";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";
import type { IRecognitionException } from "chevrotain";

export class MurphiGrammar extends StatementGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, options);
    this.performSelfAnalysis();
  }

  parseUnits(tokens: readonly Token[], end: Span, report: Report): readonly Unit[] {
    return this.parseWith(this.units, tokens, end, report) ?? [];
  }

  parseExpression(tokens: readonly Token[], end: Span, report: Report): Expression | undefined {
    return this.parseWith(this.expression, tokens, end, report) as Expression | undefined;
  }

  parseFormula(tokens: readonly Token[], end: Span, report: Report): Formula | undefined {
    return this.parseWith(this.formula, tokens, end, report) as Formula | undefined;
  }

  protected override describe(error: IRecognitionException): Diagnostic | undefined {
    const base = super.describe(error);
    return base && describeSyntaxError(base, this.tokenOf(error.token) as Token | undefined, error);
  }

  private readonly units = this.RULE("units", (): Unit[] => {
    const units: Unit[] = [];
    this.MANY({
      GATE: () => this.tokenOf(this.LA(1)) !== undefined,
      DEF: () => {
        const found = this.attempt(
          () => this.SUBRULE(this.unit),
          () => this.#skipUnit(),
        );
        this.ACTION(() => {
          if (found) units.push(...found);
        });
        this.SUBRULE(this.semicolons);
      },
    });
    return units;
  });

  #skipUnit(): void {
    this.SKIP_TOKEN();
    this.skipWhile((next) => !STARTS_UNIT.has(next.tokenType) && !STARTS_SECTION.has(next.tokenType));
  }

  private readonly unit = this.RULE("unit", (): Unit[] =>
    this.OR<Unit[]>({
      DEF: [
        { ALT: () => this.SUBRULE(this.section) },
        {
          ALT: () => {
            const procedure = this.SUBRULE(this.procedure);
            return this.ACTION((): Unit[] => [procedure]);
          },
        },
        {
          ALT: () => {
            const rule = this.SUBRULE(this.rule);
            return this.ACTION((): Unit[] => [rule]);
          },
        },
      ],
      ERR_MSG: "a declaration or a rule",
    }),
  );

  // ---- declarations -----------------------------------------------------------------------------

  private readonly section = this.RULE("section", (): Declaration[] =>
    this.OR<Declaration[]>([
      { ALT: () => this.SUBRULE(this.constants) },
      { ALT: () => this.SUBRULE(this.types) },
      { ALT: () => this.SUBRULE(this.variables) },
    ]),
  );

  private readonly constants = this.RULE("constants", (): Declaration[] => {
    const declarations: Declaration[] = [];
    this.CONSUME(v.Const);
    this.MANY(() => {
      const declaration = this.attempt(
        () => this.SUBRULE(this.constant),
        () => this.#skipDeclaration(),
      );
      if (declaration) declarations.push(declaration);
      this.SUBRULE(this.semicolons);
    });
    return declarations;
  });

  private readonly constant = this.RULE("constant", (): Declaration => {
    const first = this.LA(1);
    const names = this.SUBRULE(this.names);
    this.CONSUME(v.Colon);
    const value = this.SUBRULE(this.expression);
    return this.ACTION(() => ({ kind: "const", names, value, span: this.spanFrom(first) }));
  });

  /** Skips to the next semicolon, or to the start of another unit. */
  #skipDeclaration(): void {
    this.skipWhile(
      ({ tokenType }) =>
        tokenType !== v.Semicolon && !STARTS_UNIT.has(tokenType) && !STARTS_SECTION.has(tokenType),
    );
  }

  private readonly types = this.RULE("types", (): Declaration[] => {
    this.CONSUME(v.TypeWord);
    const found = this.SUBRULE(this.typed);
    return this.ACTION(() => found.map((each): Declaration => ({ kind: "type", ...each })));
  });

  private readonly variables = this.RULE("variables", (): Declaration[] => {
    this.CONSUME(v.Var);
    const found = this.SUBRULE(this.typed);
    return this.ACTION(() => found.map((each): Declaration => ({ kind: "var", ...each })));
  });

  private readonly typed = this.RULE("typed", (): Typed[] => {
    const found: Typed[] = [];
    this.MANY(() => {
      const declaration = this.attempt(
        () => this.SUBRULE(this.typedNames),
        () => this.#skipDeclaration(),
      );
      if (declaration) found.push(declaration);
      this.SUBRULE(this.semicolons);
    });
    return found;
  });

  private readonly typedNames = this.RULE("typedNames", (): Typed => {
    const first = this.LA(1);
    const names = this.SUBRULE(this.names);
    this.CONSUME(v.Colon);
    const type = this.SUBRULE(this.type);
    return this.ACTION(() => ({ names, type, span: this.spanFrom(first) }));
  });

  private readonly sections = this.RULE("sections", (): Declaration[] => {
    const declarations: Declaration[] = [];
    this.MANY(() => {
      const found = this.SUBRULE(this.section);
      this.ACTION(() => declarations.push(...found));
    });
    return declarations;
  });

  // ---- procedures -------------------------------------------------------------------------------

  private readonly procedure = this.RULE("procedure", (): ProcedureUnit => {
    const first = this.LA(1);
    this.OR([{ ALT: () => this.CONSUME(v.ProcedureWord) }, { ALT: () => this.CONSUME(v.FunctionWord) }]);
    const name = this.SUBRULE(this.name);
    this.CONSUME(v.LeftParen);
    const formals: Formal[] = [];
    this.MANY(() => {
      formals.push(this.SUBRULE(this.formal));
      this.SUBRULE(this.semicolons);
    });
    this.CONSUME(v.RightParen);
    const result = this.OPTION(() => {
      this.CONSUME(v.Colon);
      return this.SUBRULE(this.type);
    });
    this.SUBRULE2(this.semicolons);
    const { declarations, body } = this.SUBRULE(this.body);
    this.OR2([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndFunction) }]);
    return this.ACTION(() => ({
      kind: "procedure",
      name,
      formals,
      result,
      declarations,
      body,
      span: this.spanFrom(first),
    }));
  });

  private readonly formal = this.RULE("formal", (): Formal => {
    const isVar = this.OPTION(() => (this.CONSUME(v.Var), true)) ?? false;
    const names = this.SUBRULE(this.names);
    this.CONSUME(v.Colon);
    const type = this.SUBRULE(this.type);
    return { isVar, names, type };
  });

  private readonly body = this.RULE("body", (): { declarations: Declaration[]; body: Statement[] } => {
    const declarations = this.SUBRULE(this.sections);
    this.OPTION(() => this.CONSUME(v.Begin));
    const body = this.SUBRULE(this.statements);
    return { declarations, body };
  });

  // ---- rules ------------------------------------------------------------------------------------

  private readonly rules = this.RULE("rules", (): RuleUnit[] => {
    const rules: RuleUnit[] = [];
    this.SUBRULE(this.semicolons);
    this.MANY({
      GATE: () => !isEnd(this.LA(1)) && this.tokenOf(this.LA(1)) !== undefined,
      DEF: () => {
        const rule = this.attempt(
          () => this.SUBRULE(this.rule),
          () => this.#skipRule(),
        );
        if (rule) rules.push(rule);
        this.SUBRULE2(this.semicolons);
      },
    });
    return rules;
  });

  #skipRule(): void {
    const isRule = (next: IToken): boolean => STARTS_UNIT.has(next.tokenType) || isA(next, v.Category);
    if (!isEnd(this.LA(1))) this.SKIP_TOKEN();
    this.skipWhile((next) => !isRule(next) && !isEnd(next));
    if (isEnd(this.LA(1))) this.SKIP_TOKEN();
  }

  private readonly rule = this.RULE("rule", (): RuleUnit =>
    this.OR<RuleUnit>({
      DEF: [
        { ALT: () => this.SUBRULE(this.plainRule) },
        { ALT: () => this.SUBRULE(this.startstate) },
        { ALT: () => this.SUBRULE(this.property) },
        { ALT: () => this.SUBRULE(this.ltl) },
        { ALT: () => this.SUBRULE(this.ruleset) },
        { ALT: () => this.SUBRULE(this.aliasRules) },
        { ALT: () => this.SUBRULE(this.choose) },
      ],
      ERR_MSG: "a rule",
    }),
  );

  private readonly plainRule = this.RULE("plainRule", (): RuleUnit => {
    const first = this.CONSUME(v.RuleWord);
    this.ACTION(() => this.#refusePriority());
    const name = this.OPTION(() => this.CONSUME(v.StringToken) as Token);
    const guard = this.OPTION2({ GATE: () => this.hasGuard(), DEF: () => this.SUBRULE(this.guard) });
    const { declarations, body } = this.SUBRULE(this.body);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndRule) }]);
    return this.ACTION(() => ({
      kind: "rule",
      name: name && textOf(name),
      guard,
      declarations,
      body,
      span: this.spanFrom(first),
    }));
  });

  /** Reports `rule 3 "name"` of CMurphi and skips the number. */
  #refusePriority(): void {
    const number = this.tokenOf(this.LA(1));
    if (number?.tokenType !== v.NumberToken || this.LA(2).tokenType !== v.StringToken) return;
    this.report({
      code: "murphi/rule-priority",
      severity: "error",
      message: "rules with priorities are not supported",
      span: number.span,
      hint: "remove the number; state in the guards when a rule may fire",
    });
    this.SKIP_TOKEN();
  }

  private readonly guard = this.RULE("guard", (): Expression => {
    const guard = this.SUBRULE(this.expression);
    this.CONSUME(v.Fires);
    return guard;
  });

  /**
   * Only an arrow distinguishes a guard from the first statement: it must precede any token that a guard cannot
   * contain.
   */
  private hasGuard(): boolean {
    for (let i = 1; ; i++) {
      const next = this.LA(i);
      if (next.tokenType === v.Fires) return true;
      if (this.tokenOf(next) === undefined || ENDS_GUARD.has(next.tokenType)) return false;
      // `:=` and `;` occur in expressions only inside quantifiers.
      if (next.tokenType === v.Forall || next.tokenType === v.Exists) i = this.#behindQuantifiers(i);
      else if (next.tokenType === v.Becomes || next.tokenType === v.Semicolon) return false;
    }
  }

  #behindQuantifiers(from: number): number {
    let i = from;
    while (this.tokenOf(this.LA(i)) !== undefined && this.LA(i).tokenType !== v.Do && !isEnd(this.LA(i))) i++;
    return i;
  }

  private readonly startstate = this.RULE("startstate", (): RuleUnit => {
    const first = this.CONSUME(v.Startstate);
    const name = this.OPTION(() => this.CONSUME(v.StringToken) as Token);
    const { declarations, body } = this.SUBRULE(this.body);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndStartstate) }]);
    return this.ACTION(() => ({
      kind: "startstate",
      name: name && textOf(name),
      guard: undefined,
      declarations,
      body,
      span: this.spanFrom(first),
    }));
  });

  /** The name precedes or follows the formula, as with other properties. */
  private readonly ltl = this.RULE("ltl", (): RuleUnit => {
    const first = this.CONSUME(v.Ltl);
    const before = this.OPTION(() => this.CONSUME(v.StringToken) as Token);
    const formula = this.SUBRULE(this.formula);
    const after = this.OPTION2(() => this.CONSUME2(v.StringToken) as Token);
    return this.ACTION(() => {
      const name = before ?? after;
      return { kind: "ltl", name: name && textOf(name), formula, span: this.spanFrom(first) };
    });
  });

  private readonly ruleset = this.RULE("ruleset", (): RuleUnit => {
    const first = this.CONSUME(v.Ruleset);
    const quantifiers = this.SUBRULE(this.quantifiers);
    this.SUBRULE(this.doWord);
    const rules = this.SUBRULE(this.rules);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndRuleset) }]);
    return this.ACTION(() => ({ kind: "ruleset", quantifiers, rules, span: this.spanFrom(first) }));
  });

  private readonly aliasRules = this.RULE("aliasRules", (): RuleUnit => {
    const first = this.CONSUME(v.Alias);
    const aliases = this.SUBRULE(this.aliases);
    this.CONSUME(v.Do);
    const rules = this.SUBRULE(this.rules);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndAlias) }]);
    return this.ACTION(() => ({ kind: "aliasRules", aliases, rules, span: this.spanFrom(first) }));
  });

  private readonly choose = this.RULE("choose", (): RuleUnit => {
    const first = this.CONSUME(v.Choose);
    const name = this.SUBRULE(this.name);
    this.CONSUME(v.Colon);
    const multiset = this.SUBRULE(this.designator);
    this.SUBRULE(this.doWord);
    const rules = this.SUBRULE(this.rules);
    this.OR([{ ALT: () => this.CONSUME(v.EndAny) }, { ALT: () => this.CONSUME(v.EndChoose) }]);
    return this.ACTION(() => ({ kind: "choose", name, multiset, rules, span: this.spanFrom(first) }));
  });
}

interface Typed {
  readonly names: readonly Name[];
  readonly type: TypeExpression;
  readonly span: Span;
}

const STARTS_SECTION: ReadonlySet<unknown> = new Set([v.Const, v.TypeWord, v.Var]);

const ENDS_GUARD: ReadonlySet<unknown> = new Set([
  v.Begin,
  v.If,
  v.Switch,
  v.For,
  v.While,
  v.Alias,
  v.Clear,
  v.Undefine,
  v.ErrorWord,
  v.Put,
  v.Return,
  v.RuleWord,
  v.Startstate,
  v.Ruleset,
  v.Var,
  v.Const,
  v.TypeWord,
  v.Assert,
  v.Invariant,
  v.MultisetAdd,
  v.MultisetRemove,
  v.MultisetRemoveIf,
]);
