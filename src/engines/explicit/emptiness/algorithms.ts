/** The emptiness checks by name, with their capabilities. */
import type { AcceptanceGraph } from "../../../model/index.js";
import { constructRun, type ConstructedRun } from "./accepting-run.js";
import { Cou99Norem } from "./cou99-norem.js";
import { Cou99Lazy } from "./cou99-lazy.js";
import { Cou99Shy } from "./cou99-shy.js";
import { Cvwy90 } from "./cvwy90.js";
import { Degeneralised } from "./degeneralised.js";
import type { EmptinessSearch, SearchLimits } from "./emptiness-search.js";
import { Gv04 } from "./gv04.js";
import { requireRun } from "./lasso.js";
import { PathCheck } from "./path-loop.js";
import { Se05 } from "./se05.js";
import { Tau03 } from "./tau03.js";
import { Tau03Opt } from "./tau03opt.js";

interface Description {
  /** Handles a single condition: graphs with more are degeneralised. */
  readonly needsOne?: true;
  readonly create: (graph: AcceptanceGraph, limits: SearchLimits) => EmptinessSearch;
}

const descriptions = {
  cou99: {
    // Merges strongly connected components on the fly (Couvreur 1999).
    create: (graph, limits) => new PathCheck(graph, limits, "components"),
  },
  "cou99-norem": {
    // Cou99 with a smaller stack: takes the arcs of finished components twice.
    create: (graph, limits) => new Cou99Norem(graph, limits),
  },
  "cou99-lazy": {
    // Cou99 that merges components while backtracking (Hammer, Knapp, Merz 2005).
    create: (graph, limits) => new Cou99Lazy(graph, limits),
  },
  "cou99-shy-": {
    // Cou99 that looks at a state's known successors first.
    create: (graph, limits) => new Cou99Shy(graph, limits, false),
  },
  "cou99-shy": {
    // Cou99 that looks at a component's known successors first.
    create: (graph, limits) => new Cou99Shy(graph, limits, true),
  },
  gv04: {
    // Tarjan's algorithm with early detection (Geldenhuys, Valmari 2004).
    needsOne: true,
    create: (graph, limits) => new Gv04(graph, limits),
  },
  cvwy90: {
    // Nested depth-first search (Courcoubetis, Vardi, Wolper, Yannakakis 1990).
    needsOne: true,
    create: (graph, limits) => new Cvwy90(graph, limits),
  },
  se05: {
    // Nested depth-first search with early detection (Schwoon, Esparza 2005).
    needsOne: true,
    create: (graph, limits) => new Se05(graph, limits),
  },
  tau03: {
    // Generalised nested depth-first search (Tauriainen 2003).
    create: (graph, limits) => new Tau03(graph, limits),
  },
  tau03opt: {
    // Generalised nested depth-first search with early detection (Couvreur, Duret-Lutz, Poitrenaud 2005).
    create: (graph, limits) => new Tau03Opt(graph, limits),
  },
  dfs: {
    // One depth-first search, for weak automata without fairness.
    create: (graph, limits) => new PathCheck(graph, limits, "plain"),
  },
} satisfies Record<string, Description>;

export type EmptinessAlgorithm = keyof typeof descriptions;

export const EMPTINESS_ALGORITHMS = Object.keys(descriptions) as readonly EmptinessAlgorithm[];

/** Chosen by measurement: see the decision record on emptiness checks. */
export const DEFAULT_ALGORITHM: EmptinessAlgorithm = "cou99";

/**
 * Returns why the algorithm cannot check a graph with this number of conditions; undefined if it can. `dfs` requires weak
 * graphs (`isWeak`).
 */
export function refusal(
  algorithm: EmptinessAlgorithm,
  conditions: number,
  isWeak: boolean,
): string | undefined {
  if (algorithm === "tau03" && conditions === 0)
    return "tau03 needs at least one acceptance condition, and here every infinite run is accepting: use tau03opt or cou99";
  // sound: test/engines/emptiness/answers.test.ts
  if (algorithm === "dfs" && !isWeak)
    return "dfs is for weak automata without fairness, and this is none: use cou99";
  return undefined;
}

export interface PreparedCheck {
  readonly search: EmptinessSearch;
  /** After the outcome "accepting": a run of the graph that was given, followed through it. */
  construct(): ConstructedRun;
  /** Has this state of the graph that was given been visited? */
  hasVisited(state: number): boolean;
}

export function prepare(
  algorithm: EmptinessAlgorithm,
  graph: AcceptanceGraph,
  limits: SearchLimits,
): PreparedCheck {
  // Weakness cannot be seen without exploring the graph: the caller has checked it.
  const refused = refusal(algorithm, graph.conditions, true);
  if (refused !== undefined) throw new Error(refused);
  const { create, needsOne }: Description = descriptions[algorithm];
  if (!needsOne || graph.conditions <= 1) {
    const search = create(graph, limits);
    return {
      search,
      construct: () => constructRun(graph, search.evidence()),
      hasVisited: (state) => search.hasVisited(state),
    };
  }
  const single = new Degeneralised(graph);
  const search = create(single, limits);
  return {
    search,
    construct: () => {
      const run = constructRun(single, search.evidence());
      return { ...run, lasso: requireRun(graph, single.project(run.lasso)) };
    },
    hasVisited: (state) => {
      for (let level = 0; level < graph.conditions; level++)
        if (search.hasVisited(state * graph.conditions + level)) return true;
      return false;
    },
  };
}
