/** A level as ranges of ids, and its division among workers. Every thread that divides the same ranges gets the same items. */

import { Control } from "./protocol.js";

/** Items for the workers to take: small enough that all have work to the end, large enough to seldom ask. */
export function split(ranges: ArrayLike<number>, workers: number): Int32Array {
  const wanted = Math.ceil(rangesLength(ranges) / (ITEMS_EACH * workers));
  const least = Math.ceil(rangesLength(ranges) / MOST_ITEMS);
  const size = Math.max(least, Math.min(LARGEST_ITEM, Math.max(SMALLEST_ITEM, wanted)));
  const items: number[] = [];
  for (let i = 0; i < ranges.length; i += 2)
    // sound: test/engines/parallel/items.test.ts
    for (let start = ranges[i]!; start < ranges[i + 1]!; start += size)
      items.push(start, Math.min(ranges[i + 1]!, start + size));
  return Int32Array.from(items);
}

/**
 * The number of an item to expand, or -1 when all are taken. Each worker takes its share of the items from the front; then it
 * helps another, from the back of that one's share. Ranges come in the order of the workers that stored them, so a worker
 * mostly expands its own states: their successors are often its own as well, and need not be fetched from another core.
 */
export function takeItem(control: Int32Array, items: number, worker: number, workers: number): number {
  // sound: test/engines/parallel/items.test.ts
  for (let k = 0; k < workers; k++) {
    const owner = (worker + k) % workers;
    const first = Math.floor((owner * items) / workers);
    const size = Math.floor(((owner + 1) * items) / workers) - first;
    const at = shareAt(owner);
    // sound: test/engines/parallel/items.test.ts
    const step = k === 0 ? FROM_FRONT : FROM_BACK;
    let taken = Atomics.load(control, at);
    // sound: test/engines/parallel/items.test.ts
    while ((taken & FRONT) + (taken >>> 16) < size) {
      const before = taken;
      taken = Atomics.compareExchange(control, at, before, (before + step) | 0);
      // sound: test/engines/parallel/items.test.ts
      if (taken === before) return k === 0 ? first + (before & FRONT) : first + size - 1 - (before >>> 16);
    }
  }
  return -1;
}

/** Before a level: nothing is taken of any share. */
export function resetShares(control: Int32Array, workers: number): void {
  for (let worker = 0; worker < workers; worker++) Atomics.store(control, shareAt(worker), 0);
}

/** Words of `Control` for `workers` workers. */
export const controlWords = (workers: number): number => shareAt(workers);

const shareAt = (worker: number): number => Control.shares + LINE_WORDS * worker;

export function rangesLength(ranges: ArrayLike<number>): number {
  let length = 0;
  for (let i = 0; i < ranges.length; i += 2) length += ranges[i + 1]! - ranges[i]!;
  return length;
}

const LINE_WORDS = 16;
/** How many items of a share are taken from the front and from the back, in one word. */
const FRONT = 0xffff;
const FROM_FRONT = 1;
const FROM_BACK = 0x1_0000;
/** Over all shares together, so that each number fits. */
const MOST_ITEMS = 50_000;
const ITEMS_EACH = 16;
const SMALLEST_ITEM = 16;
const LARGEST_ITEM = 256;
