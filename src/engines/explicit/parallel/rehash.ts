/** Filling a larger table, each worker a part of it. */
import { hashWords } from "../hash.js";
import { rehome } from "../rehome.js";
import type { SharedWords, TableGrowth } from "./protocol.js";

export interface Filled {
  readonly chunks: readonly SharedWords[];
  readonly width: number;
  readonly compareFrom: number;
  readonly chunkStates: number;
}

/** Enters this worker's part of what is known: from the table before, if there is one, else from the states. */
export function fillPart(old: SharedWords, growth: TableGrowth, store: Filled): void {
  const { chunks, width, compareFrom } = store;
  const chunkBits = Math.log2(store.chunkStates);
  const hashOf = (id: number): number =>
    hashWords(
      chunks[id >>> chunkBits]!,
      (id & (store.chunkStates - 1)) * width,
      width,
      compareFrom,
      growth.ownMask,
    );
  if (growth.isDoubled) rehome(old, growth.table, hashOf, growth.part, growth.parts);
  else enterPart(growth, hashOf);
}

/** States come in any order, so that two workers may want the same slot: each is claimed. */
function enterPart({ table, used, part, parts }: TableGrowth, hashOf: (id: number) => number): void {
  for (let i = 0; i < used.length; i += 2) {
    const share = (used[i + 1]! - used[i]!) / parts;
    const end = used[i]! + Math.floor((part + 1) * share);
    for (let id = used[i]! + Math.floor(part * share); id < end; id++) {
      const hash = hashOf(id);
      claim(table, hash & (table.length - 1), (hash & -table.length) | id);
    }
  }
}

function claim(table: SharedWords, home: number, entry: number): void {
  const mask = table.length - 1;
  let slot = home;
  while (table[slot] !== 0 || Atomics.compareExchange(table, slot, 0, entry) !== 0) slot = (slot + 1) & mask;
}
