/**
 * Expand, enlarge, check (Geeraerts, Raskin, Van Begin): finite approximations of a net, each exact up to i tokens per
 * place. *Under* lowers larger numbers to i, so that its hits are coverable; *over* raises them to ω, so that its misses
 * are not. One of the two answers once i is large enough.
 *
 * Invariant: truncates results of transitions, never the initial marking; i grows only after both have failed.
 */
import type { Net, Tokens } from "../../model/index.js";
import { Antichain } from "./antichain.js";
import {
  backtrack,
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
} from "./dense.js";
import { counted, type CoverAnswer } from "./procedure.js";
import { Waiting } from "./waiting.js";
import type { Work } from "./work.js";

export interface EecOptions {
  /** The first i. */
  readonly start?: number;
  /** The next i; by default steps of one at first, then doubling. */
  readonly next?: (i: number) => number;
  /** Answer as soon as a run of the over-approximation turns out to be real. */
  readonly concretises?: boolean;
}

export type EecAnswer = CoverAnswer & {
  /** The deciding i. */
  readonly i: number;
  /** Of `uncovered`: an inductive set of markings, with `OMEGA`, that covers no target. */
  readonly invariant?: readonly Int32Array[];
};

export function* eec(
  net: Net,
  alternatives: readonly Tokens[],
  work: Work,
  options: EecOptions = {},
): Generator<number, EecAnswer> {
  const { start = 0, next = nextBound, concretises = true } = options;
  refuseTransfers(net, "expand-enlarge-check");
  const dense = denseNet(net);
  const targets = alternatives.map((tokens) => denseVector(tokens, dense.width));
  for (let i = start; ; i = next(i)) {
    work.depth = i;
    const notes = [`i = ${i}`];
    const over = yield* approximate(dense, targets, i, "over", work);
    // sound: test/engines/coverability/quick.test.ts
    if (over.covering === undefined) {
      const invariant = over.reached.members.map((member) => over.reached.at(member).slice());
      if (!isInductive(dense, invariant, targets, () => work.check()))
        throw new Error("the over-approximation is not inductive");
      return {
        kind: "uncovered",
        i,
        invariant,
        notes: [...notes, counted(invariant.length, "maximal marking")],
      };
    }
    const guess = withSources(dense, over.runTo(over.covering), targets);
    // sound: test/engines/coverability/quick.test.ts
    if (concretises && isCoveringRun(dense, guess, targets))
      return { kind: "covered", i, firing: guess, notes };
    const under = yield* approximate(dense, targets, i, "under", work);
    if (under.covering === undefined) continue;
    const firing = withSources(dense, under.runTo(under.covering), targets);
    if (!isCoveringRun(dense, firing, targets))
      throw new Error("a run of the under-approximation is not a run of the net");
    return { kind: "covered", i, firing, notes };
  }
}

const nextBound = (i: number): number => (i < 4 ? i + 1 : 2 * i);

interface Approximation {
  readonly reached: Antichain;
  /** Number of the vector that covers a target; the search stops there. */
  readonly covering: number | undefined;
  runTo(vector: number): number[];
}

/** Explores the markings with i as the largest number, up to the first that covers a target. */
function* approximate(
  net: DenseNet,
  targets: readonly Int32Array[],
  i: number,
  mode: "under" | "over",
  work: Work,
): Generator<number, Approximation> {
  const reached = new Antichain(net.width, "largest");
  const parents: number[] = [];
  const causes: number[] = [];
  const result = (covering: number | undefined): Approximation => ({
    reached,
    covering,
    runTo: (vector) => backtrack(vector, parents, causes).reverse(),
  });
  const limit = mode === "under" ? i : OMEGA;
  const waiting = new Waiting(limit);
  const vector = mode === "under" ? leastStart(net, i) : net.start.slice();
  /** True when it covers a target. */
  const insert = (parent: number, cause: number): boolean => {
    work.steps++;
    if (reached.has(vector)) return false;
    waiting.add(reached.add(vector), vector);
    parents.push(parent);
    causes.push(cause);
    work.vectors++;
    work.words += net.width;
    return targets.some((target) => isBelow(target, vector));
  };
  const release = (): void => void (work.words -= reached.count * net.width);
  if (insert(-1, -1)) return result(0);
  for (let from = waiting.take(), turn = 0; from >= 0; from = waiting.take()) {
    if (!reached.isMember(from)) continue;
    work.check();
    if ((++turn & 63) === 0) yield waiting.count;
    for (const { number, transition } of net.moves) {
      vector.set(reached.at(from));
      if (!isEnabled(transition, vector)) continue;
      fire(transition, vector);
      cut(vector, i, limit);
      if (!insert(from, number)) continue;
      release();
      return result(reached.count - 1);
    }
  }
  release();
  return result(undefined);
}

/** With i as the largest number, arbitrarily many tokens at the start are i. */
const leastStart = (net: DenseNet, i: number): Int32Array =>
  net.start.map((count, place) => (count === OMEGA ? Math.max(net.initial[place]!, i) : count));

/** Replaces components above i by `limit`. */
function cut(vector: Int32Array, i: number, limit: number): void {
  for (let place = 0; place < vector.length; place++) if (vector[place]! > i) vector[place] = limit;
}

/**
 * Is the set, read as the downward closure of its vectors, inductive: does it contain the initial marking and all
 * successors, and cover no target? Then no reachable marking covers one. Independent of the search's data structures.
 */
export function isInductive(
  net: DenseNet,
  set: readonly Int32Array[],
  targets: readonly Int32Array[],
  tick: () => void = () => undefined,
): boolean {
  const contains = (vector: Int32Array): boolean => set.some((other) => isBelow(vector, other));
  if (!contains(net.start)) return false; // sound: test/engines/coverability/quick.test.ts
  return set.every(
    (vector) =>
      // sound: test/engines/coverability/quick.test.ts
      !targets.some((target) => isBelow(target, vector)) &&
      net.moves.every(({ transition }) => {
        tick();
        if (!isEnabled(transition, vector)) return true; // sound: test/engines/coverability/quick.test.ts
        const after = vector.slice();
        fire(transition, after);
        return contains(after); // sound: test/engines/coverability/quick.test.ts
      }),
  );
}
