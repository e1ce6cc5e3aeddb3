/**
 * The number of each state's link, in pages as `PagedWords` has them: two bytes each while the numbers allow it, else four. Models
 * have few different steps: on the bench models two bytes are enough.
 */
import type { Ledger } from "../ledger.js";
import { PAGE_BITS, PAGE_MASK } from "./paged.js";

export class LinkColumn {
  /** Entry `id` is `pages[id >>> PAGE_BITS][id & PAGE_MASK]`. The array stays the same when pages are replaced. */
  readonly pages: (Uint16Array | Int32Array)[] = [];
  readonly #ledger: Ledger;
  #capacity = 0;
  #largest = MOST_NARROW;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  get bytes(): number {
    return this.#capacity * this.#entryBytes;
  }

  get(id: number): number {
    return this.pages[id >>> PAGE_BITS]![id & PAGE_MASK]!;
  }

  set(id: number, link: number): void {
    this.pages[id >>> PAGE_BITS]![id & PAGE_MASK] = link;
  }

  /** Room for entries from 0 to before `entries`; false when there is no memory for it. */
  reserve(entries: number): boolean {
    // sound: test/engines/stores/delta-parts.test.ts
    while (this.#capacity < entries) if (!this.#grow()) return false;
    return true;
  }

  /** Room for numbers up to `link`. */
  reserveNumber(link: number): boolean {
    // sound: test/engines/stores/delta-parts.test.ts
    if (link <= this.#largest) return true;
    const wide: Int32Array[] = [];
    for (const page of this.pages) {
      const copy = this.#ledger.allocate(page.length);
      // sound: test/engines/stores/delta-parts.test.ts
      if (!copy) {
        for (const made of wide) this.#ledger.free(made);
        return false;
      }
      copy.set(page);
      wide.push(copy);
    }
    this.#largest = MOST_WIDE;
    for (const [i, page] of wide.entries()) this.#replace(i, page);
    return true;
  }

  get #entryBytes(): number {
    // sound: test/engines/stores/delta-parts.test.ts
    return this.#largest === MOST_NARROW ? 2 : 4;
  }

  /** The first page doubles until it is whole; the others are whole from the start. */
  #grow(): boolean {
    // sound: test/engines/stores/delta-parts.test.ts
    const isFirst = this.#capacity <= PAGE_MASK;
    const entries = isFirst ? Math.max(FIRST_ENTRIES, 2 * this.#capacity) : PAGE_MASK + 1;
    const words = this.#ledger.allocate((entries * this.#entryBytes) / 4);
    // sound: test/engines/stores/delta-parts.test.ts
    if (!words) return false;
    // sound: test/engines/stores/delta-parts.test.ts
    const page = this.#largest === MOST_NARROW ? new Uint16Array(words.buffer) : words;
    // sound: test/engines/stores/delta-parts.test.ts
    if (isFirst && this.pages.length > 0) {
      page.set(this.pages[0]!);
      this.#replace(0, page);
      this.#capacity = entries;
    } else {
      this.pages.push(page);
      this.#capacity += entries;
    }
    return true;
  }

  #replace(index: number, page: Uint16Array | Int32Array): void {
    this.#ledger.free(new Int32Array(this.pages[index]!.buffer));
    this.pages[index] = page;
  }
}

const MOST_NARROW = 2 ** 16 - 1;
const MOST_WIDE = 2 ** 31 - 1;
const FIRST_ENTRIES = 256;
