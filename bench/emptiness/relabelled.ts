/**
 * Graphs with other marks and the same accepting runs: the two choices of degeneralisation that the paper compares. The order in
 * which conditions are awaited is a renumbering of the conditions; lookahead adds to an arc the marks that all arcs out of its target carry.
 */
import { Arcs, allMarks, type AcceptanceGraph } from "../../src/model/index.js";

/** Condition `order[i]` becomes condition `i`. */
export function reordered(base: AcceptanceGraph, order: readonly number[]): AcceptanceGraph {
  if (order.length !== base.conditions || order.some((_, i) => !order.includes(i)))
    throw new Error("the order does not name each condition once");
  const renumber = (marks: number): number =>
    order.reduce((renumbered, condition, i) => renumbered | (((marks >>> condition) & 1) << i), 0);
  return relabelled(base, (_, marks) => renumber(marks));
}

export function lookingAhead(base: AcceptanceGraph): AcceptanceGraph {
  const known = new Map<number, number>();
  const beyond = new Arcs();
  const commonMarks = (state: number): number => {
    base.successors(state, beyond);
    let common = allMarks(base.conditions);
    for (let i = 0; i < beyond.count; i++) common &= beyond.marks[i]!;
    known.set(state, common);
    return common;
  };
  return relabelled(base, (target, marks) => marks | (known.get(target) ?? commonMarks(target)));
}

function relabelled(
  base: AcceptanceGraph,
  marksOf: (target: number, marks: number) => number,
): AcceptanceGraph {
  const arcs = new Arcs();
  return {
    conditions: base.conditions,
    initial: base.initial,
    successors: (state, out) => {
      base.successors(state, arcs);
      out.count = 0;
      for (let i = 0; i < arcs.count; i++)
        out.add(arcs.targets[i]!, marksOf(arcs.targets[i]!, arcs.marks[i]!));
    },
  };
}
