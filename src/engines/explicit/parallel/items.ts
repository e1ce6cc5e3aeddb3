/** A level as ranges of ids, and its division among workers. Every thread that divides the same ranges gets the same items. */

/** Items for the workers to take: small enough that all have work to the end, large enough to seldom ask. */
export function split(ranges: ArrayLike<number>, workers: number): Int32Array {
  const wanted = Math.ceil(rangesLength(ranges) / (ITEMS_EACH * workers));
  const size = Math.min(LARGEST_ITEM, Math.max(SMALLEST_ITEM, wanted));
  const items: number[] = [];
  for (let i = 0; i < ranges.length; i += 2)
    for (let start = ranges[i]!; start < ranges[i + 1]!; start += size)
      items.push(start, Math.min(ranges[i + 1]!, start + size));
  return Int32Array.from(items);
}

export function rangesLength(ranges: ArrayLike<number>): number {
  let length = 0;
  for (let i = 0; i < ranges.length; i += 2) length += ranges[i + 1]! - ranges[i]!;
  return length;
}

const ITEMS_EACH = 16;
const SMALLEST_ITEM = 16;
const LARGEST_ITEM = 128;
