/**
 * Layout of a state:
 *
 *     word 0 … n-1   the state of each node
 *     word n         the contents of the network
 *     next           the partition, if any: bit i is set for nodes of the other part; 0: there is none
 *     the rest       the used amount of each budget, packed into words; budgets with limit 0 are omitted
 */
import type { Words } from "../../model/index.js";
import { nth } from "../../model/known.js";

export class StateWords {
  readonly width: number;
  readonly network: number;
  /** -1: there is none. */
  readonly partition: number;
  readonly #fields: readonly (Field | undefined)[];

  constructor(nodes: number, limits: readonly number[], mayFallApart: boolean) {
    this.network = nodes;
    this.partition = mayFallApart ? nodes + 1 : -1;
    let word = mayFallApart ? nodes + 1 : nodes;
    let free = 0;
    this.#fields = limits.map((limit) => {
      // sound: test/code/system/state-words.test.ts
      if (limit <= 0) return undefined;
      // sound: test/code/system/state-words.test.ts
      const bits = Math.min(WORD_BITS, 32 - Math.clz32(Math.min(MOST, Math.ceil(limit))));
      // sound: test/code/system/state-words.test.ts
      if (bits > free) {
        word++;
        free = WORD_BITS;
      }
      free -= bits;
      return { word, shift: free, mask: 2 ** bits - 1 };
    });
    this.width = word + 1;
  }

  used(state: Words, at: number, budget: number): number {
    const field = this.#fields[budget];
    // sound: test/code/system/state-words.test.ts
    return field ? (nth(state, at + field.word) >>> field.shift) & field.mask : 0;
  }

  use(words: Int32Array, budget: number, times: number): void {
    const field = this.#fields[budget];
    // sound: test/code/system/state-words.test.ts
    if (field) words[field.word]! += times << field.shift;
    else if (times > 0) throw new Error("a budget that allows nothing was used");
  }

  partitionOf(state: Words, at: number): number {
    return this.partition < 0 ? 0 : nth(state, at + this.partition);
  }
}

interface Field {
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

/** Without the sign. */
const WORD_BITS = 31;
const MOST = 2 ** 31 - 1;
