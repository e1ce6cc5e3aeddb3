/** The control flow of a function: successors, an order of its blocks, dominators, and the cycles. */
import type { IrFunction, Terminator } from "../../../model/module.js";
import { nth } from "../../../model/known.js";

/** Successors, without repetitions. */
export function successorsOf(end: Terminator): readonly number[] {
  switch (end.kind) {
    case "jump":
      return [end.to];
    case "branch":
      return end.yes === end.no ? [end.yes] : [end.yes, end.no];
    case "switch":
      return [...new Set([...end.cases.map(({ to }) => to), end.otherwise])];
    default:
      return [];
  }
}

export interface Flow {
  readonly successors: readonly (readonly number[])[];
  /** Reachable blocks in reverse post-order of one depth-first search. */
  readonly order: readonly number[];
  /** Position of each block in `order`; -1: unreachable. */
  readonly position: Int32Array;
  /** Edges to a block on the path of that search, as `from * blocks + to`: each cycle has one. */
  readonly backEdges: ReadonlySet<number>;
}

const flows = new WeakMap<IrFunction, Flow>();

export function flowOf(fn: IrFunction): Flow {
  const known = flows.get(fn);
  if (known) return known;
  const flow = flowOfGraph(fn.blocks.map(({ end }) => successorsOf(end)));
  flows.set(fn, flow);
  return flow;
}

/** Block 0 is the entry. */
export function flowOfGraph(successors: Flow["successors"]): Flow {
  const count = successors.length;
  const position = new Int32Array(count).fill(-1);
  const backEdges = new Set<number>();
  const finished: number[] = [];
  const isOpen = new Uint8Array(count);
  const isSeen = new Uint8Array(count);
  const stack: { readonly block: number; at: number }[] = [];
  const open = (block: number): void => {
    isSeen[block] = isOpen[block] = 1;
    stack.push({ block, at: 0 });
  };
  if (count > 0) open(0);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const to = nth(successors, top.block)[top.at++];
    if (to === undefined) {
      isOpen[top.block] = 0;
      finished.push(top.block);
      stack.pop();
    } else if (isOpen[to]) backEdges.add(top.block * count + to);
    else if (!isSeen[to]) open(to);
  }
  const order = finished.reverse();
  order.forEach((block, index) => (position[block] = index));
  return { successors, order, position, backEdges };
}

/** Immediate dominators (Cooper, Harvey, Kennedy); -1 for the entry and for unreachable blocks. */
export function dominatorsOf({ successors, order, position }: Flow): Int32Array {
  const predecessors: number[][] = successors.map(() => []);
  for (const from of order) for (const to of nth(successors, from)) nth(predecessors, to).push(from);
  const above = new Int32Array(successors.length).fill(-1);
  const [entry = 0] = order;
  above[entry] = entry;
  const rank = (block: number): number => position[block] ?? 0;
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y)
      if (rank(x) > rank(y)) x = above[x] ?? 0;
      else y = above[y] ?? 0;
    return x;
  };
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const block of order) {
      if (block === entry) continue;
      const known = nth(predecessors, block).filter((each) => above[each] !== -1);
      const found = known.reduce(meet, known[0] ?? entry);
      if (above[block] !== found) [above[block], isChanged] = [found, true];
    }
  }
  above[entry] = -1;
  return above;
}

/** Blocks that a block dominates, itself among them. */
export function dominatedBy(above: Int32Array, block: number): (other: number) => boolean {
  const known = new Map<number, boolean>([[block, true]]);
  return (other) => {
    const path: number[] = [];
    let at = other;
    while (at >= 0 && !known.has(at)) {
      path.push(at);
      at = above[at] ?? -1;
    }
    const result = at >= 0 && known.get(at) === true;
    for (const each of path) known.set(each, result);
    return result;
  };
}

/**
 * Strongly connected components of the subgraph of `nodes`, in topological order (Tarjan, without recursion: programs may be long).
 */
export function componentsOf(
  nodes: readonly number[],
  successors: (node: number) => readonly number[],
): number[][] {
  const within = new Set(nodes);
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const found: number[][] = [];
  const lower = (node: number, to: number): void => void low.set(node, Math.min(low.get(node) ?? to, to));
  for (const root of nodes) {
    if (index.has(root)) continue;
    const work: { readonly node: number; at: number }[] = [];
    const open = (node: number): void => {
      index.set(node, index.size);
      low.set(node, index.size - 1);
      stack.push(node);
      onStack.add(node);
      work.push({ node, at: 0 });
    };
    open(root);
    for (let top = work.at(-1); top; top = work.at(-1)) {
      const { node } = top;
      const to = successors(node)[top.at++];
      if (to !== undefined) {
        if (!within.has(to)) continue;
        if (!index.has(to)) open(to);
        else if (onStack.has(to)) lower(node, index.get(to) ?? 0);
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent) lower(parent.node, low.get(node) ?? 0);
      if (low.get(node) !== index.get(node)) continue;
      const component = stack.splice(stack.lastIndexOf(node));
      for (const each of component) onStack.delete(each);
      found.push(component);
    }
  }
  return found.reverse();
}
