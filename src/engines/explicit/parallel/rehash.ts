/** Filling a larger table, each worker a part of it. */
import { emitHash, hashMultipliers } from "../hash.js";
import { rehome } from "../rehome.js";
import { instantiate } from "../store-code.js";
import type { SharedWords } from "./protocol.js";
import type { FlatGrowth } from "./tables/flat.js";

/** The hash of a stored state. */
export type HashOf = (id: number, ownMask: number) => number;

/** Of states in these chunks, to which others may be added. */
export function hasher(
  chunks: readonly Int32Array[],
  { width, compareFrom }: { readonly width: number; readonly compareFrom: number },
  chunkBits: number,
): HashOf {
  return instantiate(
    "hash of a stored state",
    { chunks, multipliers: hashMultipliers(width) },
    `
return function hashOf(id, ownMask) {
  const words = chunks[id >>> ${chunkBits}], at = (id & ${(1 << chunkBits) - 1}) * ${width};
  ${emitHash(width, compareFrom)}
  return hash;
};`,
  );
}

type PartOfGrowth = FlatGrowth & { readonly part: number; readonly parts: number };

/** Enters this worker's part of the known states: from the previous table, if there is one, else from the states. */
export function fillPart(old: Int32Array, growth: PartOfGrowth, hashOf: HashOf): void {
  const { table, ownMask, part, parts } = growth;
  // sound: test/engines/parallel/tables.test.ts
  if (growth.isDoubled) rehome(old, table, (id) => hashOf(id, ownMask), part, parts);
  else enterPart(growth, hashOf);
}

/** States come in any order, so that two workers may want the same slot: each is claimed. */
function enterPart({ table, ownMask, used, part, parts }: PartOfGrowth, hashOf: HashOf): void {
  // sound: test/engines/parallel/tables.test.ts
  for (let i = 0; i < used.length; i += 2) {
    const share = (used[i + 1]! - used[i]!) / parts;
    const end = used[i]! + Math.floor((part + 1) * share);
    // sound: test/engines/parallel/tables.test.ts
    for (let id = used[i]! + Math.floor(part * share); id < end; id++) {
      const hash = hashOf(id, ownMask);
      claim(table, hash & (table.length - 1), (hash & -table.length) | id);
    }
  }
}

function claim(table: SharedWords, home: number, entry: number): void {
  const mask = table.length - 1;
  let slot = home;
  // sound: test/engines/parallel/tables.test.ts
  while (table[slot] !== 0 || Atomics.compareExchange(table, slot, 0, entry) !== 0) slot = (slot + 1) & mask;
}
