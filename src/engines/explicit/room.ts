import type { Ledger } from "./ledger.js";

/** The array, or a copy with at least twice its length, so that `words` words fit; undefined when there is no memory for it. */
export function withRoom(array: Int32Array, words: number, ledger: Ledger): Int32Array | undefined {
  if (words <= array.length) return array;
  const larger = ledger.allocate(Math.max(words, 2 * array.length, LEAST));
  if (!larger) return undefined;
  larger.set(array);
  ledger.free(array);
  return larger;
}

const LEAST = 1 << 10;
