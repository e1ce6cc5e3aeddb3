/** Contradictions between the answers of a reduced and a full search. */
import { expect, test } from "vitest";
import type { Property, Verdict } from "../../src/model/index.js";
import { noStats } from "../../src/report/index.js";
import { compared, Disagreement } from "../../src/session/pipeline/disagreement.js";
import type { EngineResult } from "../../src/session/contracts.js";

const property: Property = { name: "p", kind: "invariant", span: undefined };
const scope = { kind: "complete", by: "exhaustion", notes: [] } as const;
const verdicts: Readonly<Record<Verdict["kind"], Verdict>> = {
  holds: { kind: "holds", scope },
  violated: { kind: "violated", reason: "broken", trace: undefined },
  unknown: { kind: "unknown", reason: "spent", advice: "" },
};

const result = (...kinds: Verdict["kind"][]): EngineResult => ({
  findings: kinds.map((kind) => ({ property, verdict: verdicts[kind], occurrences: 1 })),
  scope,
  end: "complete",
  runs: [],
  stats: noStats,
  coversAll: true,
  notices: [],
});

const agree = (reduced: EngineResult, full: EngineResult): boolean => {
  try {
    return compared(reduced, full, "m").code === "session/reduction-checked";
  } catch (error) {
    expect(error).toBeInstanceOf(Disagreement);
    return false;
  }
};

test("holds and violated contradict each other, unknown contradicts nothing", () => {
  for (const kind of ["holds", "violated", "unknown"] as const) {
    expect(agree(result(kind), result(kind))).toBe(true);
    expect(agree(result(kind), result("unknown"))).toBe(true);
    expect(agree(result("unknown"), result(kind))).toBe(true);
  }
  expect(agree(result("holds"), result("violated"))).toBe(false);
  expect(agree(result("violated"), result("holds"))).toBe(false);
});

test("a property that the full search did not answer is a difference", () => {
  expect(agree(result("holds"), result())).toBe(false);
  expect(agree(result(), result("holds"))).toBe(true);
});
