/**
 * From a node of a Karp-Miller tree to a run that covers it: the branch, with each pumping loop repeated often enough.
 *
 * Computes the repetitions from the end, by the demand before each step. At an ω, the loop makes up the deficit; it takes
 * nothing from places finite at the node, and its consumption from earlier ω places becomes demand on earlier loops.
 */
import { TokenOverflow } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { LONGEST_RUN, OMEGA, demandBefore, type DenseNet } from "./dense.js";

export interface TreeNode {
  readonly marking: Int32Array;
  readonly parent: TreeNode | undefined;
  /** The transition that led here. */
  readonly cause: number;
  readonly depth: number;
  readonly pumps: readonly Pump[];
}

/** Places that grew from the ancestor to the node, and became ω. */
export interface Pump {
  readonly ancestor: TreeNode;
  readonly places: readonly number[];
  /** Marking of the node before acceleration. */
  readonly before: Int32Array;
}

export function runInto(net: DenseNet, node: TreeNode, target: Int32Array): number[] {
  const demand = Float64Array.from(target);
  const reversed: number[] = [];
  const goBack = (t: number): void => {
    if (reversed.length >= LONGEST_RUN) throw new TokenOverflow(`a run of more than ${LONGEST_RUN} steps`);
    reversed.push(t);
    demandBefore(nth(net.transitions, t), demand);
  };
  for (let at: TreeNode | undefined = node; at; at = at.parent) {
    for (const pump of at.pumps.toReversed())
      for (let times = repetitions(pump, demand); times > 0; times--)
        for (let part: TreeNode | undefined = at; part && part !== pump.ancestor; part = part.parent)
          goBack(part.cause);
    if (at.parent) goBack(at.cause);
  }
  return reversed.reverse();
}

/** Repetitions after which every new ω place meets its demand. */
function repetitions({ ancestor, places, before }: Pump, demand: Float64Array): number {
  let times = 0;
  for (const place of places) {
    const [from, to] = [nth(ancestor.marking, place), nth(before, place)];
    if (from === OMEGA || to <= from) throw new Error("a loop that gains nothing");
    times = Math.max(times, Math.ceil((nth(demand, place) - to) / (to - from)));
  }
  return times;
}
