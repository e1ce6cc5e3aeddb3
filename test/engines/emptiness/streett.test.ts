import { expect, test } from "vitest";
import type { StreettArcs } from "../../../src/engines/explicit/emptiness/index.js";
import {
  checkStreett,
  checkStrongFairness,
  streettFlawOf,
  type StreettGraph,
} from "../../../src/engines/explicit/emptiness/index.js";
import { allMarks, type System } from "../../../src/model/index.js";
import { randomNumbers, reachability } from "./graphs.js";

interface FairArc {
  readonly to: number;
  readonly marks: number;
  readonly enabled: number;
  readonly taken: number;
}

interface FairGraph {
  readonly conditions: number;
  readonly agents: number;
  readonly arcs: readonly (readonly FairArc[])[];
}

test("random graphs: the same as trying every set of arcs, and every run replays", () => {
  const random = randomNumbers(7);
  let accepting = 0;
  for (let i = 0; i < 3000; i++) {
    const written = randomFairGraph(random);
    const graph = asStreettGraph(written);
    const { isEmpty, run } = checkStreett(graph, written.agents);
    expect(isEmpty, JSON.stringify(written)).toBe(isObviouslyEmpty(written));
    if (isEmpty) continue;
    accepting++;
    expect(streettFlawOf(graph, allMarks(written.agents), run!)).toBeUndefined();
  }
  expect(accepting).toBeGreaterThan(500);
  expect(accepting).toBeLessThan(2500);
});

test("a run that starves an agent is none", () => {
  const loop: FairArc = { to: 0, marks: 1, enabled: 3, taken: 1 };
  const graph = asStreettGraph({ conditions: 1, agents: 2, arcs: [[loop]] });
  const step = { state: 0, marks: 1, enabled: 3, taken: 1 };
  expect(streettFlawOf(graph, 3, { prefix: [], cycle: [step] })).toMatch(/never move/);
  expect(streettFlawOf(graph, 1, { prefix: [], cycle: [step] })).toBeUndefined();
  expect(streettFlawOf(graph, 1, { prefix: [], cycle: [{ ...step, taken: 2 }] })).toMatch(/no such arc/);
});

test("a system: an agent that can move again and again must move under strong fairness", async () => {
  // Agent 0 goes round between 0 and 1; agent 1 can move in state 1 only, to 2, where agent 0 continues alone.
  const system = labelledSystem([
    [{ to: 1, label: 0b011 }],
    [
      { to: 0, label: 0b011 },
      { to: 2, label: 0b100 },
    ],
    [{ to: 2, label: 0b010 }],
  ]);
  const options = { budget: {}, control: {} };
  const fair = await checkStrongFairness(system, { ...options, conditions: 1, agents: 2 });
  expect(fair.isEmpty).toBe(true);
  const unfair = await checkStrongFairness(system, { ...options, conditions: 1, agents: 1 });
  expect(unfair.isEmpty).toBe(false);
  expect(unfair.run!.cycle.map((words) => words[0])).toEqual([1, 0]);
});

/** States 0, 1, … in one word; the labels as given. */
function labelledSystem(steps: readonly (readonly { to: number; label: number }[])[]): System {
  return {
    width: 1,
    compareFrom: 0,
    labels: "marks",
    initial: (out) => {
      out.words[0] = 0;
      out.count = 1;
    },
    successors: (state, at, out) => {
      for (const { to, label } of steps[state[at]]) {
        out.words[out.count] = to;
        out.labels[out.count++] = label;
      }
    },
    status: () => 0,
  };
}

const asStreettGraph = ({ conditions, arcs }: FairGraph): StreettGraph => ({
  conditions,
  initial: 0,
  successors(state: number, out: StreettArcs) {
    out.count = 0;
    for (const { to, marks, enabled, taken } of arcs[state]) out.addFair(to, marks, enabled, taken);
  },
});

function randomFairGraph(random: () => number): FairGraph {
  const below = (limit: number): number => Math.floor(random() * limit);
  const mask = (bits: number, probability: number): number =>
    Array.from({ length: bits }, (_, i) => (random() < probability ? 1 << i : 0)).reduce((a, b) => a | b, 0);
  const states = 1 + below(5);
  const conditions = below(3);
  const agents = 1 + below(3);
  const arcs = Array.from({ length: states }, () => {
    const enabled = mask(agents, 0.5);
    return Array.from({ length: below(3) }, () => ({
      to: below(states),
      marks: mask(conditions, 0.5),
      enabled,
      taken: mask(agents, 0.3) & enabled,
    }));
  });
  return { conditions, agents, arcs };
}

/** Some set of arcs that can all be taken again and again fulfils everything: tries all sets. */
function isObviouslyEmpty({ conditions, agents, arcs }: FairGraph): boolean {
  const list = arcs.flatMap((out, from) => out.map((arc) => ({ from, ...arc })));
  const fromInitial = reachability(arcs.map((out) => out.map(({ to }) => to)))[0];
  for (let set = 1; set < 1 << list.length; set++) {
    const chosen = list.filter((_, i) => (set & (1 << i)) !== 0);
    const united = (field: "marks" | "enabled" | "taken"): number =>
      chosen.reduce((all, arc) => all | arc[field], 0);
    if (united("marks") !== allMarks(conditions)) continue;
    if ((united("enabled") & ~united("taken") & allMarks(agents)) !== 0) continue;
    const reach = reachability(
      arcs.map((_, from) => chosen.filter((arc) => arc.from === from).map(({ to }) => to)),
    );
    if (
      fromInitial[chosen[0].from] &&
      chosen.every(({ from, to }) => reach[to][chosen[0].from] && reach[chosen[0].from][from])
    )
      return false;
  }
  return true;
}
