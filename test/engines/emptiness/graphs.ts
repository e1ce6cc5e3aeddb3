/** Acceptance graphs that are written down, by hand or at random, and the obvious answers about them. */
import { allMarks, type AcceptanceGraph, type Arcs } from "../../../src/model/index.js";

export interface WrittenArc {
  readonly to: number;
  readonly marks: number;
}

export interface WrittenGraph {
  readonly conditions: number;
  /** Arcs by source; state 0 is the initial one. */
  readonly arcs: readonly (readonly WrittenArc[])[];
}

export const asGraph = ({ conditions, arcs }: WrittenGraph): AcceptanceGraph => ({
  conditions,
  initial: 0,
  successors(state: number, out: Arcs): void {
    out.count = 0;
    for (const { to, marks } of arcs[state]) out.add(to, marks);
  },
});

/** Numbers without pattern from 0 to below 1 (mulberry32), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 1 to 9 states, 0 to 4 conditions, 0 to 3 arcs a state, each mark with probability 1/4. */
export function randomGraph(random: () => number): WrittenGraph {
  const below = (limit: number): number => Math.floor(random() * limit);
  const states = 1 + below(9);
  const conditions = below(5);
  const marks = (): number =>
    Array.from({ length: conditions }, (_, i) => (random() < 0.25 ? 1 << i : 0)).reduce((a, b) => a | b, 0);
  const arcs = Array.from({ length: states }, () =>
    Array.from({ length: below(4) }, () => ({ to: below(states), marks: marks() })),
  );
  return { conditions, arcs };
}

/** By definition: some state reachable from the start can reach itself by arcs that carry all marks together. */
export function isObviouslyEmpty({ conditions, arcs }: WrittenGraph): boolean {
  const reach = reachability(arcs.map((out) => out.map(({ to }) => to)));
  const components = arcs.map((_, state) => {
    let united = 0;
    let hasArc = false;
    for (const [source, out] of arcs.entries())
      for (const { to, marks } of out)
        if (reach[state][source] && reach[to][state]) {
          hasArc = true;
          united |= marks;
        }
    return reach[0][state] && hasArc && united === allMarks(conditions);
  });
  return !components.includes(true);
}

/** `reach[a][b]`: is there a way from `a` to `b`, perhaps of no steps? */
export function reachability(successors: readonly (readonly number[])[]): boolean[][] {
  const reach = successors.map((out, state) => successors.map((_, to) => to === state || out.includes(to)));
  for (const [via, fromVia] of reach.entries())
    for (const row of reach)
      if (row[via]) for (const [to, isReached] of fromVia.entries()) if (isReached) row[to] = true;
  return reach;
}
