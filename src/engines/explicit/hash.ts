/**
 * The hash of a packed state: 32 bits, all of them good.
 *
 * Each word goes through a mixer of its own position (multiply, fold, multiply: a bijection that maps 0 to 0),
 * the results are added, and a finaliser spreads the sum. Hence
 * - trailing zero words contribute nothing: a state may be extended by zeros without changing its hash;
 * - the words are mixed independently of one another, so a processor works on several at once;
 * - two states that differ in one word never have the same hash.
 *
 * Words before `compareFrom` do not tell states apart and are left out.
 */
import type { Words } from "../../model/index.js";

/** The hash of the `width` words at `words[at…]`, word by word: what the emitted text computes unrolled. */
export function hashWords(words: Words, at: number, width: number, compareFrom: number): number {
  let sum = 0;
  for (let k = compareFrom; k < width; k++) {
    const product = Math.imul(words[at + k]!, multiplier(2 * k));
    sum = (sum + Math.imul(product ^ (product >>> FOLD), multiplier(2 * k + 1))) | 0;
  }
  return finalise(sum);
}

/** Statements that declare `hash` as the hash of the `width` words at `words[at…]`. */
export function emitHash(width: number, compareFrom: number): string {
  const mixed = [];
  for (let k = compareFrom; k < width; k++)
    mixed.push(
      `product = Math.imul(words[at + ${k}], ${multiplier(2 * k)});` +
        ` hash = (hash + Math.imul(product ^ (product >>> ${FOLD}), ${multiplier(2 * k + 1)})) | 0;`,
    );
  return `
let product = 0, hash = 0;
${mixed.join("\n")}
hash = Math.imul(hash ^ (hash >>> 16), ${FIRST_SPREAD});
hash = Math.imul(hash ^ (hash >>> 13), ${SECOND_SPREAD});
hash ^= hash >>> 16;`;
}

const FOLD = 15;
const FIRST_SPREAD = 0x85ebca6b | 0;
const SECOND_SPREAD = 0xc2b2ae35 | 0;

/** MurmurHash3's finaliser (Appleby 2011): every bit of the sum reaches every bit of the hash. */
function finalise(sum: number): number {
  const first = Math.imul(sum ^ (sum >>> 16), FIRST_SPREAD);
  const second = Math.imul(first ^ (first >>> 13), SECOND_SPREAD);
  return second ^ (second >>> 16);
}

/** An odd number without pattern for each index. */
function multiplier(index: number): number {
  while (multipliers.length <= index)
    multipliers.push(finalise(Math.imul(multipliers.length + 1, GOLDEN_RATIO)) | 1);
  return multipliers[index]!;
}

const GOLDEN_RATIO = 0x9e3779b9 | 0;
const multipliers: number[] = [];
