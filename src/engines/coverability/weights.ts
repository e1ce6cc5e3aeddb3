/**
 * Weights of places under which the sum of all tokens never grows. No run reaches a marking that weighs more than
 * the initial one, so a backward search need not look at such markings.
 *
 * Found by elimination as Farkas does it for place invariants, one transition after the other; where that would become
 * too many, the widest are dropped. What is left is sound whatever is dropped: each is used for itself. In a large net it ends
 * early, with those that no transition makes heavier so far.
 */
import { NOWHERE } from "../../model/index.js";
import type { DenseNet } from "./dense.js";
import type { Work } from "./work.js";

/** A change of the marking that some step, or a part of it, can make. */
interface Change {
  readonly places: Int32Array;
  readonly counts: Int32Array;
}

/** The effects; and each token that a transfer moves is a change of its own, as the number of such tokens is not known. */
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
  readonly #rows: readonly Row[];
  readonly #limits: readonly number[];

  constructor(net: DenseNet, work: Work, mostEffort = MOST_EFFORT) {
    // What weighs no more than an exact number is weighed exactly; what cannot be weighed so excludes nothing.
    const rows = nonIncreasing(net, work, mostEffort);
    this.#rows = rows.filter((row) => weigh(row, net.initial) <= Number.MAX_SAFE_INTEGER); // sound: test/engines/coverability/quick.test.ts
    this.#limits = this.#rows.map((row) => weigh(row, net.initial));
  }

  /** Is the marking, and everything above it, out of reach? */
  exclude(vector: Int32Array): boolean {
    for (let i = 0; i < this.#rows.length; i++)
      if (weigh(this.#rows[i]!, vector) > this.#limits[i]!) return true; // sound: test/engines/coverability/quick.test.ts
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

/** During elimination: what each place weighs, and by how much each transition changes the sum. */
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
  return candidates.slice(0, MOST_ROWS).map(({ weights }) => {
    const places = [...weights.keys()].filter((place) => weights[place]! > 0);
    return {
      places: Int32Array.from(places),
      weights: Float64Array.from(places, (place) => weights[place]!),
    };
  });
}

function placesAlone(width: number, columns: readonly Change[]): Candidate[] {
  const rows = Array.from({ length: width }, (_, place): Candidate => {
    const weights = new Float64Array(width);
    weights[place] = 1;
    return { weights, changes: new Float64Array(columns.length) };
  });
  for (const [t, { places, counts }] of columns.entries())
    for (const [i, place] of places.entries()) rows[place]!.changes[t] = counts[i]!;
  return rows;
}

/** The transition that makes the fewest new candidates. */
function cheapest(open: ReadonlySet<number>, candidates: readonly Candidate[]): number {
  let best = -1;
  let bestCost = Infinity;
  for (const t of open) {
    let grows = 0;
    let shrinks = 0;
    for (const { changes } of candidates) {
      if (changes[t]! > 0) grows++;
      else if (changes[t]! < 0) shrinks++;
    }
    const cost = grows * shrinks - grows;
    if (cost < bestCost) [best, bestCost] = [t, cost];
  }
  return best;
}

/** The sum of multiples of both that the transition does not change. */
function combine(a: Candidate, b: Candidate, transition: number): Candidate | undefined {
  const timesA = -b.changes[transition]!; // sound: test/engines/coverability/quick.test.ts
  const timesB = a.changes[transition]!; // sound: test/engines/coverability/quick.test.ts
  const add = (x: Float64Array, y: Float64Array): Float64Array =>
    x.map((value, i) => value * timesA + y[i]! * timesB); // sound: test/engines/coverability/quick.test.ts
  // What numbers cannot say exactly could look as if it never grew.
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

/** The old ones and those of the new that say more than any other, the narrowest first, and not too many. */
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
  [...weights.keys()].filter((place) => weights[place]! > 0);

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

const MOST_CANDIDATES = 600;
const MOST_ROWS = 400;
/** Numbers in the table of candidates: tens of megabytes. */
const LARGEST_TABLE = 4e6;
/** Numbers looked at: a few seconds. */
const MOST_EFFORT = 3e8;
const LARGEST_WEIGHT = 1e6;
