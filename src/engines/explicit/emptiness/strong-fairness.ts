/**
 * The emptiness check of a system under strong fairness. The labels of its steps are acceptance marks in the lower bits
 * (`conditions` many) and above them who moves (`agents` many); an agent is enabled in a state if it moves in some step.
 */
import { allMarks, Arcs, type Budget, type Control, type System, type Words } from "../../../model/index.js";
import { checkSystem, type EmptinessResult } from "./check.js";
import type { InternedGraph } from "./interned-graph.js";
import type { StreettGraph } from "./streett-graph.js";
import { StreettSearch } from "./streett.js";

export interface StrongFairnessOptions {
  readonly conditions: number;
  /** Together with the conditions at most 31. */
  readonly agents: number;
  readonly budget: Budget;
  readonly control: Control;
  /** As in `EmptinessOptions`. */
  onFault?(site: number, path: () => readonly Words[]): void;
}

/** The marks of the run that is found are the labels: marks, and above them who moves. */
export async function checkStrongFairness(
  system: System,
  options: StrongFairnessOptions,
): Promise<EmptinessResult> {
  const { conditions, agents, budget } = options;
  if (system.labels !== "marks") throw new Error("the system's labels are not acceptance marks");
  if (conditions + agents > 31) throw new Error(`${conditions} conditions and ${agents} agents are too many`);
  const labelMask = allMarks(conditions + agents);
  return checkSystem(system, { ...options, labelMask }, "streett", (graph, memory) => {
    const limits = { memory, maxDepth: budget.maxDepth ?? Infinity };
    const search = new StreettSearch(fairGraph(graph, conditions), agents, limits);
    return {
      search,
      hasVisited: (state) => search.hasVisited(state),
      construct: () => {
        const { prefix, cycle } = search.construct();
        const relabelled = (steps: typeof cycle) =>
          steps.map(({ state, marks, taken }) => ({ state, marks: marks | (taken << conditions) }));
        const lasso = { prefix: relabelled(prefix), cycle: relabelled(cycle) };
        return { lasso, cycleStatesVisited: 0, searchSpace: search.evidence().size };
      },
    };
  });
}

function fairGraph(graph: InternedGraph, conditions: number): StreettGraph {
  const arcs = new Arcs();
  const marksMask = allMarks(conditions);
  return {
    conditions,
    initial: graph.initial,
    successors(state, out) {
      graph.successors(state, arcs);
      out.count = 0;
      let enabled = 0;
      for (let i = 0; i < arcs.count; i++) enabled |= arcs.marks[i] >>> conditions;
      for (let i = 0; i < arcs.count; i++)
        out.addFair(arcs.targets[i], arcs.marks[i] & marksMask, enabled, arcs.marks[i] >>> conditions);
    },
  };
}
