/** The arrays of an emptiness check: counted in the ledger, grown by doubling. */
import type { Ledger } from "../ledger.js";
import type { Stop } from "../order.js";

/** Thrown out of a search that cannot continue; the caller of `advance` catches it. Results so far stay true. */
export class OutOfRoom extends Error {
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(`a search is out of room: ${stop}`);
    this.stop = stop;
  }
}

export class Memory {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Moves the contents to an array of at least `length` words, zero-extended. Releases the old array. */
  grown(array: Int32Array, length: number): Int32Array {
    const larger = this.#ledger.allocate(Math.max(FIRST_LENGTH, length, 2 * array.length));
    if (!larger) throw new OutOfRoom("memory");
    larger.set(array);
    this.free(array);
    return larger;
  }

  /** The caller has let go of the array. */
  free(array: Int32Array): void {
    this.#ledger.free(array);
  }
}

export const EMPTY = new Int32Array(0);

const FIRST_LENGTH = 16;
