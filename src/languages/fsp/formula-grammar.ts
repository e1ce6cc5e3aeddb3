/**
 * The part of the grammar for fluents and assertions. `&&` binds more tightly than the other binary operators; LTSA groups `||`, `->`, `<->`, `U` and `W` unlike most
 * logics, so they need parentheses beside each other.
 */
import type { TokenType } from "chevrotain";
import type { AssertTree, Expr, FluentTree, FormulaTree, Index, SetTree } from "./ast.js";
import { LabelGrammar } from "./label-grammar.js";
import * as v from "./vocabulary.js";

type Binary = Extract<FormulaTree, { readonly left: FormulaTree }>["kind"];

const OPERATORS: ReadonlyMap<TokenType, Binary> = new Map([
  [v.UntilWord, "until"],
  [v.WeakUntilWord, "weak-until"],
  [v.Bars, "or"],
  [v.Bar, "or"],
  [v.Arrow, "implies"],
  [v.Iff, "equivalent"],
]);

export abstract class FormulaGrammar extends LabelGrammar {
  /** A set, or one label. */
  private readonly actions = this.RULE("actions", (): SetTree => {
    const label = this.SUBRULE(this.label);
    return { kind: "listed", labels: [label], span: label.span };
  });

  protected readonly fluent = this.RULE("fluent", (): FluentTree => {
    this.CONSUME(v.Fluent);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    const indices: Index[] = [];
    this.MANY(() => indices.push(this.SUBRULE(this.index)));
    this.CONSUME(v.Is);
    this.CONSUME(v.Less);
    const on = this.SUBRULE(this.actions);
    this.CONSUME(v.Comma);
    const off = this.SUBRULE2(this.actions);
    this.CONSUME(v.Greater);
    let initially: Expr | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Initially);
      initially = this.SUBRULE(this.simple);
    });
    return { kind: "fluent", name, indices, on, off, initially, span };
  });

  protected readonly assertion = this.RULE("assertion", (): AssertTree => {
    this.CONSUME(v.Assert);
    const { name, span } = this.named(this.CONSUME(v.Upper));
    const indices: Index[] = [];
    this.MANY(() => indices.push(this.SUBRULE(this.index)));
    this.CONSUME(v.Is);
    return { kind: "assert", name, indices, formula: this.SUBRULE(this.formula), span };
  });

  private readonly formula = this.RULE("formula", (): FormulaTree => {
    let left = this.SUBRULE(this.conjunction);
    let before: Binary | undefined;
    this.MANY({
      GATE: () => !this.#isCompositeNext() && !this.#isDefinitionNext(),
      DEF: () => {
        const token = this.OR([
          { ALT: () => this.CONSUME(v.UntilWord) },
          { ALT: () => this.CONSUME(v.WeakUntilWord) },
          { ALT: () => this.CONSUME(v.Bars) },
          { ALT: () => this.CONSUME(v.Bar) },
          { ALT: () => this.CONSUME(v.Arrow) },
          { ALT: () => this.CONSUME(v.Iff) },
        ]);
        const right = this.SUBRULE2(this.conjunction);
        const kind = this.ACTION(() => OPERATORS.get(token.tokenType) ?? "or");
        // sound: test/session/fluents.test.ts
        if (before !== undefined && (before !== kind || kind !== "or"))
          this.ACTION(() =>
            this.report({
              code: "fsp/ambiguous",
              severity: "error",
              message: `'${token.image}' beside another operator needs parentheses: LTSA and most logics group it differently`,
              span: this.named(token).span,
            }),
          );
        before = kind;
        left = { kind, left, right };
      },
    });
    return left;
  });

  private readonly conjunction = this.RULE("conjunction", (): FormulaTree => {
    let left = this.SUBRULE(this.formulaOperand);
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(v.And) }, { ALT: () => this.CONSUME(v.Ampersand) }]);
      left = { kind: "and", left, right: this.SUBRULE2(this.formulaOperand) };
    });
    return left;
  });

  /** `|| NAME =` or `|| NAME (P =` after a formula begins a composite process, not a disjunction. */
  #isCompositeNext(): boolean {
    if (this.LA(1).tokenType !== v.Bars || !this.isUpper(this.LA(2))) return false;
    const { tokenType } = this.LA(3);
    return tokenType === v.Is || (tokenType === v.Open && this.LA(5).tokenType === v.Is);
  }

  #isDefinitionNext(): boolean {
    return this.isUpper(this.LA(1)) && this.LA(2).tokenType === v.Is;
  }

  private readonly formulaOperand = this.RULE("formulaOperand", (): FormulaTree =>
    this.OR<FormulaTree>([
      { ALT: () => (this.CONSUME(v.Not), { kind: "not", of: this.SUBRULE(this.formulaOperand) }) },
      { ALT: () => (this.CONSUME(v.Always), { kind: "always", of: this.SUBRULE2(this.formulaOperand) }) },
      {
        ALT: () => (
          this.CONSUME(v.Eventually),
          { kind: "eventually", of: this.SUBRULE3(this.formulaOperand) }
        ),
      },
      {
        GATE: () => this.LA(1).tokenType === v.NextWord,
        ALT: () => (this.CONSUME(v.NextWord), { kind: "next", of: this.SUBRULE4(this.formulaOperand) }),
      },
      { ALT: () => this.SUBRULE(this.quantified) },
      {
        ALT: () => {
          this.CONSUME(v.Rigid);
          this.CONSUME(v.Open);
          const condition = this.SUBRULE(this.expression);
          this.CONSUME(v.Close);
          return { kind: "rigid", condition };
        },
      },
      {
        ALT: () => {
          this.CONSUME2(v.Open);
          const inner = this.SUBRULE(this.formula);
          this.CONSUME2(v.Close);
          return inner;
        },
      },
      {
        GATE: () => this.LA(1).tokenType !== v.NextWord,
        ALT: () => ({ kind: "atom", label: this.SUBRULE(this.label) }),
      },
    ]),
  );

  private readonly quantified = this.RULE("quantified", (): FormulaTree => {
    const kind = this.OR([
      { ALT: () => (this.CONSUME(v.Forall), "forall" as const) },
      { ALT: () => (this.CONSUME(v.Exists), "exists" as const) },
    ]);
    const indices: Index[] = [];
    this.AT_LEAST_ONE(() => indices.push(this.SUBRULE(this.index)));
    return { kind, indices, of: this.SUBRULE(this.formulaOperand) };
  });
}
