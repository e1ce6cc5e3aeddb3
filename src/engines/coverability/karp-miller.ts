/**
 * The coverability tree of Karp and Miller: a marking larger than an ancestor can grow again and again, so the increased
 * places hold arbitrarily many tokens, written ω. The finite tree decides coverability and boundedness.
 *
 * Does not expand a node whose marking is below another node's: the larger marking enables everything that the smaller
 * does. This is sound because nodes are never removed from the tree (Reynier and Servais show the failure otherwise).
 */
import type { Net, Tokens } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Antichain } from "./antichain.js";
import {
  OMEGA,
  denseNet,
  denseVector,
  fire,
  isBelow,
  isCoveringRun,
  isEnabled,
  refuseTransfers,
  withSources,
  type DenseNet,
  type DenseTransition,
} from "./dense.js";
import type { CoverAnswer } from "./procedure.js";
import { growthFrom, type Growth } from "./parametric.js";
import { runInto, type TreeNode } from "./unroll.js";
import { Waiting } from "./waiting.js";
import type { Work } from "./work.js";

export function* karpMiller(
  net: Net,
  alternatives: readonly Tokens[],
  work: Work,
): Generator<number, CoverAnswer> {
  refuseTransfers(net, "a Karp-Miller tree");
  const dense = denseNet(net);
  const targets = alternatives.map((tokens) => denseVector(tokens, dense.width));
  const tree = new Tree(dense, work);
  for (const node of tree.grow()) {
    if (typeof node === "number") {
      yield node;
      continue;
    }
    const target = targets.find((vector) => isBelow(vector, node.marking));
    if (!target) continue;
    const firing = withSources(dense, runInto(dense, node, target), [target]);
    if (!isCoveringRun(dense, firing, targets)) throw new Error("an unrolled branch is not a run of the net");
    return { kind: "covered", firing, notes: [] };
  }
  return { kind: "uncovered", notes: [`a tree of ${tree.size} nodes`] };
}

export type BoundednessAnswer =
  | {
      readonly kind: "bounded";
      readonly nodes: number;
      /** Undefined if it depends on which of infinitely many initial markings is taken. */
      readonly most: number | undefined;
    }
  | ({ readonly kind: "unbounded" } & Growth);

/** Unbounded at the first marking larger than an ancestor. With infinitely many initial markings, the answer is about each of them. */
export function* boundedness(net: Net, work: Work): Generator<number, BoundednessAnswer> {
  refuseTransfers(net, "a Karp-Miller tree");
  const dense = denseNet(net);
  const tree = new Tree(dense, work);
  const isParametric = dense.sources.size > 0;
  let most = 0;
  for (const node of tree.grow()) {
    if (typeof node === "number") {
      yield node;
      continue;
    }
    const [pump] = node.pumps;
    // sound: test/engines/coverability/parametric.test.ts
    if (pump && !isParametric) {
      const firing = branchTo(node);
      return { kind: "unbounded", firing, loopStart: pump.ancestor.depth, places: pump.places };
    }
    for (const count of node.marking) most = Math.max(most, count);
  }
  if (!isParametric) return { kind: "bounded", nodes: tree.size, most };
  const growth = growthFrom(dense, tree.largest(), work);
  return growth ? { kind: "unbounded", ...growth } : { kind: "bounded", nodes: tree.size, most: undefined };
}

function branchTo(node: TreeNode): number[] {
  const run: number[] = [];
  for (let at = node; at.parent; at = at.parent) run.push(at.cause);
  return run.reverse();
}

class Tree {
  size = 0;
  readonly #net: DenseNet;
  readonly #work: Work;
  /** The largest markings of the tree. */
  readonly #largest: Antichain;
  readonly #nodes: TreeNode[] = [];
  readonly #waiting = new Waiting(OMEGA);

  constructor(net: DenseNet, work: Work) {
    this.#net = net;
    this.#work = work;
    this.#largest = new Antichain(net.width, "largest");
  }

  /** Yields every node once, and at intervals the number of waiting nodes. */
  *grow(): Generator<number | TreeNode> {
    const root: TreeNode = {
      marking: this.#net.start.slice(),
      parent: undefined,
      cause: -1,
      depth: 0,
      pumps: [],
    };
    let turn = 0;
    this.#add(root);
    yield root;
    for (let next = this.#waiting.take(); next >= 0; next = this.#waiting.take()) {
      this.#work.check();
      if ((++turn & 63) === 0) yield this.#waiting.count;
      if (!this.#largest.isMember(next)) continue;
      const node = nth(this.#nodes, next);
      for (const { number, transition } of this.#net.moves) {
        this.#work.steps++;
        if (!isEnabled(transition, node.marking)) continue; // sound: test/engines/coverability/quick.test.ts
        const child = this.#child(node, number, transition);
        if (this.#largest.has(child.marking)) continue;
        this.#add(child);
        yield child;
      }
    }
    this.#work.words -= this.#largest.count * this.#net.width * 2;
  }

  /** Maximal nodes so far. */
  largest(): TreeNode[] {
    return this.#largest.members.map((number) => nth(this.#nodes, number));
  }

  #add(node: TreeNode): void {
    this.size++;
    this.#work.vectors++;
    this.#work.words += this.#net.width * 2;
    this.#work.depth = Math.max(this.#work.depth, node.depth);
    this.#nodes.push(node);
    this.#waiting.add(this.#largest.add(node.marking), node.marking);
  }

  #child(parent: TreeNode, cause: number, transition: DenseTransition): TreeNode {
    const marking = parent.marking.slice();
    fire(transition, marking);
    const pumps: TreeNode["pumps"][number][] = [];
    for (let ancestor: TreeNode | undefined = parent; ancestor; ancestor = ancestor.parent) {
      if (!isBelow(ancestor.marking, marking)) continue; // sound: test/engines/coverability/quick.test.ts
      const places = grown(ancestor.marking, marking);
      if (places.length === 0) continue;
      pumps.push({ ancestor, places, before: marking.slice() });
      for (const place of places) marking[place] = OMEGA; // sound: test/engines/coverability/quick.test.ts
    }
    return { marking, parent, cause, depth: parent.depth + 1, pumps };
  }
}

/** Places, not yet ω, with more tokens than before. */
function grown(before: Int32Array, after: Int32Array): number[] {
  const places: number[] = [];
  for (let place = 0; place < after.length; place++)
    if (before[place]! < after[place]! && after[place]! !== OMEGA) places.push(place); // sound: test/engines/coverability/quick.test.ts
  return places;
}
