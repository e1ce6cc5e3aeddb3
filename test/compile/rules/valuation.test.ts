/** Propositions and agents: generated code agrees with the interpreter on every state. */
import { expect, test } from "vitest";
import { Entry, FOREIGN_AGENT, Successors, type System, type Words } from "../../../src/model/index.js";
import { modelOf } from "../../languages/murphi/temporal.js";

const BITS = `
var x: 0..3; y: 0..3;
function low(n: 0..3): boolean; begin assume n != 2; return n < 2; end;
function deep(n: 0..3): boolean; begin if n = 3 then error "three"; end; return true; end;
startstate x := 0; end;
rule x < 3 ==> x := x + 1; end;
rule x = 3 ==> undefine x; y := 0; end;
`;

test("each bit is a proposition, equal ones share a bit, constants have none", () => {
  const model = modelOf(BITS, ["[] (isundefined(x) | <> (x = 1)) & (<> x=1) & [] (true | x = 5)"]);
  const [property] = model.temporal.properties;
  expect(property!.propositions.map(({ name }) => name)).toEqual(["isundefined(x)", "(x = 1)"]);
  expect(modelOf(BITS, ["[] true"]).temporal.properties[0]!.propositions).toEqual([]);
});

test("the generated code and the interpreter agree, also on what cannot be evaluated", () => {
  const formulas = [
    "<> x = 1 | [] y = 0",
    "[] <> low(x)",
    "[] deep(x) & <> isundefined(x)",
    "<> (isundefined(x) | x < 2)",
  ];
  const model = modelOf(BITS, formulas);
  const { system, steps, properties } = model.temporal;
  const states = statesOf(model.steps);
  expect(states.length).toBe(5);
  const answers = properties.map((_, index) => states.map((state) => system.valuation(index, state, 0)));
  expect(answers).toEqual(
    properties.map((_, index) => states.map((state) => steps.valuation(index, state, 0))),
  );
  // x = 0, 1, 2, 3, undefined
  const message = (valuation: number): string | number =>
    valuation < 0 ? model.sites[~valuation]!.message : valuation;
  expect(answers.map((row) => row.map(message))).toEqual([
    Array.from({ length: 5 }, (_, i) =>
      i < 4 ? expect.stringMatching(/undefined value in y/) : expect.stringMatching(/undefined value in x/),
    ),
    [
      1,
      1,
      expect.stringMatching(/assumes something that is false/),
      0,
      expect.stringMatching(/undefined value in x/),
    ],
    [1, 1, 1, expect.stringMatching(/three/), expect.stringMatching(/undefined value in x/)],
    [1, 1, 0, 0, 1],
  ]);
});

test("a state after one that cannot be evaluated is evaluated as ever", () => {
  const model = modelOf(BITS, ["[] deep(x)"]);
  const [, , , three, none] = statesOf(model.steps);
  const [zero] = statesOf(model.steps);
  const { system } = model.temporal;
  for (let round = 0; round < 3; round++)
    expect([three!, zero!, none!, zero!].map((state) => system.valuation(0, state, 0) >= 0)).toEqual([
      false,
      true,
      false,
      true,
    ]);
});

const FAMILIES = `
type m: record k: 0..1; end;
var x: 0..2; a: array [0..3] of 0..1; net: multiset [2] of m; b: array [0..2] of 0..1;
startstate x := 0; clear a; clear b; undefine net; end;
ruleset i := 3 to 1 by -1; j: 1..2 do rule "two" a[i] = 0 & j > x ==> a[i] := 1; x := j; end; end;
rule "add" x = 2 ==> var e: m; begin e.k := a[1]; multisetadd(e, net); x := 0; end;
ruleset k: 0..1 do choose e: net do ruleset l: 2..3 do rule "take" net[e].k = k & a[l] = 1 ==> multisetremove(e, net); a[l] := 0; end; end; end; end;
alias c: b[x] do ruleset n := 0 to 2 by 2 do rule "alias" c = 0 & n >= x ==> b[n] := 1; end; end; end;
rule "last" true ==> x := (x + 1) % 3; end;
`;

test("steps are labelled with the instance of the rule, whatever an element of a multiset is", () => {
  const model = modelOf(FAMILIES);
  expect(model.temporal.agents).toBe(6 + 1 + 4 + 2 + 1);
  const labelled = labelsOf(model.temporal.labelled(), statesOf(model.steps));
  expect(labelled).toEqual(labelsOf(model.steps, statesOf(model.steps)));
  const met = labelled.flat().reduce((all, label) => all | label, 0);
  expect(met).toBe(0b11_1111_1111_1111);
  // The second value of the first parameter, the second of the other; the last rule.
  const events = statesOf(model.steps).flatMap((state) => model.eventsAt(state, 0));
  const agents = (title: string): number[] => [
    ...new Set(
      events
        .filter((e) => [e.rule?.name, ...e.parameters.map((p) => p.value)].join() === title)
        .map((e) => e.agent),
    ),
  ];
  expect(agents("two,2,2")).toEqual([3]);
  expect(agents("take,1,0,3")).toEqual([10]);
  expect(agents("take,1,1,3")).toEqual([10]);
  expect(agents("alias,2")).toEqual([12]);
  expect(agents("last")).toEqual([13]);
});

test("instances that have no bit share one, also where a rule is a loop", () => {
  const model = modelOf(`
var x: 0..100;
startstate x := 0; end;
ruleset i: 0..2000; j: 0..1 do rule x < 100 & i = x & j >= 0 ==> x := x + 1; end; end;
rule x = 100 ==> x := 0; end;`);
  expect(model.temporal.agents).toBe(4003);
  const states = statesOf(model.steps);
  const labels = labelsOf(model.temporal.labelled(), states);
  expect(labels).toEqual(labelsOf(model.steps, states));
  expect(labels[0]).toEqual([1, 2]);
  expect(labels[1]).toEqual([4, 8]);
  expect(labels[15]).toEqual([1 << 30, FOREIGN_AGENT]);
  expect(labels[16]).toEqual([FOREIGN_AGENT, FOREIGN_AGENT]);
});

/** In breadth-first order. */
function statesOf(system: System): Words[] {
  const out = new Successors(system.width);
  system.initial(out);
  const queue = [out.words.slice(0, system.width)];
  const seen = new Set<string>();
  for (const state of queue) {
    out.clear();
    system.successors(state, 0, out);
    for (let entry = 0; entry < out.count; entry++) {
      const words = out.words.slice(entry * out.stride, (entry + 1) * out.stride);
      if ((out.flags[entry]! & Entry.dead) !== 0 || seen.has(words.join())) continue;
      seen.add(words.join());
      queue.push(words);
    }
  }
  return queue.slice(1);
}

function labelsOf(system: System, states: readonly Words[]): number[][] {
  const out = new Successors(system.width);
  return states.map((state) => {
    out.clear();
    system.successors(state, 0, out);
    return [...out.labels.subarray(0, out.count)].filter(
      (_, entry) => (out.flags[entry]! & Entry.dead) === 0,
    );
  });
}
