/**
 * Predecessors: the minimal markings from which a transition leads above a given one. Without transfers there is exactly
 * one. With transfers there is one for each division of the target's tokens among the emptied places, and none if a reset
 * leaves a place below its need.
 */
import { MOST_TOKENS, NOWHERE, TokenOverflow } from "../../model/index.js";
import type { DenseTransition } from "./dense.js";

/** In place, for transitions without transfers; false if the result is above the vector and thus nothing new. */
export function goBack(transition: DenseTransition, vector: Int32Array): boolean {
  const { guardPlaces, guardCounts, effectPlaces, effectCounts } = transition;
  let helps = false;
  for (let i = 0; i < effectPlaces.length; i++)
    if (effectCounts[i]! > 0 && vector[effectPlaces[i]!]! > 0) helps = true;
  if (!helps) return false;
  for (let i = 0; i < effectPlaces.length; i++)
    vector[effectPlaces[i]!] = before(vector[effectPlaces[i]!]!, effectCounts[i]!);
  for (let i = 0; i < guardPlaces.length; i++)
    if (vector[guardPlaces[i]!]! < guardCounts[i]!) vector[guardPlaces[i]!] = guardCounts[i]!; // sound: test/engines/coverability/transfers.test.ts
  return true;
}

function before(after: number, change: number): number {
  const count = after - change;
  if (count > MOST_TOKENS) throw new TokenOverflow("a marking on the way back"); // sound: test/engines/coverability/transfers.test.ts
  return Math.max(0, count); // sound: test/engines/coverability/transfers.test.ts
}

/** Writes each predecessor into the vector and yields; for transitions with transfers. */
export function* predecessors(transition: DenseTransition, vector: Int32Array): Generator<void> {
  const { guardPlaces, guardCounts, effectPlaces, effectCounts } = transition;
  const needs = vector.slice();
  for (let i = 0; i < effectPlaces.length; i++)
    needs[effectPlaces[i]!] = before(needs[effectPlaces[i]!]!, effectCounts[i]!);
  const sums = sumsOf(transition);
  vector.set(needs);
  for (const { place } of sums) vector[place] = 0; // sound: test/engines/coverability/transfers.test.ts
  for (let i = 0; i < guardPlaces.length; i++)
    vector[guardPlaces[i]!] = Math.max(vector[guardPlaces[i]!]!, guardCounts[i]!);
  yield* divide(sums, 0, needs, vector);
}

/** A place emptied or filled by transfers, and the places whose tokens it then holds. */
interface Sum {
  readonly place: number;
  readonly from: readonly number[];
}

function sumsOf({ transfersFrom, transfersTo }: DenseTransition): Sum[] {
  const from = new Map<number, number[]>();
  for (const place of transfersFrom) from.set(place, []); // sound: test/engines/coverability/transfers.test.ts
  for (const [i, to] of transfersTo.entries())
    if (to !== NOWHERE) from.set(to, [...(from.get(to) ?? [to]), transfersFrom[i]!]); // sound: test/engines/coverability/transfers.test.ts
  return [...from].map(([place, places]) => ({ place, from: places }));
}

/** Raises the places of each sum, from number `index` on, in every way that just meets its need. */
function* divide(
  sums: readonly Sum[],
  index: number,
  needs: Int32Array,
  vector: Int32Array,
): Generator<void> {
  const sum = sums[index];
  if (!sum) return yield;
  let missing = needs[sum.place]!;
  for (const place of sum.from) missing -= vector[place]!;
  if (missing <= 0)
    yield* divide(sums, index + 1, needs, vector); // sound: test/engines/coverability/transfers.test.ts
  else if (sum.from.length > 0) yield* raise(sums, index, 0, missing, needs, vector); // sound: test/engines/coverability/transfers.test.ts
}

function* raise(
  sums: readonly Sum[],
  index: number,
  at: number,
  missing: number,
  needs: Int32Array,
  vector: Int32Array,
): Generator<void> {
  const { from } = sums[index]!;
  const place = from[at]!;
  const start = vector[place]!;
  // The last place takes the rest.
  for (let more = at === from.length - 1 ? missing : 0; more <= missing; more++) {
    vector[place] = start + more;
    if (at === from.length - 1) yield* divide(sums, index + 1, needs, vector);
    else yield* raise(sums, index, at + 1, missing - more, needs, vector);
  }
  vector[place] = start;
}
