/** Products of small models and claims, decided by the obvious emptiness check. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/compile/index.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { Sources, Successors, faultSite, type Automaton, type Fairness } from "../../src/model/index.js";
import { product } from "../../src/transforms/product.js";
import { acceptingSinks, isTerminal } from "../../src/transforms/terminal.js";
import { initialOf } from "../compile/walk.js";
import { obviousEmptiness } from "./obvious-emptiness.js";

interface Case {
  readonly what: string;
  readonly text: string;
  /** With no fairness, and with weak fairness. */
  readonly expected: readonly ["holds" | "violated", "holds" | "violated"];
}

const cases: readonly Case[] = [
  {
    what: "a loop that avoids its progress label",
    text: "bit p; active proctype A() { do :: p = 0 :: p = 1; progress: skip od }",
    expected: ["violated", "violated"],
  },
  {
    what: "progress by fairness",
    text: "bit a, b; active proctype A() { do :: a = 1; progress: a = 0 od } active proctype B() { do :: b = 1 - b od }",
    expected: ["violated", "holds"],
  },
  {
    what: "an accept label passed once",
    text: "byte x; active proctype A() { accept: x = 1; do :: x = 3 - x od }",
    expected: ["holds", "holds"],
  },
  {
    what: "an accept label passed again and again",
    text: "byte x; active proctype A() { do :: x = 1; accept: x = 0 od }",
    expected: ["violated", "violated"],
  },
  {
    what: "an execution that ends at an accept label",
    text: "byte x; active proctype A() { x = 1; accept: x == 2 }",
    expected: ["violated", "violated"],
  },
  {
    what: "a claim that ends when a state is reached",
    text: "byte x; active proctype A() { x = 1; x = 2 } never { do :: x == 1 -> break :: else od }",
    expected: ["violated", "violated"],
  },
  {
    what: "a claim that ends in a state that never comes",
    text: "byte x; active proctype A() { x = 1; x = 2 } never { do :: x == 3 -> break :: else od }",
    expected: ["holds", "holds"],
  },
  {
    what: "a claim does not see what happens inside an atomic sequence",
    text: "byte x; active proctype A() { atomic { x = 1; x = 2 } } never { do :: x == 1 -> break :: else od }",
    expected: ["holds", "holds"],
  },
  {
    what: "a claim does not see what happens inside an atomic sequence with choices",
    text: "byte x; active proctype A() { atomic { x = 1; if :: x = 4 :: x = 3 fi; x = 2 } } never { do :: x == 1 -> break :: else od }",
    expected: ["holds", "holds"],
  },
  {
    what: "a claim sees where an atomic sequence blocks",
    text: "byte x; active proctype A() { atomic { x = 1; x == 3; x = 2 } } never { do :: x == 1 -> break :: else od }",
    expected: ["violated", "violated"],
  },
  {
    what: "a failed assertion of a claim, in an atomic sequence as Spin writes them",
    text: "byte x; active proctype A() { x = 1 } never { T0: do :: atomic { (x == 1) -> assert(!(x == 1)) } :: (1) -> goto T0 od; accept_all: skip }",
    expected: ["violated", "violated"],
  },
  {
    what: "an assertion of a claim that holds",
    text: "byte x; active proctype A() { x = 1 } never { do :: assert(x < 2) od }",
    expected: ["holds", "holds"],
  },
  {
    what: "a claim that is stuck ends the search, and is no error",
    text: "byte x; active proctype A() { x = 1; x = 2 } never { x == 0; x == 5 }",
    expected: ["holds", "holds"],
  },
  {
    what: "the end of an execution repeats itself",
    text: "byte x; active proctype A() { x = 1 } never { do :: true :: x == 1 -> goto accept od; accept: do :: x == 1 od }",
    expected: ["violated", "violated"],
  },
  {
    what: "an execution whose only step fails ends there",
    text: "byte x = 2, a[2]; active proctype A() { a[x] = 1 } never { accept: do :: x == 2 od }",
    expected: ["violated", "violated"],
  },
  {
    what: "timeout holds where nothing else can happen",
    text: "byte x; active proctype A() { x = 1; x == 2 } never { do :: timeout -> break :: else od }",
    expected: ["violated", "violated"],
  },
  {
    what: "timeout does not hold while something can happen",
    text: "byte x; active proctype A() { do :: x = 1 - x od } never { do :: timeout -> break :: else od }",
    expected: ["holds", "holds"],
  },
  {
    what: "a rendezvous that is possible again and again happens under fairness",
    text: "chan c = [0] of { bit }; byte x; active proctype A() { do :: c!0 :: skip od } active proctype B() { c?0; x = 1; do :: skip od } never { accept: do :: x == 0 od }",
    expected: ["violated", "holds"],
  },
  {
    what: "processes that are created while it runs are treated fairly, too",
    text: "byte x; proctype B() { x = 1 } init { run B(); do :: true od } never { accept: do :: x == 0 od }",
    expected: ["violated", "holds"],
  },
];

