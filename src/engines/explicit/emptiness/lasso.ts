/**
 * Accepting runs: a prefix, and a cycle that carries all marks. `requireRun` follows every constructed run through the graph
 * before it is reported.
 */
import { Arcs, allMarks, type AcceptanceGraph } from "../../../model/index.js";

/** From `state` by an arc with these `marks` to the state of the next step; after the last, to the cycle's first. */
export interface RunStep {
  readonly state: number;
  readonly marks: number;
}

export interface Lasso {
  /** From the initial state to before the cycle; empty if the cycle goes through the initial state. */
  readonly prefix: readonly RunStep[];
  /** Never empty. */
  readonly cycle: readonly RunStep[];
}

/** Returns why this is not an accepting run of the graph; undefined if it is one. Uses nothing but the graph. */
export function flawOf(graph: AcceptanceGraph, { prefix, cycle }: Lasso): string | undefined {
  if (cycle.length === 0) return "the cycle is empty";
  const steps = [...prefix, ...cycle];
  if (steps[0].state !== graph.initial) return "it does not begin in the initial state";
  const arcs = new Arcs();
  let united = 0;
  for (const [i, step] of steps.entries()) {
    const next = (steps[i + 1] ?? cycle[0]).state;
    graph.successors(step.state, arcs);
    if (!hasArc(arcs, next, step.marks))
      return `there is no arc from ${step.state} to ${next} with ${step.marks}`;
    if (i >= prefix.length) united |= step.marks;
  }
  return united === allMarks(graph.conditions) ? undefined : `the cycle carries ${united} only`;
}

/** Anything but an accepting run is an internal error. */
export function requireRun(graph: AcceptanceGraph, lasso: Lasso): Lasso {
  const flaw = flawOf(graph, lasso);
  if (flaw !== undefined) throw new Error(`not an accepting run: ${flaw}`);
  return lasso;
}

function hasArc(arcs: Arcs, target: number, marks: number): boolean {
  for (let i = 0; i < arcs.count; i++) if (arcs.targets[i] === target && arcs.marks[i] === marks) return true;
  return false;
}
