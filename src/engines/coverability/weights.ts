/**
 * Weights of places under which the weighted sum of tokens never grows. No run reaches a marking heavier than the initial
 * one, so backward search prunes such markings.
 *
 * Farkas's elimination for place invariants, one transition after the other; drops the widest candidates when there are
 * many. Dropping is sound because each row is used separately. In a large net elimination stops early and keeps rows that
 * no transition makes heavier.
 */
import { NOWHERE } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { DenseNet } from "./dense.js";
import type { Work } from "./work.js";

/** A change of the marking by a step or a part of it. */
interface Change {
  readonly places: Int32Array;
  readonly counts: Int32Array;
}

/** The effects; and a change for each token that a transfer moves, as their number is unknown. */
const changesOf = ({ transitions }: DenseNet): Change[] =>
  transitions.flatMap(({ effectPlaces, effectCounts, transfersFrom, transfersTo }) => [
    { places: effectPlaces, counts: effectCounts },
    ...[...transfersFrom].map((from, i): Change => {
      const to = transfersTo[i]!;
      return to === NOWHERE
        ? { places: Int32Array.of(from), counts: Int32Array.of(-1) }
        : { places: Int32Array.of(from, to), counts: Int32Array.of(-1, 1) }; // sound: test/engines/coverability/transfers.test.ts
    }),
  ]);

export class Weights {
  readonly #rows: readonly (Row & { readonly limit: number })[];

  constructor(net: DenseNet, work: Work, mostEffort = MOST_EFFORT) {
    // Weights beyond exact numbers exclude nothing.
    const rows = nonIncreasing(net, work, mostEffort);
    this.#rows = rows
      .map((row) => ({ ...row, limit: weigh(row, net.initial) }))
      .filter(({ limit }) => limit <= Number.MAX_SAFE_INTEGER); // sound: test/engines/coverability/quick.test.ts
  }

  /** Is every marking above this one unreachable? */
  exclude(vector: Int32Array): boolean {
    for (const row of this.#rows) if (weigh(row, vector) > row.limit) return true; // sound: test/engines/coverability/quick.test.ts
    return false;
  }

  get notes(): string[] {
    const { length } = this.#rows;
    if (length === 0) return [];
    return [
      `${length} ${length === 1 ? "sum of tokens that never grows" : "sums of tokens that never grow"}`,
    ];
  }
}

interface Row {
  readonly places: Int32Array;
  readonly weights: Float64Array;
}

function weigh({ places, weights }: Row, vector: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < places.length; i++) sum += weights[i]! * vector[places[i]!]!;
  return sum;
}

/** During elimination: weights by place, and the change of the sum by each transition. */
interface Candidate {
  readonly weights: Float64Array;
  readonly changes: Float64Array;
}

function nonIncreasing(net: DenseNet, work: Work, mostEffort: number): Row[] {
  const columns = changesOf(net);
  if (net.width * columns.length > LARGEST_TABLE) return [];
  let candidates = placesAlone(net.width, columns);
  const open = new Set(columns.keys());
  for (let effort = 0; open.size > 0;) {
    effort += candidates.length * (open.size + net.width);
    if (effort > mostEffort) {
      candidates = candidates.filter(({ changes }) => changes.every((change) => change <= 0)); // sound: test/engines/coverability/quick.test.ts
      break;
    }
    const transition = cheapest(open, candidates);
    open.delete(transition);
    const grows = candidates.filter(({ changes }) => changes[transition]! > 0);
    const shrinks = candidates.filter(({ changes }) => changes[transition]! < 0);
    const combined = grows.flatMap((a) => shrinks.map((b) => combine(a, b, transition)));
    const kept = candidates.filter(({ changes }) => changes[transition]! <= 0); // sound: test/engines/coverability/quick.test.ts
    candidates = withNarrowest(
      kept,
      combined.filter((c) => c !== undefined),
      work,
    );
  }
  return candidates.slice(0, MOST_ROWS).map((candidate) => ({
    places: Int32Array.from(supportOf(candidate)),
    weights: candidate.weights.filter((weight) => weight > 0),
  }));
}

