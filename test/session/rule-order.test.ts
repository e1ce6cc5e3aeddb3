/** Partial order among Murphi rules: the same answers as all states, fewer states where rules are independent, and a model for each condition. */
import { expect, test } from "vitest";
import { check, type CheckOptions, type CheckReport } from "../../src/index.js";
import { compareOnce } from "../languages/murphi/order.js";

const ordered: CheckOptions = { reductions: ["por"] };

const run = (text: string, options: CheckOptions): Promise<CheckReport> =>
  check({ file: "m.m", text }, options);

/** The same answers; states of both. */
async function agreed(text: string, options: CheckOptions = {}): Promise<readonly [number, number]> {
  const { differences, states } = await compareOnce(text, options);
  expect(differences, text).toEqual([]);
  return states;
}

const counters = (processes: number, more = ""): string => `
type p: 0..${processes - 1};
var n: array [p] of 0..3; done: 0..3;
startstate for i: p do n[i] := 0; end; done := 0; end;
ruleset i: p do rule "count" n[i] < 3 ==> begin n[i] := n[i] + 1; end; end;
${more}`;

test("independent counters are counted one after the other", async () => {
  const text = counters(
    4,
    'rule "end" n[0] = 3 & n[1] = 3 ==> begin done := 3; end; invariant "bounded" done < 4;',
  );
  const [whole, reduced] = await agreed(text, { deadlock: "stuck" });
  expect(whole).toBeGreaterThan(256);
  expect(reduced).toBeLessThan(25);
});

test("symmetry takes its place", async () => {
  const text = counters(2).replace("p: 0..1", "p: scalarset(2)");
  const report = await run(text, { reductions: ["symmetry", "por"], deadlock: "off", invariants: ["true"] });
  expect(report.runs.flatMap(({ reductions }) => reductions)).toEqual(["symmetry"]);
  expect(report.diagnostics.map(({ message }) => message).join()).toContain("symmetry takes its place");
});

test.each([
  ["an invariant sees both orders", 'invariant "together" n[0] = 1 -> n[1] != 0;', {}],
  [
    "a write through an unknown index",
    'rule "far" true ==> begin n[n[0] % 2] := 0; end; invariant "i" n[1] < 3;',
    {},
  ],
  [
    "a loop over all elements",
    'rule "all" n[0] = 1 ==> begin for i: p do n[i] := 2; end; end; invariant "i" done = 0;',
    {},
  ],
  ["an assertion of two elements", 'rule "both" n[0] = 1 & n[1] = 1 ==> begin assert false; end;', {}],
  ["an assertion in a body", 'rule "both" n[0] = 1 ==> begin assert n[1] != 1; end;', {}],
  ["a local assumption", 'rule "both" n[0] = 1 ==> begin assume n[1] = 1; assert false; end;', {}],
  ["a liveness property", 'liveness "alive" n[0] = 0 & n[1] = 2;', {}],
  ["a cover", 'cover "both" n[0] = 1 & n[1] = 1;', {}],
  ["a cover in a body", 'rule "both" n[0] = 1 & n[1] = 1 ==> begin cover "met" true; done := 1; end;', {}],
  ["an assumption on states", 'assume "never" n[0] != 1 | n[1] != 0; invariant "i" n[0] < 3;', {}],
  ["a formula with next", 'rule "idle" true ==> begin end;', { ltl: ["[] (n[0] = 0 -> X n[0] <= 1)"] }],
  ["a formula with fairness", 'rule "idle" true ==> begin end;', { ltl: ["<> n[0] = 3"], fairness: "weak" }],
  ["a formula over both", "", { ltl: ["[] !(n[0] = 1 & n[1] = 0)"] }],
] as const)("%s", async (_, more, options) => {
  const [whole] = await agreed(counters(2, more), { deadlock: "off", ...(options as CheckOptions) });
  expect(whole).toBeGreaterThan(1);
});

test("rules and covers of steps that are explored alone are reached", async () => {
  const text = counters(
    3,
    'rule "met" n[0] = 3 & n[1] = 3 & n[2] = 3 & done = 0 ==> begin cover "met" true; done := 1; end;',
  );
  const report = await run(
    text.replace(
      'rule "count"',
      'rule "count" n[i] < 2 ==> begin cover "counted" true; n[i] := n[i] + 1; end; rule "more"',
    ),
    { ...ordered, deadlock: "off" },
  );
  expect(report.properties.map(({ property, verdict }) => `${property.name} ${verdict}`)).toEqual(
    expect.arrayContaining(["met holds", "counted holds"]),
  );
  expect(report.unreached ?? []).toEqual([]);
});

test("a reduced search says that it is, and a refused one why", async () => {
  const reasons = async (text: string, options: CheckOptions) =>
    (await run(text, { ...ordered, deadlock: "off", ...options })).diagnostics
      .map(({ message }) => message)
      .join();
  expect(await reasons(counters(2, 'liveness "alive" n[0] = 2;'), {})).toContain("what stays reachable");
  expect(await reasons(counters(2), { ltl: ["<> X n[0] = 1"] })).toContain("counts steps");
  expect(await reasons(counters(2), { ltl: ["<> n[0] = 3"], fairness: "weak" })).toContain(
    "who is postponed",
  );
  expect(await reasons(counters(2, 'assume "a" n[0] < 3; invariant "i" true;'), {})).toContain("assumptions");
  const { runs } = await run(counters(3, 'invariant "i" done = 0;'), ordered);
  expect(runs.flatMap(({ reductions }) => reductions)).toContain("por");
});
