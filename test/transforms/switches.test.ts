/** Bounded switches beside a definition by paths, on random systems of three agents. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Successors, type Model, type System } from "../../src/model/index.js";
import { BoundedSwitches, type SwitchKind } from "../../src/transforms/switches.js";

const AGENTS = 3;

/** By state: its steps with agent and target. */
type Steps = readonly (readonly { readonly agent: number; readonly to: number }[])[];

for (const kind of ["preemptions", "delays"] as const)
  test(`${kind}: what is reached within a bound is what some path within it reaches`, () =>
    fc.assert(
      fc.property(systems(), fc.integer({ min: 0, max: 3 }), (steps, bound) => {
        const bounded = new BoundedSwitches(modelOf(steps), kind, bound);
        expect(reachable(bounded.model.system)).toEqual(byPaths(steps, kind, bound));
      }),
      { numRuns: 300 },
    ));

for (const kind of ["preemptions", "delays"] as const)
  test(`${kind}: a bound that leaves nothing out reaches everything, and no bound makes a deadlock`, () =>
    fc.assert(
      fc.property(systems(), fc.integer({ min: 0, max: 30 }), (steps, bound) => {
        const inner = modelOf(steps);
        const bounded = new BoundedSwitches(inner, kind, bound);
        const found = reachable(bounded.model.system, (state, count) =>
          expect(count === 0).toBe(steps[state]!.length === 0),
        );
        if (!bounded.isCut) expect(found).toEqual(reachable(inner.system));
      }),
      { numRuns: 200 },
    ));

test("a trace names the same steps by their places among all", () => {
  // Agent 0 continues with 1; the step of agent 2 costs, and only the second one does not lead back.
  const steps: Steps = [
    [{ agent: 0, to: 1 }],
    [
      { agent: 2, to: 0 },
      { agent: 0, to: 2 },
    ],
    [],
  ];
  const bounded = new BoundedSwitches(modelOf(steps), "preemptions", 0);
  expect(bounded.concretise({ choices: [0, 0], fault: -1, loopStart: undefined }).choices).toEqual([0, 1]);
  expect(bounded.isCut).toBe(true);
});

const systems = (): fc.Arbitrary<Steps> =>
  fc.integer({ min: 2, max: 6 }).chain((states) =>
    fc.array(fc.array(fc.record({ agent: fc.nat(AGENTS - 1), to: fc.nat(states - 1) }), { maxLength: 3 }), {
      minLength: states,
      maxLength: states,
    }),
  );

function modelOf(steps: Steps): Model {
  const append = (out: Successors, state: number, label: number): void => {
    out.words[out.count * out.stride] = state;
    out.labels[out.count++] = label;
  };
  const system: System = {
    width: 1,
    compareFrom: 0,
    labels: "agents",
    initial: (out) => append(out, 0, 0),
    successors: (state, at, out) => {
      for (const { agent, to } of steps[state[at]!]!) append(out, to, 1 << agent);
    },
    status: () => 0,
  };
  return { system, steps: system, invariants: [], properties: [], sites: [] } as unknown as Model;
}

/** The first words of all reachable states; `look` receives the number of successors of each state. */
function reachable(system: System, look?: (state: number, count: number) => void): number[] {
  const out = new Successors(system.width);
  system.initial(out);
  const queue = [out.words.slice(0, system.width)];
  const seen = new Set(queue.map(String));
  for (const state of queue) {
    out.clear();
    system.successors(state, 0, out);
    look?.(state[0]!, out.count);
    for (let i = 0; i < out.count; i++) {
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (seen.has(String(next))) continue;
      seen.add(String(next));
      queue.push(next);
    }
  }
  return [...new Set(queue.map((state) => state[0]!))].toSorted();
}

/** All paths, except any that return to a state with the same budget left. */
function byPaths(steps: Steps, kind: SwitchKind, bound: number): number[] {
  const seen = new Set<string>();
  const found = new Set<number>();
  const visit = (state: number, last: number | undefined, left: number): void => {
    if (left < 0 || seen.has(`${state} ${last} ${left}`)) return;
    seen.add(`${state} ${last} ${left}`);
    found.add(state);
    const able = (agent: number): boolean => steps[state]!.some((step) => step.agent === agent);
    for (const { agent, to } of steps[state]!) {
      let cost: number;
      if (kind === "preemptions") cost = last !== undefined && last !== agent && able(last) ? 1 : 0;
      else {
        const round = [0, 1, 2].map((i) => ((last ?? 0) + i) % AGENTS);
        cost = round.slice(0, round.indexOf(agent)).filter(able).length;
      }
      visit(to, agent, left - cost);
    }
  };
  visit(0, undefined, bound);
  return [...found].toSorted();
}
