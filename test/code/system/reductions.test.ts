/** Reductions of a system of nodes by property, and repetition of searches. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { NodeCandidates } from "../../../src/code/system/node-candidates.js";
import type { Finding, Property, Verdict } from "../../../src/model/index.js";
import { reductionRequest } from "../../session/requests.js";
import { modelOf, systemOf as system } from "./small.js";

const timer = 'e.setTimer("t");';
const step = { start: timer, timer: "n.x = 1;" };
const asked = `
  always: { low: ({ nodes }) => nodes.a.x < 2 },
  recoverable: { up: ({ nodes }) => nodes.a.x === 1 },
  eventually: { done: ({ nodes }) => nodes.a.x === 1 },`;

const acceptedIn = async (text: string, wanted: readonly string[], workers = 1) => {
  const { properties, reductions } = await modelOf(text);
  const request = { ...reductionRequest(wanted), workers };
  const names = properties.map((property) => [property.kind, reductions!.accepts(property, request).names]);
  return { names: Object.fromEntries(names) as Record<string, readonly string[]>, reductions, request };
};

describe("partial order", () => {
  const text = system({ a: step, b: step }, asked);

  test("keeps answers about states, not about executions or ways from every state", async () => {
    const { names } = await acceptedIn(text, ["por"]);
    expect(names).toMatchObject({ invariant: ["por"], assertion: ["por"], ltl: [], agef: [] });
  });

  test("is off with several threads, and when it is not wanted", async () => {
    const shared = await acceptedIn(text, ["por"], 2);
    expect(shared.names["invariant"]).toEqual([]);
    expect(shared.reductions!.refused!(shared.request)).toMatchObject([{ name: "por" }]);
    expect((await acceptedIn(text, [])).names["invariant"]).toEqual([]);
  });
});

test("nodes that are alike are exchanged, instead of partial order; executions are not", async () => {
  const text = system(
    { a: step, b: step },
    `${asked.replaceAll("nodes.a.x", "nodes.b.x")} symmetric: [["a", "b"]],`,
  );
  const { names, reductions, request } = await acceptedIn(text, ["symmetry", "por"]);
  expect(names).toMatchObject({ assertion: ["symmetry"], agef: ["symmetry"], ltl: [] });
  expect(reductions!.refused!(request)).toMatchObject([{ name: "por" }]);
});

describe("a search that rests on what was wrong", () => {
  afterEach(() => void vi.restoreAllMocks());

  const againAfter = async (verdict: Verdict, isSettled: boolean): Promise<boolean> => {
    vi.spyOn(NodeCandidates.prototype, "isSettled").mockReturnValue(isSettled);
    const { properties, reductions } = await modelOf(system({ a: step, b: step }, asked));
    const reduced = reductions!.apply(properties, reductionRequest(["por"]));
    expect(reduced.model.system.candidates).toMatchObject({ isProvisional: true });
    const finding: Finding = { property: properties[0] as Property, verdict };
    return reduced.again!([finding]) !== undefined;
  };
  const holds: Verdict = { kind: "holds", scope: { kind: "complete", by: "exhaustion", notes: [] } };
  const unmet: Verdict = { kind: "violated", reason: "never met", trace: undefined };
  const shown: Verdict = {
    kind: "violated",
    reason: "met",
    trace: { choices: [], fault: -1, loopStart: undefined },
  };

  test("is repeated for what it claims", async () => {
    expect(await againAfter(holds, false)).toBe(true);
    expect(await againAfter(unmet, false)).toBe(true);
  });

  test("is not repeated for what it shows, does not know, or rests on rightly", async () => {
    expect(await againAfter(shown, false)).toBe(false);
    expect(await againAfter({ kind: "unknown", reason: "", advice: "" }, false)).toBe(false);
    expect(await againAfter(holds, true)).toBe(false);
  });
});
