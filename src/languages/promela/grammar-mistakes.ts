/** Diagnostics of syntax errors, with hints. */
import type { IRecognitionException, IToken } from "chevrotain";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Expression, Name } from "./ast.js";
import { StatementGrammar } from "./grammar-statements.js";
import { describeCall, describeSyntaxError, originNotes, wordHint } from "./hints.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";

export abstract class ComplainingGrammar extends StatementGrammar {
  protected override describe(error: IRecognitionException): Diagnostic | undefined {
    const base = super.describe(error);
    if (!base || error.token.tokenType === v.Unknown) return undefined; // `classify` has reported it
    const previous = "previousToken" in error ? (error.previousToken as IToken) : undefined;
    const before = previous && (this.tokenOf(previous) as Token | undefined);
    const rule = error.context.ruleStack.at(-1);
    return describeSyntaxError(base, this.tokenOf(error.token) as Token | undefined, before, rule);
  }

  protected override reportMissingSeparator(): void {
    const last = this.LA(0) as Token;
    const next = this.LA(1) as Token;
    if (last.tokenType === v.Colon) return; // a label before a declaration has been reported
    const special = describeCall(last, next);
    if (special) {
      this.report(special);
      this.skipStatement();
      return;
    }
    this.report({
      code: "promela/missing-separator",
      severity: "error",
      message: `expected \`;\` or \`->\` before \`${next.image}\``,
      span: next.span,
      hint: wordHint(next.image) ?? "add `;` after the statement before",
      notes: originNotes(next),
    });
  }

  protected override reportUnexpected(expected: string): void {
    const next = this.tokenOf(this.LA(1)) as Token | undefined;
    if (next?.tokenType === v.Unknown) return; // `classify` has reported it
    const before = this.tokenOf(this.LA(0)) as Token | undefined;
    const message = `expected ${expected}, found ${this.found(this.LA(1))}`;
    const base: Diagnostic = { code: "syntax", severity: "error", message, span: next?.span ?? this.end };
    this.report(describeSyntaxError(base, next, before, "sequence"));
  }

  protected override reportMisplacedReturn(token: Token, isInInline: boolean): void {
    this.report({
      code: "promela/misplaced-return",
      severity: "error",
      message: isInInline ? "nothing takes the value that this inline returns" : "`return` outside an inline",
      span: token.span,
      hint: isInInline ? "call it as `x = f(…)`" : undefined,
    });
  }

  protected override checkAfterLabel(label: Name): void {
    if (!this.startsDeclaration() && this.LA(1).tokenType !== v.Exclusive) return;
    this.report({
      code: "promela/label-before-declaration",
      severity: "error",
      message: `label \`${label.text}\` is before a declaration`,
      span: label.span,
      hint: "put the label before a statement, for instance `skip`",
    });
  }

  protected override checkChoiceEnd(first: Token, last: Token): void {
    const expected = first.tokenType === v.If ? "fi" : "od";
    if (last.image === expected) return;
    this.report({
      code: "promela/mismatched-end",
      severity: "error",
      message: `\`${first.image}\` ends with \`${expected}\`, found \`${last.image}\``,
      span: last.span,
      notes: [{ span: first.span, message: `this \`${first.image}\`` }],
    });
  }

  protected override checkTarget(first: Token, target: Expression): void {
    if (target.kind === "variable" && first.tokenType !== v.LeftParen) return;
    const operator = this.LA(1);
    const isAssignment = operator.tokenType === v.Assign && target.kind !== "mtypeConstant";
    this.report({
      code: isAssignment ? "promela/not-assignable" : "promela/not-a-variable",
      severity: "error",
      message: `expected a variable before \`${operator.image}\``,
      span: target.span,
      hint: isAssignment ? "write `==` to compare" : undefined,
    });
  }
}
