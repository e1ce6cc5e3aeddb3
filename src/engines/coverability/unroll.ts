/**
 * From a node of a Karp-Miller tree to a run of the net that covers what the node covers: the branch, with each loop that made an ω
 * repeated as often as is needed.
 *
 * How often is found from the end: what must be there after a step says what must be there before it. At an ω the loop has to
 * make up for what was not there; it takes nothing from places that are finite at the node, and what it takes from
 * places that were ω before is asked of the loops before it.
 */
import { TokenOverflow } from "../../model/index.js";
import { LONGEST_RUN, OMEGA, demandBefore, type DenseNet } from "./dense.js";

export interface TreeNode {
  readonly marking: Int32Array;
  readonly parent: TreeNode | undefined;
  /** The transition that led here. */
  readonly cause: number;
  readonly depth: number;
  readonly pumps: readonly Pump[];
}

/** From the ancestor to the node some places grew, and became ω. */
export interface Pump {
  readonly ancestor: TreeNode;
  readonly places: readonly number[];
  /** The marking of the node before that. */
  readonly before: Int32Array;
}

export function runInto(net: DenseNet, node: TreeNode, target: Int32Array): number[] {
  const demand = Float64Array.from(target);
  const reversed: number[] = [];
  const goBack = (t: number): void => {
    if (reversed.length >= LONGEST_RUN) throw new TokenOverflow(`a run of more than ${LONGEST_RUN} steps`);
    reversed.push(t);
    demandBefore(net.transitions[t]!, demand);
  };
  for (let at: TreeNode | undefined = node; at; at = at.parent) {
    for (const pump of at.pumps.toReversed())
      for (let times = repetitions(pump, demand); times > 0; times--)
        for (let part = at; part !== pump.ancestor; part = part.parent!) goBack(part.cause);
    if (at.parent) goBack(at.cause);
  }
  return reversed.reverse();
}

/** So often that every place which became ω has what is asked of it. */
function repetitions({ ancestor, places, before }: Pump, demand: Float64Array): number {
  let times = 0;
  for (const place of places) {
    const gain = before[place]! - ancestor.marking[place]!;
    if (ancestor.marking[place] === OMEGA || gain <= 0) throw new Error("a loop that gains nothing");
    times = Math.max(times, Math.ceil((demand[place]! - before[place]!) / gain));
  }
  return times;
}
