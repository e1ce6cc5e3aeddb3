/**
 * Loops of a function as nested components, each with a head (a weak topological order, Bourdoncle 1993; jumps into a loop are
 * allowed), and positions of paths in the unwound program.
 *
 * Always true: a cycle passes through the head of a component that contains it, so that a count of the edges back to heads bounds
 * every path. Positions only order the work: a bad order costs merges, never results.
 */
import type { IrFunction } from "../../../model/module.js";
import { nth } from "../../../model/known.js";
import { componentsOf, flowOf } from "./flow.js";

/** Where a block is: in each component that contains it, from the outermost, its place there. */
interface Nesting {
  readonly places: readonly number[];
  /** Heads of these components. */
  readonly heads: readonly number[];
}

const nestings = new WeakMap<IrFunction, readonly Nesting[]>();

function nestingOf(fn: IrFunction): readonly Nesting[] {
  const known = nestings.get(fn);
  if (known) return known;
  const { successors, order, position } = flowOf(fn);
  const found: Nesting[] = fn.blocks.map(() => ({ places: [0], heads: [] }));
  const work: { readonly nodes: readonly number[]; readonly outer: Nesting; readonly first: number }[] = [
    { nodes: order, outer: { places: [], heads: [] }, first: 0 },
  ];
  for (let part = work.pop(); part; part = work.pop()) {
    const { nodes, outer, first } = part;
    componentsOf(nodes, (node) => nth(successors, node)).forEach((component, index) => {
      const places = [...outer.places, first + index];
      const [only = 0] = component;
      if (component.length === 1 && !nth(successors, only).includes(only)) {
        found[only] = { places, heads: outer.heads };
        return;
      }
      const head = component.reduce((a, b) => (nth(position, b) < nth(position, a) ? b : a));
      const heads = [...outer.heads, head];
      found[head] = { places: [...places, 0], heads };
      const members = new Set(component);
      const rest = order.filter((block) => block !== head && members.has(block));
      work.push({ nodes: rest, outer: { places, heads }, first: 1 });
    });
  }
  nestings.set(fn, found);
  return found;
}

/** Edges back to the head of each loop around the current block, from the outermost loop. */
export type Rounds = readonly number[];

export function roundsAfter(fn: IrFunction, from: number, to: number, rounds: Rounds): Rounds {
  const nesting = nestingOf(fn);
  const before = nth(nesting, from).heads;
  const { heads } = nth(nesting, to);
  if (heads.length === 0) return NONE;
  return heads.map((head, level) => {
    const isInside = before[level] === head && before.slice(0, level).every((each, n) => each === heads[n]);
    if (!isInside) return 0;
    return (rounds[level] ?? 0) + (to === head ? 1 : 0);
  });
}

const NONE: Rounds = [];

/** Lexicographic: a path at a smaller position runs first, so that paths meet where they join. */
export function positionOf(fn: IrFunction, block: number, rounds: Rounds): readonly number[] {
  const { places } = nth(nestingOf(fn), block);
  return places.flatMap((place, level) => (level < rounds.length ? [place, nth(rounds, level)] : [place]));
}

export function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return nth(a, i) - nth(b, i);
  return a.length - b.length;
}
