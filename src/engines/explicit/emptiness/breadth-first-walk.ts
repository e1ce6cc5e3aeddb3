/** Shortest walks through a part of an acceptance graph: what the constructors of runs are made of. */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import type { RunStep } from "./lasso.js";

export interface Walk {
  readonly steps: readonly RunStep[];
  /** Where the last step leads. */
  readonly end: number;
}

export interface WalkOptions {
  readonly from: number;
  /** States outside are not entered; they may be the end of the last arc. */
  readonly isInside: (state: number) => boolean;
  /** The walk ends with the first arc of which this is true. */
  readonly isGoal: (target: number, marks: number, source: number) => boolean;
  /** Told about every state that is expanded. */
  readonly onVisit?: (state: number) => void;
}

/** The shortest walk with at least one arc; undefined if there is none. */
export function shortestWalk(graph: AcceptanceGraph, options: WalkOptions): Walk | undefined {
  const { from, isInside, isGoal, onVisit } = options;
  const arcs = new Arcs();
  const queue = [from];
  /** By state: the position in the queue of the state it was reached from, and the marks of the arc. */
  const reached = new Map([[from, { by: -1, marks: 0 }]]);
  for (let head = 0; head < queue.length; head++) {
    const source = queue[head];
    onVisit?.(source);
    graph.successors(source, arcs);
    for (let i = 0; i < arcs.count; i++) {
      const target = arcs.targets[i];
      const marks = arcs.marks[i];
      if (isInside(target) && isGoal(target, marks, source))
        return { steps: [...stepsTo(head), { state: source, marks }], end: target };
      if (reached.has(target) || !isInside(target)) continue;
      reached.set(target, { by: head, marks });
      queue.push(target);
    }
  }
  return undefined;

  function stepsTo(position: number): RunStep[] {
    const steps: RunStep[] = [];
    for (let at = position; ;) {
      const { by, marks } = reached.get(queue[at])!;
      if (by < 0) return steps.reverse();
      steps.push({ state: queue[by], marks });
      at = by;
    }
  }
}
