/** The reduced search under every proviso against the obvious one, on products of two or three small agents; quick, for mutation testing. */
import { expect, test } from "vitest";
import { search, type Proviso } from "../../../src/engines/explicit/index.js";
import type { Model, Successors, System, Words } from "../../../src/model/index.js";
import { randomNumbers } from "../emptiness/graphs.js";
import { obviousReduced } from "../../transforms/reduction/obvious.js";
import { PLAIN } from "./checking.js";
import { toyModel } from "./toys.js";

/** By agent and its state: where it can go; -1: the step fails, and leads nowhere. */
type Agents = readonly (readonly (readonly number[])[])[];

/**
 * Agent `k` has word `k`: states become wider when it first moves away from 0. Every agent is a candidate, but where the first one is in
 * state 1 none after the second.
 */
function product(agents: Agents): System {
  let width = 1;
  const move = (agent: number, state: Words, at: number, out: Successors): void => {
    const from = agents.map((_, k) => (k < width ? state[at + k]! : 0));
    for (const to of agents[agent]![from[agent]!]!) {
      if (to < 0) {
        out.addFault(0);
        continue;
      }
      const next = from.map((value, k) => (k === agent ? to : value));
      const needed = next.findLastIndex((value) => value !== 0) + 1;
      if (needed > width) out.widen((width = needed));
      if (out.count === out.capacity) out.grow();
      out.words.set(next.slice(0, width), out.count++ * out.stride);
    }
  };
  return {
    get width() {
      return width;
    },
    compareFrom: 0,
    initial: (out) => {
      out.words.fill(0, 0, width);
      out.count = 1;
    },
    successors: (state, at, out) => agents.forEach((_, agent) => move(agent, state, at, out)),
    status: () => 0,
    candidates: {
      propose: (state, at, out) => {
        const proposed = state[at] === 1 ? Math.min(2, agents.length) : agents.length;
        for (let agent = 0; agent < proposed; agent++) out[agent] = agent;
        return proposed;
      },
      successorsOf: move,
    },
  };
}

const modelOf = (system: System): Model => ({
  ...toyModel({ initial: [0], next: () => [], sites: ["assertion"] }),
  system,
});

const CHECKED = { ...PLAIN, checksSite: [true] };

const searches = [
  { order: "bfs", proviso: "queue" },
  { order: "bfs", proviso: "none" },
  { order: "dfs", proviso: "stack" },
  { order: "dfs", proviso: "none" },
] as const;

async function agrees(agents: Agents): Promise<number> {
  let rejections = 0;
  for (const { order, proviso } of searches) {
    const { stats, violations } = await search(modelOf(product(agents)), { ...CHECKED, order, proviso });
    const obvious = obviousReduced(product(agents), order, proviso);
    const { reduced, rejected } = stats.partialOrder!;
    const about = `${order} ${proviso} ${JSON.stringify(agents)}`;
    expect([stats.states, stats.transitions + 1, reduced, rejected, violations.length], about).toEqual([
      obvious.states,
      obvious.transitions,
      obvious.reduced,
      obvious.rejected,
      obvious.errors.size,
    ]);
    rejections += rejected;
  }
  return rejections;
}

function randomAgents(count: number): Agents[] {
  const random = randomNumbers(4);
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + below(2) }, () => {
      const states = 1 + below(3);
      return Array.from({ length: states }, () =>
        Array.from({ length: below(3) }, () => (below(12) === 0 ? -1 : below(states))),
      );
    }),
  );
}

test("random agents", async () => {
  let rejections = 0;
  for (const agents of randomAgents(30)) rejections += await agrees(agents);
  expect(rejections).toBeGreaterThan(50);
});

test("no agent is put off forever: each gets wherever it can get alone", async () => {
  const kept = [
    { order: "bfs", proviso: "queue" },
    { order: "dfs", proviso: "stack" },
  ] as const;
  let reductions = 0;
  for (const agents of randomAgents(30))
    for (const { order, proviso } of kept) {
      const seen = agents.map(() => new Set<number>());
      const holds: Model["holds"] = (_, state, at) =>
        seen.every((states, k) => states.add(k < system.width ? state[at + k]! : 0));
      const system = product(agents);
      const model = { ...modelOf(system), holds };
      const { stats } = await search(model, { ...PLAIN, order, proviso, invariants: [0] });
      reductions += stats.partialOrder!.reduced;
      const about = `${order} ${proviso} ${JSON.stringify(agents)}`;
      expect(
        seen.map((states) => [...states].sort()),
        about,
      ).toEqual(agents.map(reachableAlone));
    }
  expect(reductions).toBeGreaterThan(50);
});

function reachableAlone(agent: Agents[number]): number[] {
  const reached = new Set([0]);
  for (const state of reached) for (const to of agent[state]!) if (to >= 0) reached.add(to);
  return [...reached].sort();
}

test("agents that turn in place, and one that moves on", async () => {
  await agrees([[[0]], [[0]], [[1], []]]);
  await agrees([[[1], [0]], [[0]], [[1], [2], []]]);
  await agrees([[[1], []], [[]], [[1], [2], []]]);
});

test("a batch smaller than the one before, with as many successors", async () => {
  await agrees([[[2, 3], [0, 0, 3], [1, 3], [1]]]);
});

test("an agent whose only step fails is no candidate", async () => {
  await agrees([[[-1]], [[1], []]]);
  await agrees([[[1], [-1]], [[-1]], [[1], []]]);
});

test("nothing is reduced without candidates, nor by a store that does not know which state it has found", async () => {
  const agents: Agents = [
    [[1], []],
    [[1], []],
  ];
  const system = product(agents);
  const { candidates: _, ...rest } = system;
  for (const order of ["bfs", "dfs"] as const) {
    const options = { ...PLAIN, order, proviso: order === "bfs" ? ("queue" as const) : ("stack" as const) };
    const reduced = await search(modelOf(product(agents)), options);
    expect([reduced.stats.states, reduced.stats.partialOrder?.reduced]).toEqual([3, 2]);
    const plain = { ...rest, width: 2 };
    for (const whole of [
      await search(modelOf(plain), options),
      await search(modelOf(product(agents)), { ...options, store: "tree" }),
    ])
      expect([whole.stats.states, whole.stats.partialOrder]).toEqual([4, undefined]);
  }
});

test("a proviso of another order is refused", async () => {
  const model = modelOf(product([[[0]]]));
  const searching = (order: "bfs" | "dfs", proviso: Proviso) => search(model, { ...PLAIN, order, proviso });
  await expect(searching("bfs", "stack")).rejects.toThrow("none of breadth-first");
  await expect(searching("dfs", "queue")).rejects.toThrow("none of depth-first");
});
