/** Groups of nodes that were explored alone, each with its state: assumptions of a search, verified at its end. */
import type { Kept, Words } from "../../model/index.js";
import { lastOf, nth } from "../../model/known.js";

export class ExploredGroups implements Kept {
  readonly #width: number;
  /** Records of a state and a group. Chunks are never copied, so memory grows in small increments. */
  #chunks: Int32Array[] = [];
  #count = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#chunks.length * 4 * CHUNK_PLACES * (this.#width + 1);
  }

  clear(): void {
    this.#chunks = [];
    this.#count = 0;
  }

  add(group: number, state: Words, at: number): void {
    const size = this.#width + 1;
    const place = this.#count++ % CHUNK_PLACES;
    // sound: test/code/system/explored-groups.test.ts
    if (place === 0) this.#chunks.push(new Int32Array(CHUNK_PLACES * size));
    const chunk = lastOf(this.#chunks);
    for (let k = 0; k < this.#width; k++) chunk[place * size + k] = nth(state, at + k);
    chunk[place * size + this.#width] = group;
  }

  every(stands: (group: number, state: Words, at: number) => boolean): boolean {
    const size = this.#width + 1;
    // sound: test/code/system/explored-groups.test.ts
    for (let i = 0; i < this.#count; i++) {
      const chunk = nth(this.#chunks, Math.floor(i / CHUNK_PLACES));
      const at = (i % CHUNK_PLACES) * size;
      // sound: test/code/system/explored-groups.test.ts
      if (!stands(nth(chunk, at + this.#width), chunk, at)) return false;
    }
    return true;
  }
}

const CHUNK_PLACES = 512;
