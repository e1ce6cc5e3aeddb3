/** Any number of states and pairs with equal hashes: each step of the hashes can be undone. */
import { hashMultipliers } from "../../../src/engines/explicit/hash.js";
import { hashPair } from "../../../src/engines/explicit/tree-hash.js";

/** The odd number that makes 1 of it, modulo 2^32: each step of Newton's doubles the bits that are right. */
function inverse(odd: number): number {
  let found = odd;
  for (let i = 0; i < 5; i++) found = Math.imul(found, 2 - Math.imul(odd, found));
  return found;
}

/** Undoes `word ^ (word >>> shift)`. */
function unfold(word: number, shift: number): number {
  let found = word;
  for (let known = shift; known < 32; known += shift) found = word ^ (found >>> shift);
  return found;
}

/**
 * `count` states of two words with the same sum of their words' hashes, from 1 on in the first. With the sum 0 the hash is 0,
 * the hash of the state of zeros.
 */
export function statesOfOneHash(count: number, sum = 77): Int32Array[] {
  const [a, b, c, d] = hashMultipliers(2) as unknown as [number, number, number, number];
  return Array.from({ length: count }, (_, i) => {
    const product = Math.imul(i + 1, a);
    const first = Math.imul(product ^ (product >>> 11) ^ (product >>> 22), b);
    const rest = Math.imul((sum - first) | 0, inverse(d));
    return Int32Array.of(i + 1, Math.imul(rest ^ (rest >>> 11), inverse(c)));
  });
}

/** The pair with that left half and that hash (`tree-hash.ts`). */
export function pairOfHash(left: number, hash: number): readonly [left: number, right: number] {
  const [first, second, third] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35];
  const before = Math.imul(left, first);
  const last = Math.imul(unfold(hash, 16), inverse(third));
  const right = (Math.imul(unfold(last, 13), inverse(second)) - (before ^ (before >>> 15))) | 0;
  if (hashPair(left, right) !== (hash | 0)) throw new Error("the hash of pairs is another one");
  return [left, right];
}
