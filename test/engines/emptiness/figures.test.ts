/** Figures of the literature that are small enough for every day; `npm run bench:emptiness` has the rest. */
import { describe, expect, test } from "vitest";
import { product, exploreSystem, sizeOf, weaklyFair } from "../../../bench/emptiness/products.js";
import { clientServer, clientServerValuation } from "../../../bench/models/client-server.js";
import { subgraphGadget } from "../../../bench/emptiness/gadget.js";
import {
  Degeneralised,
  isWeak,
  type EmptinessAlgorithm,
} from "../../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "../../../bench/emptiness/check-graph.js";
import type { AcceptanceGraph, Automaton, Cube } from "../../../src/model/index.js";
import { asGraph } from "./graphs.js";

const always: Cube[] = [{ care: 0, value: 0 }];
/** F(w1 & G !s1), where w1 and s1 exclude each other. */
const waitsForEver: Automaton = {
  propositions: ["w1", "s1"],
  conditions: 1,
  initial: 0,
  states: [
    [
      { guard: [{ care: 3, value: 1 }], marks: 1, to: 1 },
      { guard: always, marks: 0, to: 0 },
    ],
    [{ guard: [{ care: 2, value: 0 }], marks: 1, to: 1 }],
  ],
};

const figures = (graph: AcceptanceGraph, algorithm: EmptinessAlgorithm): (number | boolean | undefined)[] => {
  const { isEmpty, states, transitions, stack } = checkGraph(graph, algorithm);
  return [isEmpty, states, transitions, stack];
};

describe("client-server (table 3)", () => {
  const fairProduct = (clients: number, servers: number): AcceptanceGraph => {
    const agents = clients + servers;
    const system = weaklyFair(exploreSystem(clientServer(clients, servers), clientServerValuation), agents);
    return product(system, waitsForEver, { systemConditions: agents, edges: "more marks first" });
  };

  test("three clients, one server", () => {
    const system = exploreSystem(clientServer(3, 1), clientServerValuation);
    expect(system).toMatchObject({ states: 510, transitions: 1302 });
    const unfair = (): AcceptanceGraph => product(system, waitsForEver, { edges: "more marks first" });
    expect(sizeOf(unfair())).toEqual({ states: 783, transitions: 2371 });
    expect(figures(unfair(), "cou99")).toEqual([true, 783, 2371, 511]);
    expect(figures(unfair(), "cou99-norem")).toEqual([true, 783, 4742, 237]);
    expect(figures(unfair(), "cou99-shy-")).toEqual([true, 783, 2371, 713]);
    expect(figures(unfair(), "cou99-shy")).toEqual([true, 783, 2371, 520]);
    expect(figures(unfair(), "gv04")).toEqual([true, 783, 2371, 511]);
    expect(figures(unfair(), "cvwy90")).toEqual([true, 783, 2897, 237]);
    expect(figures(unfair(), "se05")).toEqual([true, 783, 2897, 237]);
    expect(figures(unfair(), "tau03")).toEqual([true, 783, 5268, 238]);
    expect(figures(unfair(), "tau03opt")).toEqual([true, 783, 2897, 237]);
    expect(figures(unfair(), "dfs")).toEqual([true, 783, 2371, 237]);
  });

  test("fairness costs cou99 nothing, the others a larger graph", () => {
    const fair = (): AcceptanceGraph => fairProduct(3, 1);
    expect(sizeOf(new Degeneralised(fair()))).toEqual({
      states: 2005,
      transitions: 6627,
    });
    expect(figures(fair(), "cou99")).toEqual([true, 783, 2371, 511]);
    expect(figures(fair(), "gv04")).toEqual([true, 2005, 6627, 550]);
    expect(figures(fair(), "cvwy90")).toEqual([true, 2005, 7771, 251]);
    expect(figures(fair(), "se05")).toEqual([true, 2005, 7771, 251]);
  });

  test("three servers: violated, but not under weak fairness; the complete figures", () => {
    const system = exploreSystem(clientServer(3, 3), clientServerValuation);
    expect(system).toMatchObject({ states: 12798, transitions: 42138 });
    const unfair = (): AcceptanceGraph => product(system, waitsForEver, { edges: "more marks first" });
    expect(figures(unfair(), "cou99")).toEqual([false, 628, 838, 159]);
    expect(figures(unfair(), "se05")).toEqual([false, 628, 1503, 159]);
    expect(figures(unfair(), "cvwy90")).toEqual([false, 628, 1517, 159]);
    expect(figures(unfair(), "tau03")).toEqual([false, 922, 3527, 220]);
    expect(figures(fairProduct(3, 3), "cou99")).toEqual([true, 22147, 93537, 12799]);
    expect(figures(fairProduct(3, 3), "tau03opt")).toEqual([true, 22147, 361513, 7289]);
  });

  test("two servers: violated even under weak fairness", () => {
    expect(checkGraph(fairProduct(3, 2), "cou99").isEmpty).toBe(false);
  });
});

describe("figure 4: a cycle before a large subgraph", () => {
  const states = (accepting: 1 | 2 | 3, algorithm: EmptinessAlgorithm): number =>
    checkGraph(subgraphGadget(500, accepting), algorithm).states;

  test("only the weights of tau03opt and the components see it at once", () => {
    for (const algorithm of ["se05", "cvwy90"] as const) expect(states(1, algorithm)).toBe(503);
    for (const algorithm of ["tau03opt", "cou99", "gv04"] as const) expect(states(1, algorithm)).toBe(3);
  });

  test("se05 sees the arcs at the end of the cycle", () => {
    for (const accepting of [2, 3] as const) expect(states(accepting, "se05")).toBe(3);
  });
});

describe("weak automata", () => {
  test("are recognised", () => {
    expect(isWeak(waitsForEver)).toBe(true);
    const edge = (marks: number, to: number) => ({ guard: always, marks, to });
    const automaton = (conditions: number, ...states: ReturnType<typeof edge>[][]): Automaton => ({
      propositions: [],
      conditions,
      initial: 0,
      states,
    });
    expect(isWeak(automaton(1, [edge(1, 1)], [edge(0, 0)]))).toBe(false);
    expect(isWeak(automaton(2, [edge(1, 1)], [edge(2, 0)]))).toBe(false);
    expect(isWeak(automaton(2, [edge(1, 1)], [edge(1, 0)]))).toBe(true);
    expect(isWeak(automaton(0, [edge(0, 0)]))).toBe(true);
  });

  test("dfs finds what is accepting in them", () => {
    const weak = asGraph({
      conditions: 1,
      arcs: [
        [
          { to: 0, marks: 0 },
          { to: 1, marks: 0 },
        ],
        [{ to: 2, marks: 1 }],
        [{ to: 1, marks: 1 }],
      ],
    });
    const result = checkGraph(weak, "dfs");
    expect(result.isEmpty).toBe(false);
    expect(result.construct().lasso.cycle.map(({ state }) => state)).toEqual([1, 2]);
  });
});
