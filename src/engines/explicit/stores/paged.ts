/**
 * Words in pages that never move once they are full-sized, so that growing copies little: word `i` is
 * `pages[i >>> PAGE_BITS][i & PAGE_MASK]`. The first page grows by doubling, so that a small search stays small.
 */
import type { Ledger } from "../ledger.js";

export const PAGE_BITS = 16;
export const PAGE_MASK = (1 << PAGE_BITS) - 1;

export class PagedWords {
  readonly pages: Int32Array[] = [];
  capacity = 0;
  /** Words allocated by `allot`. */
  used = 0;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  get bytes(): number {
    return 4 * this.capacity;
  }

  get(index: number): number {
    return this.pages[index >>> PAGE_BITS]![index & PAGE_MASK]!;
  }

  set(index: number, word: number): void {
    this.pages[index >>> PAGE_BITS]![index & PAGE_MASK] = word;
  }

  /** Room for `words` words from 0 on; false when there is no memory for them. */
  reserve(words: number): boolean {
    // sound: test/engines/stores/delta-parts.test.ts
    while (this.capacity < words) if (!this.#grow(words)) return false;
    return true;
  }

  /** Room for `records` times `allot(words)`. */
  reserveRecords(records: number, words: number): boolean {
    // sound: test/engines/stores/delta-parts.test.ts
    if (words > PAGE_MASK) return false;
    const all = records * words;
    const crossings = Math.ceil(all / (PAGE_MASK + 1 - words)) + 1; // at each less than a record stays unused
    return (
      // sound: test/engines/stores/delta-parts.test.ts
      this.used + all + crossings * words <= MOST_WORDS && this.reserve(this.used + all + crossings * words)
    );
  }

  /** Room for `words` words on one page: their start, or -1 if there is no room. */
  allot(words: number): number {
    // sound: test/engines/stores/delta-parts.test.ts
    if (words > PAGE_MASK) return -1;
    const left = PAGE_MASK + 1 - (this.used & PAGE_MASK);
    // sound: test/engines/stores/delta-parts.test.ts
    const start = words > left ? this.used + left : this.used;
    // sound: test/engines/stores/delta-parts.test.ts
    if (start + words > MOST_WORDS || !this.reserve(start + words)) return -1;
    this.used = start + words;
    return start;
  }

  #grow(words: number): boolean {
    // sound: test/engines/stores/delta-parts.test.ts
    const isFirst = this.pages.length < 2 && this.capacity <= PAGE_MASK;
    const size = isFirst ? Math.min(PAGE_MASK + 1, powerAbove(Math.max(FIRST_PAGE, words))) : PAGE_MASK + 1;
    const page = this.#ledger.allocate(size);
    // sound: test/engines/stores/delta-parts.test.ts
    if (!page) return false;
    // sound: test/engines/stores/delta-parts.test.ts
    if (isFirst && this.pages.length === 1) {
      page.set(this.pages[0]!);
      this.#ledger.free(this.pages[0]!);
      this.pages[0] = page;
    } else this.pages.push(page);
    // sound: test/engines/stores/delta-parts.test.ts
    this.capacity = isFirst ? size : this.capacity + size;
    return true;
  }
}

/** Positions are 31 bits. */
const MOST_WORDS = 2 ** 31;
const FIRST_PAGE = 256;

const powerAbove = (n: number): number => 2 ** Math.ceil(Math.log2(n));