describe("the product with a property", () => {
  for (const { what, text, expected } of cases)
    test(what, () => expect([verdict(text, "none"), verdict(text, "weak")]).toEqual(expected));

  test("without stuttering an execution that ends is none", () => {
    const text = "byte x; active proctype A() { x = 1 } never { accept: do :: true od }";
    expect(verdict(text, "none")).toBe("violated");
    expect(verdict(text, "none", false)).toBe("holds");
  });

  test("a state that is wider than the system has become keeps all its words", () => {
    const { system } = built("byte x; active proctype A() { x = 1 } never { skip }", "none");
    const state = Int32Array.from(initialOf(system), (_, word) => word + 1);
    const wider = Int32Array.of(...state, 50, 60);
    const left = (words: Int32Array): number[] =>
      [...words].filter((word) => word !== system.compareFrom + 1);
    expect([...system.project(state)]).toEqual(left(state));
    expect([...system.project(wider)]).toEqual(left(wider));
  });

  test("a condition that cannot be evaluated is a fault, and no step", () => {
    const text = "byte x = 2, a[2]; active proctype A() { x = 0 } never { do :: a[x] == 0 od }";
    const { system } = built(text, "none");
    const out = new Successors(system.width);
    system.successors(initialOf(system), 0, out);
    expect([out.count, faultSite(out.flags[0]!) >= 0]).toEqual([1, true]);
  });

  test("candidates are proposed where nobody has to be treated fairly", () => {
    for (const [fairness, isProposed] of [
      ["none", true],
      ["weak", false],
      ["strong", false],
    ] as const) {
      const { observed, automaton, options } = parts(
        "byte x; active proctype A() { x = 1 } never { skip }",
        fairness,
      );
      const candidates = { propose: () => 0, successorsOf: () => undefined };
      const proposing = Object.assign(Object.create(observed) as typeof observed, { candidates });
      expect(product(proposing, automaton, options).candidates !== undefined).toBe(isProposed);
      expect(product(observed, automaton, options).candidates).toBeUndefined();
    }
  });

  test("its invariant is broken in sinks alone: not before the start, nor inside an atomic sequence", () => {
    const { observed, automaton, options } = parts(
      "byte x; active proctype A() { x = 1 } never { do :: x == 1 -> break :: else od }",
      "none",
    );
    const edge = { guard: [{ care: 0, value: 0 }], marks: 1, to: 0 };
    const sink = product(
      observed,
      { propositions: [], conditions: 1, initial: 0, states: [[edge]] },
      options,
    );
    expect(sink.holds(0, initialOf(sink), 0)).toBe(false);
    const system = product(observed, automaton, options);
    const holds = (position: number): boolean => {
      const state = initialOf(system).slice();
      state[system.compareFrom] = position;
      return system.holds(0, state, 0);
    };
    const sinks = acceptingSinks(automaton);
    expect(sinks.size).toBeGreaterThan(0);
    for (const position of automaton.states.keys()) expect(holds(position)).toBe(!sinks.has(position));
    expect([holds(-1), holds(-2), holds(0x7fffffff)]).toEqual([true, true, true]);
  });

  test("step code is that of the system, not of what it wraps", () => {
    const { observed, automaton, options } = parts(
      "byte x; active proctype A() { x = 1 } never { skip }",
      "none",
    );
    const wrapped = (by: object): typeof observed =>
      Object.assign(Object.create(observed) as typeof observed, by);
    const hasStep = (system: typeof observed): boolean =>
      product(system, automaton, options).step !== undefined;
    const candidates = { propose: () => 0, successorsOf: () => undefined };
    expect(hasStep(observed)).toBe(true);
    expect(hasStep(wrapped({}))).toBe(true);
    expect(hasStep(wrapped({ step: undefined }))).toBe(false);
    expect(hasStep(wrapped({ successors: () => undefined }))).toBe(false);
    expect(hasStep(wrapped({ valuation: () => 0 }))).toBe(false);
    expect(hasStep(wrapped({ candidates }))).toBe(false);
    const same = { ...observed.step!.same, ...candidates };
    expect(hasStep(wrapped({ candidates, step: { ...observed.step!, same } }))).toBe(true);
    for (const other of [{ propose: () => 1 }, { successorsOf: () => undefined }])
      expect(
        hasStep(wrapped({ candidates: { ...candidates, ...other }, step: { ...observed.step!, same } })),
      ).toBe(false);
  });

  test("a step carries the marks of who moves, and by weak fairness of who cannot", () => {
    const text =
      "byte x; active proctype A() { x = 1 } active proctype B() { x == 7 } never { do :: true od }";
    const label = (fairness: Fairness): number => {
      const { system, automaton } = built(text, fairness);
      const out = new Successors(system.width);
      system.successors(initialOf(system), 0, out);
      expect([out.count, system.hasForeignAgent]).toEqual([1, false]);
      return out.labels[0]! >>> automaton.conditions;
    };
    expect([label("none"), label("weak"), label("strong")]).toEqual([0, 0b11, 0b01]);
  });

  test("an agent that was not expected is noticed", () => {
    const { observed, automaton, options } = parts(
      "byte x; active [2] proctype P() { x = 1 } never { skip }",
      "weak",
    );
    for (const [agents, isForeign] of [
      [1, true],
      [2, false],
    ] as const) {
      const system = product(observed, automaton, { ...options, agents });
      system.successors(initialOf(system), 0, new Successors(system.width));
      expect(system.hasForeignAgent).toBe(isForeign);
    }
  });

  test("agents beyond the number of marks are noticed", () => {
    const { system, automaton } = built("byte x; active [32] proctype P() { x = 1 } never { skip }", "weak");
    system.successors(initialOf(system), 0, new Successors(system.width));
    expect(system.hasForeignAgent).toBe(true);
    expect(system.fairAgents + automaton.conditions).toBe(31);
  });
});

