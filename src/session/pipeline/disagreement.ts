/** Different answers of two searches of one system. */
import type { Diagnostic, Property } from "../../model/index.js";
import type { EngineResult } from "../contracts.js";

/** The reduced and the full search disagree: an internal error, unless the reduction relies on a declaration of the user. */
export class Disagreement extends Error {
  readonly property: string;
  readonly reductions: readonly string[];
  /** Answers of both searches. */
  readonly answers: { readonly reduced: string; readonly full: string };

  constructor(property: Property, reduced: EngineResult, full: EngineResult) {
    const answers = {
      reduced: verdictOn(property, reduced) ?? "nothing",
      full: verdictOn(property, full) ?? "nothing",
    };
    const reductions = reduced.runs.flatMap((run) => run.reductions);
    super(
      `reduced and full search disagree on '${property.name}': ${answers.reduced} after ${figures(reduced)}, ` +
        `${answers.full} after ${figures(full)} (reductions: ${reductions.join(", ")})`,
    );
    this.property = property.name;
    this.reductions = reductions;
    this.answers = answers;
  }
}

export function compared(reduced: EngineResult, full: EngineResult, file: string): Diagnostic {
  for (const { property, verdict } of reduced.findings) {
    const other = verdictOn(property, full);
    // sound: test/session/disagreement.test.ts
    if (other === "unknown" || verdict.kind === "unknown" || verdict.kind === other) continue;
    throw new Disagreement(property, reduced, full);
  }
  return {
    code: "session/reduction-checked",
    severity: "note",
    message: `reduced and full search agree: ${figures(reduced)}, unreduced ${figures(full)}`,
    span: { file, start: 0, end: 0 },
  };
}

const verdictOn = (property: Property, { findings }: EngineResult): string | undefined =>
  findings.find((f) => f.property.name === property.name && f.property.kind === property.kind)?.verdict.kind;

const figures = ({ stats }: EngineResult): string =>
  `${stats.states} states and ${stats.transitions} transitions`;
