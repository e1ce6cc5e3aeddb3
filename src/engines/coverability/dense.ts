/** A net as arrays of numbers, for the inner loops: guard and effect of a transition are parallel lists of places and counts. */
import {
  MOST_TOKENS,
  NOWHERE,
  TokenOverflow,
  transferIn,
  type Net,
  type NetTransition,
  type Tokens,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

/** Arbitrarily many: larger than every number, unchanged by adding and subtracting. */
export const OMEGA = 0x7fffffff;

export interface DenseNet {
  readonly width: number;
  /** Least tokens at the start. */
  readonly initial: Int32Array;
  /** The initial marking with `OMEGA` where any number is allowed. */
  readonly start: Int32Array;
  readonly transitions: readonly DenseTransition[];
  /** The transitions except sources, whose tokens are present from the start. */
  readonly moves: readonly DenseMove[];
  /** By place: the source that adds to it. */
  readonly sources: ReadonlyMap<number, number>;
}

export interface DenseMove {
  /** Its number in `transitions`. */
  readonly number: number;
  readonly transition: DenseTransition;
}

export interface DenseTransition {
  readonly guardPlaces: Int32Array;
  readonly guardCounts: Int32Array;
  readonly effectPlaces: Int32Array;
  readonly effectCounts: Int32Array;
  /** Moves all tokens of a place to its partner, or to `NOWHERE`. */
  readonly transfersFrom: Int32Array;
  readonly transfersTo: Int32Array;
}

export function denseNet({ places, transitions, initial }: Net): DenseNet {
  const dense = transitions.map(denseTransition);
  const sources = new Map(
    transitions.flatMap(({ isSource, effect }, t) =>
      isSource ? effect.slice(0, 1).map(([place]) => [place, t] as const) : [],
    ),
  );
  return {
    width: places.length,
    initial: Int32Array.from(initial),
    start: Int32Array.from(initial, (count, place) => (sources.has(place) ? OMEGA : count)), // sound: test/engines/coverability/quick.test.ts
    moves: dense
      .map((transition, number) => ({ number, transition }))
      .filter(({ number }) => !transitions[number]?.isSource), // sound: test/engines/coverability/quick.test.ts
    sources,
    transitions: dense,
  };
}

const denseTransition = ({ guard, effect, transfers = [] }: NetTransition): DenseTransition => ({
  guardPlaces: Int32Array.from(guard, ([place]) => place),
  guardCounts: Int32Array.from(guard, ([, count]) => count),
  effectPlaces: Int32Array.from(effect, ([place]) => place),
  effectCounts: Int32Array.from(effect, ([, count]) => count),
  transfersFrom: Int32Array.from(transfers, ([from]) => from),
  transfersTo: Int32Array.from(transfers, ([, to]) => to),
});

export function denseVector(tokens: Tokens, width: number): Int32Array {
  const vector = new Int32Array(width);
  for (const [place, count] of tokens) vector[place] = count;
  return vector;
}

export function isEnabled({ guardPlaces, guardCounts }: DenseTransition, vector: Int32Array): boolean {
  for (let i = 0; i < guardPlaces.length; i++) {
    if (vector[guardPlaces[i]!]! < guardCounts[i]!) return false; // sound: test/engines/coverability/quick.test.ts
  }
  return true;
}

/** Adds the effect to the vector; `OMEGA` is unchanged. */
export function fire(transition: DenseTransition, vector: Int32Array): void {
  const { effectPlaces, effectCounts } = transition;
  if (transition.transfersFrom.length > 0) transfer(transition, vector); // sound: test/engines/coverability/transfers.test.ts
  for (let i = 0; i < effectPlaces.length; i++) {
    const place = effectPlaces[i]!;
    const before = vector[place]!;
    if (before === OMEGA) continue; // sound: test/engines/coverability/quick.test.ts
    const after = before + effectCounts[i]!;
    if (after > MOST_TOKENS) throw new TokenOverflow("a marking"); // sound: test/engines/coverability/quick.test.ts
    vector[place] = after;
  }
}

/** For vectors without `OMEGA`: empties all places at once, then fills. */
function transfer({ transfersFrom, transfersTo }: DenseTransition, vector: Int32Array): void {
  const amounts = transfersFrom.map((from) => vector[from]!);
  for (const from of transfersFrom) vector[from] = 0; // sound: test/engines/coverability/transfers.test.ts
  for (const [i, to] of transfersTo.entries()) {
    if (to === NOWHERE) continue;
    if (vector[to]! + amounts[i]! > MOST_TOKENS) throw new TokenOverflow("a marking"); // sound: test/engines/coverability/transfers.test.ts
    vector[to]! += amounts[i]!;
  }
}

/** Procedures that need strict monotonicity, or unique predecessors, accept Petri nets only. */
export function refuseTransfers(net: Net, procedure: string): void {
  const transition = transferIn(net);
  if (transition) throw new Error(`${procedure} cannot treat the transfers of ${transition.name}`); // sound: test/engines/coverability/transfers.test.ts
}

/** `a <= b` everywhere. */
export function isBelow(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) {
    if (a[i]! > b[i]!) return false; // sound: test/engines/coverability/quick.test.ts
  }
  return true;
}

/** Weakest precondition: the tokens needed before a transition to have `demand` after it. */
export function demandBefore(transition: DenseTransition, demand: Float64Array): void {
  const { guardPlaces, guardCounts, effectPlaces, effectCounts } = transition;
  for (let i = 0; i < effectPlaces.length; i++)
    demand[effectPlaces[i]!] = Math.max(0, demand[effectPlaces[i]!]! - effectCounts[i]!);
  for (let i = 0; i < guardPlaces.length; i++)
    demand[guardPlaces[i]!] = Math.max(demand[guardPlaces[i]!]!, guardCounts[i]!);
}

/** Prepends the source tokens that the run needs to cover one of the targets. */
export function withSources(
  net: DenseNet,
  firing: readonly number[],
  targets: readonly Int32Array[],
): readonly number[] {
  if (net.sources.size === 0) return firing;
  const candidates = targets.map((target) => {
    const demand = Float64Array.from(target);
    for (const t of firing.toReversed()) demandBefore(nth(net.transitions, t), demand);
    const added = [...net.sources].flatMap(([place, source]) => {
      const missing = Math.max(0, demand[place]! - net.initial[place]!);
      if (missing > LONGEST_RUN) throw new TokenOverflow("the start of a run");
      return Array<number>(missing).fill(source);
    });
    return [...added, ...firing];
  });
  return candidates.find((run) => isCoveringRun(net, run, targets)) ?? firing;
}

/** The causes from a vector back to the first: parents and causes by number of the vector; -1 has no parent. */
export function backtrack(vector: number, parents: readonly number[], causes: readonly number[]): number[] {
  const run: number[] = [];
  for (let at = vector, parent = nth(parents, at); parent >= 0; at = parent, parent = nth(parents, at))
    run.push(nth(causes, at));
  return run;
}

/** Longer runs are not reported. */
export const LONGEST_RUN = 5_000_000;

/** Does the sequence of transitions lead from the initial marking to one that covers an alternative? */
export function isCoveringRun(
  { initial, transitions }: DenseNet,
  firing: readonly number[],
  targets: readonly Int32Array[],
): boolean {
  const marking = initial.slice();
  for (const t of firing) {
    const transition = nth(transitions, t);
    if (!isEnabled(transition, marking)) return false; // sound: test/engines/coverability/quick.test.ts
    fire(transition, marking);
  }
  return targets.some((target) => isBelow(target, marking)); // sound: test/engines/coverability/quick.test.ts
}
