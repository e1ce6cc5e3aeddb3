/**
 * Governed regions of a function: pieces without loops and calls behind a branch, which one formula can summarise.
 *
 * A block that a branch dominates is polluted if it contains a call or an instruction without an exact theory, has no successor, is the
 * source or target of a back edge, or can be reached from such a block among the dominated ones. A branch whose targets are dominated
 * and not polluted governs the unpolluted blocks that the targets dominate; their other successors are the destinations.
 */
import type { Block, Instruction, IrFunction } from "../../../model/module.js";
import { nth } from "../../../model/known.js";
import { dominatedBy, dominatorsOf, flowOf, flowOfGraph, type Flow } from "./flow.js";

export interface Region {
  readonly governor: number;
  /** In a topological order. */
  readonly blocks: readonly number[];
  readonly destinations: readonly number[];
}

export interface Regions {
  /** Of every branch that could govern a region, by its block. */
  readonly candidates: ReadonlyMap<number, Region>;
  /** Candidates that are in no region of another one. */
  readonly governors: readonly number[];
}

const known = new WeakMap<IrFunction, Regions>();

export function regionsOf(fn: IrFunction): Regions {
  const found =
    known.get(fn) ?? regionsOfGraph(flowOf(fn), (block) => isPolluting(nth(fn.blocks, block), fn.blocks));
  known.set(fn, found);
  return found;
}

export const regionsOfSuccessors = (
  successors: Flow["successors"],
  pollutes: (block: number) => boolean,
): Regions => regionsOfGraph(flowOfGraph(successors), pollutes);

function regionsOfGraph(flow: Flow, pollutes: (block: number) => boolean): Regions {
  const { order, successors, backEdges, position } = flow;
  const above = dominatorsOf(flow);
  const onBackEdge = new Set<number>();
  for (const edge of backEdges)
    onBackEdge.add(Math.floor(edge / successors.length)).add(edge % successors.length);
  // sound: test/engines/programs/regions.test.ts
  const isSource = (block: number): boolean =>
    pollutes(block) || nth(successors, block).length === 0 || onBackEdge.has(block);
  /** Blocks that a block dominates and that are not polluted; reachability stays among the dominated ones. */
  const cleanBehind = (block: number): Set<number> => {
    const dominates = dominatedBy(above, block);
    const behind = order.filter(dominates);
    const polluted = new Set(behind.filter(isSource));
    // A set grows while it is iterated.
    for (const each of polluted) for (const to of nth(successors, each)) if (dominates(to)) polluted.add(to);
    return new Set(behind.filter((each) => !polluted.has(each)));
  };
  const clean = new Map<number, Set<number>>();
  const cleanOf = (block: number): Set<number> => {
    const found = clean.get(block) ?? cleanBehind(block);
    clean.set(block, found);
    return found;
  };
  const candidates = new Map<number, Region>();
  for (const governor of order) {
    const targets = nth(successors, governor);
    if (targets.length < 2) continue;
    const dominates = dominatedBy(above, governor);
    if (!targets.every((to) => to !== governor && dominates(to) && cleanOf(to).size > 0)) continue;
    const within = new Set(targets.flatMap((to) => [...cleanOf(to)]));
    const blocks = [...within].sort((a, b) => nth(position, a) - nth(position, b));
    const destinations = new Set(blocks.flatMap((block) => nth(successors, block)));
    for (const block of within) destinations.delete(block);
    candidates.set(governor, { governor, blocks, destinations: [...destinations] });
  }
  const inner = new Set([...candidates.values()].flatMap(({ blocks }) => blocks));
  return { candidates, governors: [...candidates.keys()].filter((block) => !inner.has(block)) };
}

/** Intrinsics that only compute, or mark scopes. */
const COMPUTING =
  /^llvm\.(dbg\.|lifetime\.|[su](add|sub|mul)\.with\.overflow\.|[su](min|max)\.|abs\.|ctpop\.|cttz\.|ctlz\.|bswap\.|fsh[lr]\.|expect\.|donothing)/;

function isPolluting({ instructions, end }: Block, blocks: readonly Block[]): boolean {
  const isHard = (each: Instruction): boolean => {
    switch (each.kind) {
      case "call":
        // sound: test/engines/programs/regions.test.ts
        return each.callee.kind !== "address" || !COMPUTING.test(each.callee.symbol);
      case "allocate":
      case "unsupported":
      case "float":
      case "compareFloats":
        return true;
      default:
        return false;
    }
  };
  return blocks.length === 0 || end.kind === "unsupported" || instructions.some(isHard);
}