function placesAlone(width: number, columns: readonly Change[]): Candidate[] {
  const rows = Array.from({ length: width }, (_, place): Candidate => {
    const weights = new Float64Array(width);
    weights[place] = 1;
    return { weights, changes: new Float64Array(columns.length) };
  });
  for (const [t, { places, counts }] of columns.entries())
    for (const [i, place] of places.entries()) nth(rows, place).changes[t] = counts[i]!;
  return rows;
}

/** The transition that creates the fewest candidates. */
function cheapest(open: ReadonlySet<number>, candidates: readonly Candidate[]): number {
  let best = -1;
  let bestCost = Infinity;
  for (const t of open) {
    let grows = 0;
    let shrinks = 0;
    for (const { changes } of candidates) {
      const change = changes[t]!;
      if (change > 0) grows++;
      else if (change < 0) shrinks++;
    }
    const cost = grows * shrinks - grows;
    if (cost < bestCost) [best, bestCost] = [t, cost];
  }
  return best;
}

/** The positive combination that the transition leaves unchanged. */
function combine(a: Candidate, b: Candidate, transition: number): Candidate | undefined {
  const timesA = -b.changes[transition]!; // sound: test/engines/coverability/quick.test.ts
  const timesB = a.changes[transition]!; // sound: test/engines/coverability/quick.test.ts
  const add = (x: Float64Array, y: Float64Array): Float64Array =>
    x.map((value, i) => value * timesA + y[i]! * timesB); // sound: test/engines/coverability/quick.test.ts
  // Inexact numbers could look as if the sum never grew.
  if (largest(a) * timesA + largest(b) * timesB > Number.MAX_SAFE_INTEGER) return undefined; // sound: test/engines/coverability/quick.test.ts
  const weights = add(a.weights, b.weights);
  const changes = add(a.changes, b.changes);
  let divisor = 0;
  for (const value of weights) divisor = gcd(divisor, value);
  for (const value of changes) divisor = gcd(divisor, Math.abs(value));
  const reduced = { weights: weights.map((w) => w / divisor), changes: changes.map((c) => c / divisor) };
  return reduced.weights.some((w) => w > LARGEST_WEIGHT) ? undefined : reduced;
}

function largest({ weights, changes }: Candidate): number {
  let most = 0;
  for (const weight of weights) most = Math.max(most, weight);
  for (const change of changes) most = Math.max(most, Math.abs(change));
  return most;
}

/** The kept candidates and the new ones not implied by others, narrowest first, up to a limit. */
function withNarrowest(kept: readonly Candidate[], made: readonly Candidate[], work: Work): Candidate[] {
  const all = kept.map((candidate) => ({ candidate, support: supportOf(candidate) }));
  const sorted = made
    .map((candidate) => ({ candidate, support: supportOf(candidate) }))
    .toSorted((a, b) => a.support.length - b.support.length);
  for (const one of sorted) {
    if (all.length >= MOST_CANDIDATES) break;
    work.check();
    const { weights, changes } = one.candidate;
    const isRedundant = all.some(
      ({ candidate, support }) =>
        support.length <= one.support.length &&
        support.every((place) => weights[place]! > 0) &&
        candidate.changes.every((change, t) => Math.sign(change) === Math.sign(changes[t]!)),
    );
    if (!isRedundant) all.push(one);
  }
  return all.map(({ candidate }) => candidate);
}

const supportOf = ({ weights }: Candidate): number[] =>
  [...weights.entries()].flatMap(([place, weight]) => (weight > 0 ? [place] : []));

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

const MOST_CANDIDATES = 600;
const MOST_ROWS = 400;
/** Entries in the table of candidates: tens of megabytes. */
const LARGEST_TABLE = 4e6;
/** Entries read: a few seconds. */
const MOST_EFFORT = 3e8;
const LARGEST_WEIGHT = 1e6;
