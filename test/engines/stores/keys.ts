/** Random different states for tests of stores. */
import type { Words } from "../../../src/model/index.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";

/** `n` different states of four words, back to back: a counter that no two share, and three random words. */
export function randomKeys(n: number, seed: number): Words {
  const random = generator(seed);
  const words = new Int32Array(4 * n);
  for (let i = 0; i < n; i++) {
    words[4 * i] = random();
    words[4 * i + 1] = i;
    words[4 * i + 2] = random();
    words[4 * i + 3] = random();
  }
  return words;
}

/** 32 random bits a call (Marsaglia's xorshift with a Weyl sequence). */
export function generator(seed: number): () => number {
  let x = (Math.imul(seed, 0x9e3779b1) ^ 0x2545f491) | 1;
  let weyl = seed | 0;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    weyl = (weyl + 0x61c88647) | 0;
    return Math.imul(x + weyl, 0x85ebca6b) ^ (x >>> 3);
  };
}

export const unlimited = (): Ledger => new Ledger();

/** Tolerance of a mean of `trials`: three standard errors of a count with that mean. */
export const threeErrors = (mean: number, trials: number): number => 3 * Math.sqrt(mean / trials);
