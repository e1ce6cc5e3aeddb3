/** Adds the assumptions of a system to the scope of its answers. */
import type { Scope } from "../../model/index.js";
import type { Assumptions, EngineResult } from "../contracts.js";

/** A requested bound, unlike a declared one, proves nothing. */
export function assuming(assumptions: Assumptions | undefined, result: EngineResult): EngineResult {
  if (!assumptions) return result;
  const { notes, bound } = assumptions;
  const within = (scope: Scope): Scope => ({
    ...scope,
    // sound: test/session/answers.test.ts
    kind: bound && scope.kind === "complete" ? "bounded" : scope.kind,
    notes: [...scope.notes, ...notes],
  });
  return {
    ...result,
    scope: within(result.scope),
    // sound: test/session/answers.test.ts
    end: bound === "asked" && result.end === "complete" ? "bound" : result.end,
    findings: result.findings.map((finding) => {
      const { verdict } = finding;
      if (verdict.kind !== "holds") return finding;
      // sound: test/session/answers.test.ts
      if (bound !== "asked") return { ...finding, verdict: { ...verdict, scope: within(verdict.scope) } };
      const reason = `nothing was found within the bound: ${notes.join("; ")}`;
      return { ...finding, verdict: { kind: "unknown", reason, advice: "leave the bound out" } };
    }),
  };
}
