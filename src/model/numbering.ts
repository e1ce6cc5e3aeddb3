/**
 * Parts of states by number: a word stands for a packet, a bag or a message with its history. Numbers follow the order of
 * discovery, so models that exchange states must share them.
 *
 * One thread numbers in maps. Once `memory` is requested, numbers are in a journal in shared memory, and models made from it
 * in other threads agree on every number. A search on disk stores the records of the journal beside its states; `restore` gives
 * the same numbers in another process.
 *
 * Always true: a part is determined by its key; the key of a number is the same in all models that share the memory. A state
 * is stored after its parts, so a thread that catches up before it reads a state knows all of them.
 */
import { Journal, JournalFull, recordsOf, type Table } from "./journal.js";
import { StepTooLong } from "./patience.js";

/** Facet of a model whose states contain numbers of parts. */
export interface Numbering {
  /** The records from that position on, and the position after them. */
  recordsFrom(position: number): { readonly words: Int32Array; readonly end: number };
  /** Numbers the parts of stored records, in a model that has visited no states; returns the position after them. */
  restore(records: Int32Array): number;
}

export class Numbers implements Numbering {
  #journal: Journal | undefined;
  readonly #kinds: Numbered<unknown>[] = [];

  /** `memory`: of the model whose numbers this one shares. */
  constructor(memory?: SharedArrayBuffer) {
    if (memory) this.#journal = new Journal(memory);
  }

  /** Numbers parts of one kind. Models that share numbers create their kinds in the same order. */
  kind<T>(parse: (key: string) => T): Numbered<T> {
    const kind = new Numbered(parse);
    this.#kinds.push(kind);
    if (this.#journal) kind.share(this.#journal);
    return kind;
  }

  /** Learns the parts that other models have numbered. Precedes each look at a state. */
  catchUp(): void {
    this.#journal?.catchUp(); // sound: test/model/numbering.test.ts
  }

  /** Shared memory with all numbers; from now on, parts are numbered there. */
  get memory(): SharedArrayBuffer {
    return this.#shared().memory;
  }

  recordsFrom(position: number): { readonly words: Int32Array; readonly end: number } {
    return this.#shared().recordsFrom(position);
  }

  restore(records: Int32Array): number {
    const journal = this.#shared();
    const counts = this.#kinds.map(() => 0);
    for (const { table, key } of recordsOf(records)) {
      const expected = counts[table] ?? NaN;
      if (this.#kinds[table]?.numberOf(key) !== expected)
        throw new Error(`the stored number of '${key}' is taken`); // sound: test/model/numbering.test.ts
      counts[table] = expected + 1;
    }
    if (this.#kinds.some(({ things }, kind) => things.length !== counts[kind]))
      throw new Error("parts were numbered before the stored ones"); // sound: test/model/numbering.test.ts
    return journal.end;
  }

  #shared(): Journal {
    if (this.#journal) return this.#journal;
    const journal = new Journal();
    for (const kind of this.#kinds) kind.share(journal);
    return (this.#journal = journal);
  }
}

/** Parts of one kind. */
export class Numbered<T> {
  /** By number. */
  readonly things: T[] = [];
  readonly #parse: (key: string) => T;
  readonly #numbers = new Map<string, number>();
  #table: Table | undefined;

  constructor(parse: (key: string) => T) {
    this.#parse = parse;
  }

  /** Equal keys have one number. `make`: the part, if it is new; absent: it is read from the key. */
  numberOf(key: string, make?: () => T): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known; // sound: test/model/numbering.test.ts
    if (this.#table) return numbered(this.#table, key);
    return this.#add(key, make ? make() : this.#parse(key));
  }

  share(journal: Journal): void {
    const known = [...this.#numbers.keys()];
    this.#table = journal.table((number, key) => {
      const own = this.#numbers.get(key);
      if (own === undefined && number === this.things.length) this.#add(key, this.#parse(key));
      else if (own !== number) throw new Error(`'${key}' has two numbers`); // sound: test/model/numbering.test.ts
    });
    for (const key of known) numbered(this.#table, key);
  }

  #add(key: string, thing: T): number {
    this.#numbers.set(key, this.things.length);
    return this.things.push(thing) - 1;
  }
}

function numbered(table: Table, key: string): number {
  try {
    return table.number(key);
  } catch (error) {
    if (!(error instanceof JournalFull)) throw error;
    throw new StepTooLong("memory", "there is no memory for the numbers of further parts of states");
  }
}