describe("terminal automata", () => {
  const claimOf = (text: string): Automaton =>
    built(`byte x; active proctype P() { x = 1 } ${text}`, "none").automaton;

  test("a sink leads to itself with all marks, whatever is read", () => {
    const always = [{ care: 0, value: 0 }];
    const sometimes = [{ care: 1, value: 1 }];
    const sinks = (...edges: { guard: typeof always; marks: number; to: number }[]): number[] => [
      ...acceptingSinks({ propositions: ["p"], conditions: 2, initial: 0, states: [edges, []] }),
    ];
    expect(sinks({ guard: always, marks: 0b11, to: 0 })).toEqual([0]);
    expect(sinks({ guard: [...sometimes, ...always], marks: 0b11, to: 0 })).toEqual([0]);
    expect(sinks({ guard: always, marks: 0b01, to: 0 })).toEqual([]);
    expect(sinks({ guard: always, marks: 0b11, to: 1 })).toEqual([]);
    expect(sinks({ guard: sometimes, marks: 0b11, to: 0 })).toEqual([]);
  });

  test("an automaton is terminal unless a cycle outside its sinks has every mark", () => {
    const guard = [{ care: 0, value: 0 }];
    const isTerminalWith = (marks: readonly number[], last = guard): boolean =>
      isTerminal({
        propositions: [],
        conditions: 2,
        initial: 0,
        states: [
          [{ guard, marks: marks[0]!, to: 1 }],
          [
            { guard: last, marks: marks[1]!, to: 0 },
            { guard, marks: 0, to: 2 },
          ],
          [{ guard, marks: 0b11, to: 2 }],
        ],
      });
    expect(isTerminalWith([0b01, 0b10])).toBe(false);
    expect(isTerminalWith([0b01, 0b01])).toBe(true);
    expect(isTerminalWith([0b01, 0b10], [])).toBe(true);
    const passing = [[{ guard, marks: 0, to: 1 }], [{ guard, marks: 0, to: 1 }]];
    expect(isTerminal({ propositions: [], conditions: 0, initial: 0, states: passing })).toBe(true);
  });

  test("a claim that accepts by ending", () => {
    const automaton = claimOf("never { do :: x == 1 -> break :: else od }");
    expect(acceptingSinks(automaton).size).toBe(1);
    expect(isTerminal(automaton)).toBe(true);
  });

  test("a claim that accepts by a cycle", () => {
    expect(isTerminal(claimOf("never { accept: do :: x == 1 od }"))).toBe(false);
    expect(
      isTerminal(
        claimOf(
          "never { do :: x == 0 :: x == 1 -> goto accept od; accept: do :: x == 1 :: x == 2 -> break od }",
        ),
      ),
    ).toBe(false);
  });
});

function verdict(text: string, fairness: Fairness, stutters = true): "holds" | "violated" {
  const { system } = built(text, fairness, stutters);
  return obviousEmptiness(system, system.conditions).isEmpty ? "holds" : "violated";
}

function built(text: string, fairness: Fairness, stutters = true) {
  const { observed, automaton, options } = parts(text, fairness, stutters);
  return { system: product(observed, automaton, options), automaton };
}

function parts(text: string, fairness: Fairness, stutters = true) {
  const sources = new Sources();
  sources.add("m", text);
  const loaded = loadPromela({ file: "m", text, defines: [], readFile: () => undefined, sources });
  expect(loaded.diagnostics).toEqual([]);
  const { temporal } = compile(loaded.program!, sources);
  const [property] = temporal!.properties;
  if (property?.requirement.kind !== "avoids") throw new Error("the model has no claim");
  const { automaton } = property.requirement.claim;
  const observed = fairness === "none" ? temporal!.system : temporal!.labelled();

  return { observed, automaton, options: { property: 0, fairness, agents: temporal!.agents, stutters } };
}
