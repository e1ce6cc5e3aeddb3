/** Top level of the grammar: units of a model, and formulas. */
import type { IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { Declaration, EmbeddedC, Expression, Formula, Name, ProctypeUnit, Unit } from "./ast.js";
import { toFormula, type FormulaProblems } from "./fold.js";
import { nameOf } from "./grammar-expressions.js";
import { isA } from "./grammar-declarations.js";
import { ComplainingGrammar } from "./grammar-mistakes.js";
import { STARTS_UNIT } from "./grammar-statements.js";
import { depthOf, MAX_DEPTH, MAX_NESTING, tooDeep } from "./limits.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";

export class PromelaGrammar extends ComplainingGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, options);
    this.performSelfAnalysis();
  }

  parseUnits(tokens: readonly Token[], end: Span, report: Report): readonly Unit[] {
    this.resetStatements();
    const units = this.parseWith(this.units, tokens, end, report) ?? [];
    if (this.mayBeTooDeep) this.#checkDepth(units);
    return units;
  }

  parseFormula(tokens: readonly Token[], end: Span, report: Report): Formula | undefined {
    return this.#parseAlone(this.formula, tokens, end, report);
  }

  parseExpression(tokens: readonly Token[], end: Span, report: Report): Expression | undefined {
    return this.#parseAlone(this.expression, tokens, end, report);
  }

  #parseAlone<T extends Formula | Expression>(
    rule: () => T,
    tokens: readonly Token[],
    end: Span,
    report: Report,
  ): T | undefined {
    this.resetStatements();
    const part = this.parseWith(rule, tokens, end, report) as T | undefined;
    if (part && this.mayBeTooDeep) this.#checkDepth([part]);
    return part;
  }

  private readonly units = this.RULE("units", (): Unit[] => {
    const units: Unit[] = [];
    this.ACTION(() => this.#toNextUnit());
    this.MANY(() => {
      const unit = this.attempt(
        () => this.SUBRULE(this.unit),
        () => this.#skipUnit(),
      );
      this.ACTION(() => {
        if (unit) units.push(unit);
        this.#toNextUnit();
      });
    });
    return units;
  });

  private readonly unit = this.RULE("unit", (): Unit =>
    this.OR<Unit>({
      DEF: [
        { ALT: () => this.SUBRULE(this.proctype) },
        { ALT: () => this.SUBRULE(this.init) },
        { ALT: () => this.SUBRULE(this.never) },
        { ALT: () => this.SUBRULE(this.trace) },
        { ALT: () => this.SUBRULE(this.ltl) },
        { ALT: () => this.SUBRULE(this.typedef) },
        { GATE: () => this.#startsMtypes(), ALT: () => this.SUBRULE(this.mtypes) },
        { ALT: () => this.SUBRULE(this.enumeration) },
        { GATE: () => this.startsDeclaration(), ALT: () => this.SUBRULE(this.declaration) },
        { ALT: () => this.SUBRULE(this.embedded) },
      ],
      ERR_MSG: "a declaration or a process",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly proctype = this.RULE("proctype", (): Unit => {
    const first = this.LA(1);
    const active = this.OPTION(() => this.SUBRULE(this.active));
    const keyword = this.OR([
      { ALT: () => this.CONSUME(v.Proctype) },
      { ALT: () => this.CONSUME(v.DProctype) },
    ]);
    const name = this.CONSUME(v.Identifier);
    this.CONSUME(v.LeftParen);
    const parameters = this.OPTION2(() => this.SUBRULE(this.declarations));
    this.CONSUME(v.RightParen);
    const priority = this.OPTION3(() => this.SUBRULE(this.priority));
    const provided = this.OPTION4(() => {
      this.CONSUME(v.Provided);
      this.CONSUME2(v.LeftParen);
      const condition = this.SUBRULE(this.expression);
      this.CONSUME2(v.RightParen);
      return condition;
    });
    const body = this.SUBRULE(this.braced);
    return this.ACTION(() => ({
      kind: "proctype",
      span: this.spanFrom(first),
      name: nameOf(name),
      deterministic: keyword.tokenType === v.DProctype,
      active,
      parameters: parameters ?? [],
      priority,
      provided,
      body,
    }));
  });

  private readonly active = this.RULE("active", (): ProctypeUnit["active"] => {
    const first = this.CONSUME(v.Active);
    const count = this.OPTION(() => {
      this.CONSUME(v.LeftBracket);
      const value = this.SUBRULE(this.expression);
      this.CONSUME(v.RightBracket);
      return value;
    });
    return this.ACTION(() => ({ span: this.spanFrom(first), count }));
  });

  private readonly declarations = this.RULE("declarations", (): Declaration[] => {
    const declarations: Declaration[] = [];
    declarations.push(this.SUBRULE(this.declaration));
    this.MANY(() => {
      this.AT_LEAST_ONE(() => this.CONSUME(v.Separator));
      this.OPTION(() => declarations.push(this.SUBRULE2(this.declaration)));
    });
    return declarations;
  });

  private readonly init = this.RULE("init", (): Unit => {
    const first = this.CONSUME(v.Init);
    const priority = this.OPTION(() => this.SUBRULE(this.priority));
    const body = this.SUBRULE(this.braced);
    return this.ACTION(() => ({ kind: "init", span: this.spanFrom(first), priority, body }));
  });

  private readonly never = this.RULE("never", (): Unit => {
    const first = this.CONSUME(v.Never);
    const name = this.OPTION(() => this.CONSUME(v.Identifier));
    const body = this.SUBRULE(this.braced);
    return this.ACTION(() => ({
      kind: "never",
      span: this.spanFrom(first),
      name: name && nameOf(name),
      body,
    }));
  });

  private readonly trace = this.RULE("trace", (): Unit => {
    const first = this.OR([{ ALT: () => this.CONSUME(v.Trace) }, { ALT: () => this.CONSUME(v.NotTrace) }]);
    const body = this.SUBRULE(this.braced);
    return this.ACTION(() => {
      const negated = first.tokenType === v.NotTrace;
      return { kind: "trace", span: this.spanFrom(first), negated, body };
    });
  });

  private readonly ltl = this.RULE("ltl", (): Unit => {
    const first = this.CONSUME(v.Ltl);
    const name = this.OPTION(() => this.CONSUME(v.Identifier));
    this.CONSUME(v.LeftBrace);
    const formula = this.SUBRULE(this.formula);
    this.OPTION2(() => this.CONSUME(v.Separator));
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({
      kind: "ltl",
      span: this.spanFrom(first),
      name: name && nameOf(name),
      formula,
    }));
  });

  private readonly formula = this.RULE("formula", (): Formula => {
    const term = this.SUBRULE(this.expression);
    return this.ACTION(() => {
      if (!this.mayBeTooDeep || depthOf(term) <= MAX_DEPTH) return toFormula(term, this.#formulaProblems);
      this.report(tooDeep(term.span));
      return { kind: "atom", span: term.span, expression: term };
    });
  });

  readonly #formulaProblems: FormulaProblems = {
    misplaced: (span) =>
      this.report({
        code: "promela/misplaced-temporal-operator",
        severity: "error",
        message: "a temporal operator is not allowed inside an arithmetic or relational expression",
        span,
        hint: "unary operators bind tightest: write `<> (x == 1)`, not `<> x == 1`",
      }),
    bitwise: (operator, span) =>
      this.report({
        code: "promela/bitwise-in-formula",
        severity: "warning",
        message: `\`${operator}\` between temporal formulas is read as \`${operator}${operator}\``,
        span,
      }),
  };

  private readonly typedef = this.RULE("typedef", (): Unit => {
    const first = this.CONSUME(v.Typedef);
    const name = this.CONSUME(v.Identifier);
    this.CONSUME(v.LeftBrace);
    const fields = this.SUBRULE(this.declarations);
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "typedef", span: this.spanFrom(first), name: nameOf(name), fields }));
  });

  private readonly mtypes = this.RULE("mtypes", (): Unit => {
    const first = this.CONSUME(v.Mtype);
    const subtype = this.OPTION(() => {
      this.CONSUME(v.Colon);
      return this.CONSUME(v.Identifier);
    });
    this.OPTION2(() => this.CONSUME(v.Assign));
    const names = this.SUBRULE(this.constantNames);
    return this.ACTION(() => ({
      kind: "mtypeDeclaration",
      span: this.spanFrom(first),
      subtype: subtype && nameOf(subtype),
      names,
    }));
  });

  private readonly enumeration = this.RULE("enumeration", (): Unit => {
    const first = this.CONSUME(v.Enum);
    const name = this.CONSUME(v.Identifier);
    this.CONSUME(v.Assign);
    const names = this.SUBRULE(this.constantNames);
    return this.ACTION(() => {
      const subtype = nameOf(name);
      return { kind: "mtypeDeclaration", span: this.spanFrom(first), subtype, isEnum: true, names };
    });
  });

  private readonly constantNames = this.RULE("constantNames", (): Name[] => {
    this.CONSUME(v.LeftBrace);
    const names: Name[] = [];
    this.AT_LEAST_ONE(() => {
      this.OR([
        {
          ALT: () => {
            const name = this.CONSUME2(v.Identifier);
            this.ACTION(() => names.push(nameOf(name)));
          },
        },
        { ALT: () => this.CONSUME(v.Comma) },
      ]);
    });
    this.CONSUME(v.RightBrace);
    return names;
  });

  private readonly embedded = this.RULE("embedded", (): EmbeddedC => {
    const token = this.CONSUME(v.EmbeddedCToken);
    return this.ACTION(() => this.embeddedC(token as Token));
  });

  /** Skips separators and tokens that cannot start a unit, with one diagnostic for all. */
  #toNextUnit(): void {
    for (;;) {
      this.skipWhile((next) => isA(next.tokenType, v.Separator));
      const next = this.LA(1);
      if (!this.tokenOf(next) || this.#startsUnit(next)) return;
      this.reportUnexpected("a declaration or a process");
      this.SKIP_TOKEN();
      this.#skipUnit();
    }
  }

  #startsUnit(next: IToken): boolean {
    const type = next.tokenType;
    if (type === v.Inline) return false; // only malformed ones remain
    return STARTS_UNIT.has(type) || type === v.Enum || type === v.EmbeddedCToken || this.startsDeclaration();
  }

  /** Skips whole bodies, to the next separator or start of a unit. */
  #skipUnit(): void {
    let depth = 0;
    this.skipWhile((next) => {
      const type = next.tokenType;
      if (STARTS_UNIT.has(type)) return false;
      if (depth === 0 && isA(type, v.Separator)) return false;
      if (depth === 0 && (next as Token).newlineBefore && isA(type, v.BasicTypeToken)) return false;
      if (type === v.LeftBrace) depth++;
      else if (type === v.RightBrace && depth > 0) depth--;
      return true;
    });
  }

  #startsMtypes(): boolean {
    if (this.LA(1).tokenType !== v.Mtype) return false;
    const next = this.LA(this.LA(2).tokenType === v.Colon ? 4 : 2).tokenType;
    return next === v.LeftBrace || next === v.Assign;
  }

  #checkDepth(parts: readonly (Unit | Formula | Expression)[]): void {
    for (const part of parts) if (depthOf(part) > MAX_DEPTH + MAX_NESTING) this.report(tooDeep(part.span));
  }
}
