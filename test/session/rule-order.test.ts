/** Partial order among Murphi rules: the same answers as all states, fewer states where rules are independent, and a model for each condition. */
import { expect, test } from "vitest";
import { compileRules, numberRules } from "../../src/compile/rules/index.js";
import { check, type CheckOptions, type CheckReport } from "../../src/index.js";
import { loadMurphi } from "../../src/languages/murphi/index.js";
import { Entry, Sources, Successors, type Words } from "../../src/model/index.js";
import { orderedRules } from "../../src/session/rule-order.js";
import { conjunctsOf } from "../../src/transforms/reduction/rules/index.js";
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
  expect(await reasons(counters(2, 'liveness "alive" n[0] = 2;'), {})).toContain(
    "reachability from every state",
  );
  expect(await reasons(counters(2), { ltl: ["<> X n[0] = 1"] })).toContain("counts steps");
  expect(await reasons(counters(2), { ltl: ["<> n[0] = 3"], fairness: "weak" })).toContain(
    "who is postponed",
  );
  expect(await reasons(counters(2, 'assume "a" n[0] < 3; invariant "i" true;'), {})).toContain("assumptions");
  const { runs } = await run(counters(3, 'invariant "i" done = 0;'), ordered);
  expect(runs.flatMap(({ reductions }) => reductions)).toContain("por");
});

// ---- proposals, state by state ----

const loadedRules = (text: string) => {
  const { program } = loadMurphi({
    file: "m.m",
    text,
    sources: new Sources(),
    defines: [],
    invariants: [],
    formulas: [],
  });
  const model = compileRules(program!);
  return { program: program!, model, reduced: orderedRules(program!, model, []).model };
};

/** Every state but the root, with its successors by all rules and by the first proposal; undefined: there is none. */
function explored({ model, reduced }: ReturnType<typeof loadedRules>) {
  const { system } = model;
  const entries = (fill: (out: Successors) => void) => {
    const out = new Successors(system.width);
    fill(out);
    return Array.from({ length: out.count }, (_, i) => ({
      next: out.words.slice(i * out.stride, (i + 1) * out.stride),
      isDead: (out.flags[i]! & Entry.dead) !== 0,
    }));
  };
  const [root] = entries((out) => system.initial(out));
  const states = entries((out) => system.successors(root!.next, 0, out)).map(({ next }) => next);
  const seen = new Set(states.map((state) => state.join()));
  const agents = new Int32Array(8);
  const found = [];
  for (const state of states) {
    const all = entries((out) => system.successors(state, 0, out));
    for (const { next, isDead } of all)
      if (!isDead && !seen.has(next.join())) {
        seen.add(next.join());
        states.push(next);
      }
    const count = reduced.system.candidates!.propose(state, 0, agents);
    const alone = Array.from(agents.subarray(0, count), (agent) =>
      entries((out) => reduced.system.candidates!.successorsOf(agent, state, 0, out)),
    );
    found.push({ state, all, alone });
  }
  expect(reduced.system.candidates!.propose(root!.next, 0, agents)).toBe(0);
  return found;
}

test("a proposal is a smaller set that leads to another state, and none where a rule fails", () => {
  const text = counters(
    2,
    'rule "idle" true ==> begin end; rule "fail" n[0] = 2 ==> begin assert n[1] < 4 & done = 0 & n[0] != 2; end;',
  );
  const clashing =
    'rule "one" done < 3 ==> begin done := done + 1; end; rule "all" done < 3 ==> begin done := 3; end;';
  const states = [text, `var done: 0..3; startstate done := 0; end; ${clashing}`].flatMap((one) =>
    explored(loadedRules(one)),
  );
  for (const { state, all, alone } of states)
    for (const some of alone) {
      expect(all.some(({ isDead }) => isDead)).toBe(false);
      expect(some.length).toBeLessThan(all.length);
      expect(some.some(({ next }) => next.join() !== state.join())).toBe(true);
    }
  expect(states.some(({ alone }) => alone.length > 0)).toBe(true);
  expect(states.some(({ all }) => all.some(({ isDead }) => isDead))).toBe(true);
});

test("the first false conjunct of each instance is found in the code", () => {
  const { program, model } = loadedRules(
    `${counters(2)}
     var bag: multiset [1] of 0..1;
     rule "free" begin done := 1; end;
     choose e: bag do rule "take" bag[e] = 1 ==> begin done := 0; end; end;
     ruleset i: p do rule "both" n[i] = 0 & n[1 - i] = 1 & done = 0 ==> begin done := 2; end; end;`.replace(
      /(var n[^\n]*)\n([\s\S]*)var bag: multiset \[1\] of 0..1;/,
      "$1 bag: multiset [1] of 0..1;\n$2",
    ),
  );
  const numbered = numberRules(program, model.coverage, conjunctsOf);
  expect(numbered.instances).toBe(6);
  const out = new Successors(model.system.width);
  model.system.initial(out);
  const root = out.words.slice(0, out.stride);
  out.clear();
  model.system.successors(root, 0, out);
  const start = out.words.slice(0, out.stride);
  const conjuncts = (state: Words) =>
    Array.from({ length: 6 }, (_, instance) => numbered.falseConjunct(instance, state, 0));
  // count[0], count[1], free, take, both[0], both[1]
  expect(conjuncts(start)).toEqual([1, 1, 0, -1, 1, 1]);
  out.clear();
  model.system.successors(start, 0, out);
  expect(conjuncts(out.words.slice(0, out.stride))).toEqual([1, 1, 0, -1, 1, 1].with(4, 0).with(5, 3));
});

test("a formula without next is reduced", async () => {
  const text = counters(3, 'rule "end" done < 3 & n[0] = 3 ==> begin done := done + 1; end;');
  const { runs } = await run(text, {
    ...ordered,
    deadlock: "off",
    ltl: ["<> [] done >= 0"],
    properties: ["<> [] done >= 0"],
  });
  expect(runs.flatMap(({ reductions }) => reductions)).toContain("por");
});
