/**
 * Handover from the search of the whole system to a reduced one: the properties searched again, and the answers that count. Searches
 * are scripted.
 */
import { describe, expect, test } from "vitest";
import type { Property, Verdict } from "../../src/model/index.js";
import { noStats } from "../../src/report/index.js";
import { Disagreement } from "../../src/session/pipeline/disagreement.js";
import type { EngineFinding, EngineRequest, EngineResult } from "../../src/session/contracts.js";
import { attributed, wholeFirst } from "../../src/session/pipeline/whole-first.js";

const [a, b]: readonly Property[] = [
  { name: "a", kind: "invariant", span: undefined },
  { name: "b", kind: "invariant", span: undefined },
];
const scope = { kind: "complete", by: "exhaustion", notes: [] } as const;
const verdicts: Readonly<Record<Verdict["kind"], Verdict>> = {
  holds: { kind: "holds", scope },
  violated: {
    kind: "violated",
    reason: "broken",
    trace: { choices: [], loopStart: undefined, fault: 0 } as never,
  },
  unknown: { kind: "unknown", reason: "spent", advice: "" },
};
const finding = (property: Property, kind: Verdict["kind"], fault = 0): EngineFinding => {
  const verdict = verdicts[kind];
  return {
    property,
    verdict: verdict.kind === "violated" ? { ...verdict, trace: { ...verdict.trace!, fault } } : verdict,
    occurrences: 1,
  };
};

const result = (end: EngineResult["end"], ...findings: EngineFinding[]): EngineResult => ({
  findings,
  scope,
  end,
  runs: [
    {
      properties: findings.map(({ property }) => property.name),
      reductions: [],
      stats: { ...noStats, states: 7 },
    },
  ],
  stats: noStats,
  coversAll: true,
  notices: [],
});

const base = {
  properties: [a, b],
  isPlain: false,
  reductions: undefined,
  reducesAtOnce: false,
  checksReduction: false,
  store: undefined,
  takesProbable: true,
  budget: { maxStates: 100 },
  maxErrors: 1,
  workers: 1,
  disk: undefined,
} as unknown as EngineRequest;

/** The searches made, and the answer: the first by `whole`, the next by `reduced`. */
async function handedOver(
  whole: EngineResult,
  reduced: EngineResult,
  more: Partial<EngineRequest> = {},
  isReducible = true,
) {
  const asked: EngineRequest[] = [];
  const request = { ...base, ...more };
  const answer = await wholeFirst(request, [{ properties: request.properties, isReducible }], (one) => {
    asked.push(one);
    return Promise.resolve(asked.length === 1 ? whole : reduced);
  });
  return {
    asked: asked.map(({ properties }) => properties.map(({ name }) => name).join()),
    requests: asked,
    answers: answer.findings.map(({ property, verdict }) => `${property.name} ${verdict.kind}`),
    abandoned: answer.runs.map(({ isAbandoned }) => isAbandoned ?? false),
    end: answer.end,
  };
}

describe("what is asked again", () => {
  const again = result("complete", finding(b, "holds"));

  test("what the search of the whole system did not decide, if its budget ended it", async () => {
    const spent = result("budget", finding(a, "unknown"), finding(b, "unknown"));
    const reduced = result("complete", finding(a, "holds"), finding(b, "violated"));
    expect(await handedOver(spent, reduced)).toMatchObject({
      asked: ["a,b", "a,b"],
      answers: ["a holds", "b violated"],
      abandoned: [true, false],
      end: "complete",
    });
    for (const end of ["complete", "error", "bound", "interrupted", "probable"] as EngineResult["end"][])
      expect((await handedOver({ ...spent, end }, reduced)).asked).toEqual(["a,b"]);
  });

  test("nothing that it decided", async () => {
    for (const maxErrors of [1, 5])
      expect(
        await handedOver(result("budget", finding(a, "holds"), finding(b, "unknown")), again, { maxErrors }),
      ).toMatchObject({ asked: ["a,b", "b"], answers: ["a holds", "b holds"] });
    const all = result("budget", finding(a, "holds"), finding(b, "holds"));
    expect((await handedOver(all, again)).asked).toEqual(["a,b"]);
  });

  test("what is violated, where more than one violation is wanted", async () => {
    const found = result("budget", finding(a, "violated"), finding(b, "unknown"));
    expect((await handedOver(found, again, { maxErrors: 1 })).asked).toEqual(["a,b", "b"]);
    const more = result("complete", finding(a, "violated"), finding(b, "holds"));
    expect((await handedOver(found, more, { maxErrors: 2 })).asked).toEqual(["a,b", "a,b"]);
  });

  test("with all of the states, and what is left of the time", async () => {
    const spent = result("budget", finding(a, "unknown"), finding(b, "unknown"));
    const { requests } = await handedOver(spent, again, {
      budget: { maxStates: 100, maxDepth: 9, timeMs: 1e9 },
    });
    const [first, second] = requests as [EngineRequest, EngineRequest];
    expect([first.reductions, first.takesProbable, first.budget.maxStates, first.budget.maxDepth]).toEqual([
      [],
      false,
      50,
      9,
    ]);
    expect(first.budget.timeMs).toBeLessThanOrEqual(5e8);
    expect([
      second.reductions,
      second.takesProbable,
      second.budget.maxStates,
      second.budget.maxDepth,
    ]).toEqual([undefined, true, 100, 9]);
    expect(second.budget.processorEndMs).toBeUndefined();
  });
});

