/**
 * Doubling a hash table from its entries alone, without hashing the states again.
 *
 * In a table of `2^k` entries an entry keeps, above the id, the hash's bits from `k` on. Bit `k` says in which half of
 * the doubled table its home is. The rest of the home is the slot it stands in less how far it was pushed on by others;
 * the hash's repeated low bits (`hash.ts`) tell that distance modulo 32, and it is less than the distance
 * to the start of the run of occupied slots. Only in longer runs the state must be asked.
 *
 * The old table is read, and both halves of the new one are written, from front to back: at 14 M states of 7 words all
 * doublings together take 0.6 s instead of the 1.3 s of entering the states anew (`bench/core.ts`).
 */
import { OWN_BITS } from "./hash.js";

/** Enters all entries of `old` into `table`, which is empty and twice as large. */
export function rehome(old: Int32Array, table: Int32Array, hashOf: (id: number) => number): void {
  const oldMask = old.length - 1;
  const mask = table.length - 1;
  const start = old.indexOf(0) + 1; // no run of occupied slots goes over this point
  let run = 0;
  for (let i = 0; i < oldMask; i++) {
    const slot = (start + i) & oldMask;
    const entry = old[slot]!;
    if (entry === 0) {
      run = i + 1;
      continue;
    }
    const id = entry & oldMask;
    const pushed = (slot - (entry >>> OWN_BITS)) & (REPEATED - 1);
    const isCertain = i - pushed - REPEATED < run;
    let home = isCertain ? ((slot - pushed) & oldMask) | (entry & old.length) : hashOf(id) & mask;
    while (table[home] !== 0) home = (home + 1) & mask;
    table[home] = (entry & ~mask) | id;
  }
}

/** How many distances the repeated bits tell apart. */
const REPEATED = 1 << (32 - OWN_BITS);
