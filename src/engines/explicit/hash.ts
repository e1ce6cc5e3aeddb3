/**
 * The hash of a packed state: 32 bits of equal quality. Or, with an `ownMask` of 27 bits, these and the lowest five repeated
 * above them, which give an entry's home in the hash table (see `rehome.ts`).
 *
 * Each word goes through a mixer for its position (multiply, fold, multiply: a bijection that maps 0 to 0), the results are
 * added, and a finaliser spreads the sum. Multiplying moves bits upwards only; folding twice brings even the highest bit down
 * far enough (folded once, states that differ in the highest bits had few sums). Hence
 * - trailing zero words contribute nothing: a state may be extended by zeros without changing its hash;
 * - the words are mixed independently of one another, so a processor works on several at once;
 * - two states that differ in one word never have the same sum.
 *
 * Words before `compareFrom` do not distinguish states and are omitted.
 */
import type { Words } from "../../model/index.js";

/** The hash of the `width` words at `words[at…]`, word by word; the emitted text computes the same, unrolled. */
export function hashWords(
  words: Words,
  at: number,
  width: number,
  compareFrom: number,
  ownMask = ALL_OWN,
): number {
  let sum = 0;
  // sound: test/engines/stores/conditions.test.ts
  for (let k = compareFrom; k < width; k++) {
    const product = Math.imul(words[at + k]!, multiplier(2 * k));
    sum = (sum + Math.imul(product ^ (product >>> 11) ^ (product >>> 22), multiplier(2 * k + 1))) | 0;
  }
  const hash = finalise(sum);
  return (hash & ownMask) | ((hash << OWN_BITS) & ~ownMask);
}

/**
 * Statements that declare `hash` as the hash of the `width` words at `words[at…]`. They use `ownMask`, and `multipliers`,
 * which `hashMultipliers` gives.
 */
export function emitHash(width: number, compareFrom: number): string {
  return `
let product = 0, hash = 0;
${width > UNROLLED ? emitMixLoop(width, compareFrom) : emitMixes(width, compareFrom)}
hash = Math.imul(hash ^ (hash >>> 16), ${FIRST_SPREAD});
hash = Math.imul(hash ^ (hash >>> 13), ${SECOND_SPREAD});
hash ^= hash >>> 16;
hash = (hash & ownMask) | ((hash << ${OWN_BITS}) & ~ownMask);`;
}

export function hashMultipliers(width: number): Int32Array {
  return Int32Array.from({ length: 2 * width }, (_, index) => multiplier(index));
}

/** With these as `ownMask` the bits above them repeat the lowest. */
export const OWN_BITS = 27;
export const SOME_OWN = (1 << OWN_BITS) - 1;
/** With these no bit repeats another. */
export const ALL_OWN = -1;

export const lowBits = (count: number): number => (count < 32 ? (1 << count) - 1 : ALL_OWN);

/** Wider states are hashed in a loop: the text would be slower to compile than it saves. */
const UNROLLED = 64;

function emitMixes(width: number, compareFrom: number): string {
  const mixes = [];
  // sound: test/engines/stores/conditions.test.ts
  for (let k = compareFrom; k < width; k++)
    mixes.push(emitMix(`words[at + ${k}]`, `${multiplier(2 * k)}`, `${multiplier(2 * k + 1)}`));
  return mixes.join("\n");
}

const emitMixLoop = (width: number, compareFrom: number): string =>
  // sound: test/engines/stores/conditions.test.ts
  `for (let k = ${compareFrom}; k < ${width}; k++) {
  ${emitMix("words[at + k]", "multipliers[2 * k]", "multipliers[2 * k + 1]")}
}`;

const emitMix = (word: string, first: string, second: string): string =>
  `product = Math.imul(${word}, ${first});` +
  ` hash = (hash + Math.imul(product ^ (product >>> 11) ^ (product >>> 22), ${second})) | 0;`;

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
