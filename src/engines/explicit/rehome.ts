/**
 * Doubling a hash table from its entries alone, without hashing the states again.
 *
 * In a table of `2^k` entries an entry keeps, above the id, the hash's bits from `k` on. Bit `k` selects the half of the
 * doubled table that holds its home. The rest of the home is its slot less its displacement; the hash's repeated low bits
 * (`hash.ts`) give the displacement modulo 32, and it is less than the distance to the start of the run of occupied slots.
 * Only in longer runs must the state be hashed again.
 *
 * The old table is read, and both halves of the new one are written, from front to back: at 14 M states of 7 words all
 * doublings together take 0.6 s instead of the 1.3 s of entering the states again (`bench/core.ts`).
 */
import { OWN_BITS } from "./hash.js";

/**
 * Enters the entries of `old` into `table`, which is empty and twice as large; or part `part` of `parts` of them. A part begins
 * and ends at a free slot. In either half of the new table the entries of a run of occupied slots stay between the
 * same two slots, as they are fewer: so threads can do the parts at the same time.
 */
export function rehome(
  old: Int32Array,
  table: Int32Array,
  hashOf: (id: number) => number,
  part = 0,
  parts = 1,
): void {
  const oldMask = old.length - 1;
  const mask = table.length - 1;
  const first = borderOf(old, part, parts);
  // The run that goes over the table's end belongs to the last part.
  // sound: test/engines/stores/flat-states.test.ts test/engines/explicit/rehome.test.ts
  const end = part + 1 === parts ? old.length + borderOf(old, 0, parts) : borderOf(old, part + 1, parts);
  // Without a free slot the start of the run is unknown: every state must be hashed.
  let run = first === old.length ? NOWHERE : first;
  for (let i = first; i < end; i++) {
    const slot = i & oldMask;
    const entry = old[slot]!;
    if (entry === 0) {
      run = i + 1;
      continue;
    }
    const id = entry & oldMask;
    const pushed = (slot - (entry >>> OWN_BITS)) & (REPEATED - 1);
    // sound: test/engines/stores/flat-states.test.ts test/engines/explicit/rehome.test.ts
    const isCertain = i - pushed - REPEATED < run;
    let home = isCertain ? ((slot - pushed) & oldMask) | (entry & old.length) : hashOf(id) & mask;
    // sound: test/engines/stores/flat-states.test.ts test/engines/explicit/rehome.test.ts
    while (table[home] !== 0) home = (home + 1) & mask;
    table[home] = (entry & ~mask) | id;
  }
}

/** The first free slot of a part, or the table's length. */
function borderOf(old: Int32Array, part: number, parts: number): number {
  const slot = old.indexOf(0, Math.floor((part * old.length) / parts));
  return slot < 0 ? old.length : slot;
}

/** Number of displacements that the repeated bits distinguish. */
const REPEATED = 1 << (32 - OWN_BITS);
/** Less than every slot, and an integer: the loop is faster without others. */
const NOWHERE = -(2 ** 31);
