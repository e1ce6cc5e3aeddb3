/** Asks a solver whether all claims of a proof are right, by SMT-LIB text. */
import type { ScriptRunner } from "../../model/index.js";

export interface Claim {
  /** Declarations, definitions and an assertion that must be unsatisfiable, between `push` and `pop`. */
  readonly script: string;
  /** Its meaning if it is satisfiable. */
  readonly failure: string;
}

/** Claims that one script asks. */
const AT_ONCE = 500;

/** The first claim that the solver does not confirm; undefined: it confirms all. */
export function refuted(runner: ScriptRunner, claims: readonly Claim[], timeMs: number): string | undefined {
  for (let first = 0; first < claims.length; first += AT_ONCE) {
    const some = claims.slice(first, first + AT_ONCE);
    const answer = runner.run(["(set-logic ALL)", ...some.map(({ script }) => script)].join("\n"), timeMs);
    if (answer.kind === "failed") return answer.reason;
    const lines = answer.output.trim().split(/\s*\n\s*/);
    // sound: test/engines/certificates/boolean.test.ts test/engines/certificates/pool.test.ts
    if (lines.length !== some.length) return `${runner.name} answers ${answer.output.trim().slice(0, 200)}`;
    const open = lines.findIndex((line) => line !== "unsat"); // sound: test/engines/certificates/boolean.test.ts test/engines/certificates/pool.test.ts
    if (open >= 0)
      return lines[open] === "sat"
        ? some[open]?.failure
        : `${runner.name} does not decide: ${some[open]?.failure ?? ""}`;
  }
  return undefined;
}
