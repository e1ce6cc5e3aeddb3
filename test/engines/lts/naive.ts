/** The relations by their definitions: greatest fixpoints over pairs of states, short enough to be trusted by eye. */
import { TAU, type Lts } from "../../../src/model/index.js";

type Related = readonly (readonly boolean[])[];

interface Move {
  readonly action: number;
  readonly to: number;
}

export const movesOf = ({ firsts, actions, targets }: Lts, s: number): Move[] =>
  Array.from({ length: firsts[s + 1] - firsts[s] }, (_, i) => ({
    action: actions[firsts[s] + i],
    to: targets[firsts[s] + i],
  }));

/** States reached by any number of τ. */
export function closure(lts: Lts, s: number): number[] {
  const found = new Set([s]);
  for (const state of found)
    for (const { action, to } of movesOf(lts, state)) if (action === TAU) found.add(to);
  return [...found];
}

const all = (states: number): number[] => Array.from({ length: states }, (_, s) => s);

/** The largest symmetric relation in which the second state matches every move of the first. */
function greatest(
  lts: Lts,
  matches: (move: Move, s: number, t: number, related: Related) => boolean,
  isSymmetric = true,
): Related {
  let related: Related = all(lts.states).map(() => all(lts.states).map(() => true));
  for (;;) {
    const before = related;
    const simulates = (s: number, t: number): boolean =>
      movesOf(lts, s).every((move) => matches(move, s, t, before));
    related = before.map((row, s) =>
      row.map((is, t) => is && simulates(s, t) && (!isSymmetric || simulates(t, s))),
    );
    if (related.every((row, s) => row.every((is, t) => is === before[s][t]))) return related;
  }
}

const strongly =
  (lts: Lts) =>
  ({ action, to }: Move, _s: number, t: number, related: Related): boolean =>
    movesOf(lts, t).some((move) => move.action === action && related[to][move.to]);

export const naiveStrong = (lts: Lts): Related => greatest(lts, strongly(lts));

export const naiveSimulation = (lts: Lts): Related => greatest(lts, strongly(lts), false);

export const naiveBranching = (lts: Lts): Related =>
  greatest(
    lts,
    ({ action, to }, s, t, related) =>
      (action === TAU && related[to][t]) ||
      closure(lts, t).some(
        (u) =>
          related[s][u] && movesOf(lts, u).some((move) => move.action === action && related[to][move.to]),
      ),
  );

export const naiveWeak = (lts: Lts): Related =>
  greatest(lts, ({ action, to }, _s, t, related) => {
    if (action === TAU) return closure(lts, t).some((u) => related[to][u]);
    return closure(lts, t).some((u) =>
      movesOf(lts, u).some((m) => m.action === action && closure(lts, m.to).some((v) => related[to][v])),
    );
  });

/** Branching bisimilarity with explicit divergence, by rounds: each signs all states with sets that are written out. */
export function naiveDivergenceBranching(lts: Lts): Related {
  let blocks = all(lts.states).map(() => "");
  for (;;) {
    const inert = (s: number): number[] => {
      const found = new Set([s]);
      for (const state of found)
        for (const { action, to } of movesOf(lts, state))
          if (action === TAU && blocks[to] === blocks[s]) found.add(to);
      return [...found];
    };
    const isOnCycle = (s: number): boolean =>
      movesOf(lts, s).some(
        ({ action, to }) => action === TAU && blocks[to] === blocks[s] && inert(to).includes(s),
      );
    const signatures = all(lts.states).map((s) => {
      const elements = inert(s).flatMap((u) => [
        ...(isOnCycle(u) ? ["diverges"] : []),
        ...movesOf(lts, u)
          .filter(({ action, to }) => action !== TAU || blocks[to] !== blocks[s])
          .map(({ action, to }) => `${action}>${blocks[to]}`),
      ]);
      return `${blocks[s]}|${[...new Set(elements)].sort().join()}`;
    });
    const numbers = new Map([...new Set(signatures)].map((signature, n) => [signature, `${n}`]));
    const next = signatures.map((signature) => numbers.get(signature) ?? "");
    if (new Set(next).size === new Set(blocks).size)
      return next.map((block) => next.map((other) => other === block));
    blocks = next;
  }
}

/** Is every visible trace of `s`, up to some length, a trace of `t`? By sets of states. */
export function naiveTraces(lts: Lts, s: number, t: number, length: number): boolean {
  const close = (states: readonly number[]): number[] => [...new Set(states.flatMap((u) => closure(lts, u)))];
  const after = (states: readonly number[], action: number): number[] =>
    close(
      states.flatMap((u) =>
        movesOf(lts, u)
          .filter((m) => m.action === action)
          .map(({ to }) => to),
      ),
    );
  const isIncluded = (left: readonly number[], right: readonly number[], depth: number): boolean =>
    depth === 0 ||
    all(lts.labels.length).every((action) => {
      const next = action === TAU ? [] : after(left, action);
      if (next.length === 0) return true;
      const theirs = after(right, action);
      return theirs.length > 0 && isIncluded(next, theirs, depth - 1);
    });
  return isIncluded(close([s]), close([t]), length);
}
