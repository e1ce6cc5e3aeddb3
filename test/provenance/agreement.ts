/** All ways to check one program agree; proofs can be certified, violations replayed. */
import { checkProof } from "../../src/engines/certificates/index.js";
import { loadMpp } from "../../src/languages/mpp/index.js";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";
import { searchObviously } from "./obvious.js";

const WAYS: Readonly<Record<string, CheckOptions>> = {
  default: { wantsProofs: true },
  "run to receive": { reductions: ["merge", "dead"], wantsProofs: true },
  "without dead variables": { reductions: ["dead"], wantsProofs: true },
  "ample sets": { reductions: ["dead", "por"] },
  "ample sets, depth-first": { reductions: ["por"], search: "dfs" },
  plain: { isPlain: true },
};

export interface Agreement {
  /** The disagreement; undefined if there is none. */
  readonly problem: string | undefined;
  readonly verdict: string;
}

export async function compareWays(text: string, mostStates: number): Promise<Agreement> {
  const input = { file: "random.mpp", text };
  const { program, diagnostics } = loadMpp(input.file, text);
  if (!program) return { problem: `not accepted: ${diagnostics[0]!.message}`, verdict: "" };
  const verdicts: string[] = [];
  for (const [way, options] of Object.entries(WAYS)) {
    const { report, certificate } = await checkInput(
      input,
      { ...options, counts: [0, 1, 2], budget: { maxStates: mostStates } },
      registry,
    );
    const { verdict, trace } = report.properties[0]!;
    verdicts.push(verdict);
    if (verdict === "violated") {
      const { outcome } = await replayInput(input, { schedule: trace!.schedule }, {}, registry);
      if (outcome !== "failed") return { problem: `${way}: the trace does not replay`, verdict };
    }
    for (const proof of certificate?.proofs ?? []) {
      if (proof.kind !== "provenance") continue;
      const judgement = checkProof(program, proof);
      if (judgement.kind === "rejected")
        return { problem: `${way}: proof rejected: ${judgement.why}`, verdict };
    }
  }
  const known = [...new Set(verdicts.filter((verdict) => verdict !== "unknown"))];
  if (known.length > 1) return { problem: `verdicts differ: ${verdicts.join(", ")}`, verdict: "" };
  const obvious = searchObviously(program, 2 * mostStates);
  const [verdict = "unknown"] = known;
  if (obvious.isViolated && verdict === "holds") return { problem: "a violation was missed", verdict };
  if (obvious.isComplete && !obvious.isViolated && verdict === "violated")
    return { problem: "there is no violation", verdict };
  return { problem: undefined, verdict };
}