describe("whose answer counts", () => {
  const found = result("budget", finding(a, "violated"), finding(b, "unknown"));

  test("a violation stays one, whatever a reduced search does not know", async () => {
    for (const kind of ["unknown", "violated"] as const)
      expect(
        await handedOver(found, result("complete", finding(a, kind), finding(b, "holds")), { maxErrors: 9 }),
      ).toMatchObject({ answers: ["a violated", "b holds"] });
  });

  test("other violations of the same property are added", async () => {
    const other = result("complete", finding(a, "violated", 1), finding(b, "holds"));
    expect((await handedOver(found, other, { maxErrors: 9 })).answers).toEqual([
      "a violated",
      "a violated",
      "b holds",
    ]);
  });

  test("a violation that is denied is a bug of ours; what holds twice is none", async () => {
    const denied = result("complete", finding(a, "holds"), finding(b, "holds"));
    await expect(handedOver(found, denied, { maxErrors: 9 })).rejects.toThrow(Disagreement);
    const held = result("budget", finding(a, "holds"), finding(b, "unknown"));
    expect((await handedOver(held, denied)).answers).toEqual(["a holds", "b holds"]);
  });

  test("properties are told apart by name and by kind", async () => {
    const [cover, reach]: readonly Property[] = [
      { name: "a", kind: "cover", span: undefined },
      { name: "a", kind: "invariant", span: undefined },
    ];
    const first = result("budget", finding(cover!, "holds"), finding(reach!, "unknown"));
    const second = result("complete", finding(reach!, "violated"));
    const { requests, answers } = await handedOver(first, second, { properties: [cover!, reach!] });
    expect(requests[1]!.properties).toEqual([reach]);
    expect(answers).toEqual(["a holds", "a violated"]);
  });
});

describe("one search alone", () => {
  const spent = result("budget", finding(a, "unknown"), finding(b, "unknown"));

  test.each([
    ["reductions that were named", { reductions: ["por"] }],
    ["none", { reductions: [] }],
    ["plain", { isPlain: true }],
    ["reduced at once", { reducesAtOnce: true }],
    ["compared", { checksReduction: true }],
    ["on disk", { disk: {} }],
  ] as const)("%s", async (_, more) => {
    const { requests } = await handedOver(spent, spent, more as Partial<EngineRequest>);
    expect(requests).toHaveLength(1);
    expect(requests[0]!.budget).toEqual(base.budget);
  });

  test("where nothing can be reduced", async () => {
    expect((await handedOver(spent, spent, {}, false)).requests).toHaveLength(1);
  });
});

test("of several searches only those that can be reduced are handed over; where none can, one search answers all", async () => {
  const asked = async (...reducible: boolean[]): Promise<string[]> => {
    const seen: string[] = [];
    const searches = reducible.map((isReducible, i) => ({ properties: [[a, b][i]!], isReducible }));
    await wholeFirst(base, searches, ({ properties }) => {
      seen.push(properties.map(({ name }) => name).join());
      return Promise.resolve(result("budget", ...properties.map((property) => finding(property, "unknown"))));
    });
    return seen;
  };
  expect(await asked(true, false)).toEqual(["a", "a", "b"]);
  expect(await asked(false, true)).toEqual(["a", "b", "b"]);
  expect(await asked(false, false)).toEqual(["a,b"]);
});

test("a witness rests on no reduction", () => {
  const runs = [{ properties: ["a"], reductions: ["por"], stats: noStats }];
  const seen = result("complete", {
    ...finding(a!, "holds"),
    verdict: { kind: "holds", scope: { ...scope, by: "witness" } },
  });
  expect(attributed({ ...seen, runs }).findings[0]!.verdict).toMatchObject({ scope: { notes: [] } });
});

test("a proof names its reductions, and what was given up for them", () => {
  const reduced = result("complete", finding(a, "holds"), finding(b, "violated"));
  const runs = [
    { properties: ["a"], reductions: [], stats: { ...noStats, states: 7 }, isAbandoned: true as const },
    { properties: ["a"], reductions: ["por", "merge"], stats: noStats },
  ];
  const notes = ["reduced by por, merge, after 7 states of the whole system"];
  const { findings, scope: whole } = attributed({ ...reduced, runs });
  expect(whole.notes).toEqual(notes);
  expect(
    findings.map(({ verdict }) => (verdict.kind === "holds" ? verdict.scope.notes : verdict.kind)),
  ).toEqual([notes, "violated"]);
  expect(attributed(reduced).scope.notes).toEqual([]);
});
