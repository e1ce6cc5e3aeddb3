/** Hash compaction as the set of one thread: `cells.ts`, with a count. */
import type { Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import { Cells, allocateCells, signatureValues } from "./cells.js";
import type { CompactChoice } from "./choice.js";
import type { Compact } from "./omissions.js";

export interface CompactOptions extends Omit<CompactChoice, "kind"> {
  readonly compareFrom: number;
}

export type CompactAnswer = "new" | "known" | "full";

export class CompactStore {
  count = 0;
  readonly lossy: Compact;
  readonly #table: Cells;

  /** Undefined when there is no memory for it. */
  static create(options: CompactOptions, ledger: Ledger): CompactStore | undefined {
    const table = new Cells(options, options.compareFrom);
    const segments = allocateCells(table.shape, (words) => ledger.allocate(words));
    return segments && new CompactStore(options, Object.assign(table, { segments }));
  }

  private constructor({ width }: CompactOptions, table: Cells) {
    this.#table = table;
    this.lossy = { kind: "compact", cells: table.shape.cells, width, values: signatureValues(table.shape) };
  }

  get cells(): number {
    return this.lossy.cells;
  }

  get bytes(): number {
    return this.#table.segments.reduce((bytes, segment) => bytes + segment.byteLength, 0);
  }

  addIfNew(words: Words, at: number, width: number): CompactAnswer {
    if (this.has(words, at, width)) return "known";
    return this.addLast() ? "new" : "full";
  }

  has(words: Words, at: number, width: number): boolean {
    this.#table.sign(words, at, width, 0);
    return this.#table.has(0);
  }

  /** Enters the state that `has` denied last; false if no cell is free. */
  addLast(): boolean {
    if (!this.#table.claim()) return false;
    this.count++;
    return true;
  }
}
