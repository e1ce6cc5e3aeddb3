/**
 * Numbering shared by several threads: an append-only log in shared memory of all numbered objects.
 *
 *     word 0         the lock: 0 free, 1 taken, 2 taken with waiting threads
 *     word 1         length of the log in 16-bit units
 *     the rest       records: the table, the lengths of key and note (two units each), the key, the note, padding to whole words
 *
 * Threads cannot share objects, and a node's state consists of objects; but it is also the result of a step from an
 * earlier state. So a record contains a key that identifies a part of a state, and a note from which another thread
 * reconstructs it. A thread reads the log when it encounters an unknown number or key.
 *
 * Always true: a record's number is its position in its table, equal in every thread; records are immutable.
 */
import { entryOf } from "./known.js";

export class Journal {
  readonly memory: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #units: Uint16Array;
  readonly #tables: Table[] = [];
  /** Records of tables that this thread has not created yet. */
  #early: JournalRecord[] = [];
  /** Position up to which this thread has read the log, in units. */
  #read = 0;

  /** `memory`: of an existing journal, or the maximal size in bytes. */
  constructor(memory: SharedArrayBuffer | number = MOST_BYTES[0]) {
    if (typeof memory === "number") memory = newMemory(memory);
    this.memory = memory;
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.#units = new Uint16Array(memory, HEADER_BYTES);
  }

  /** Tables are identified by the order of their creation, which is the same in all threads. */
  table(learn: Learn): Table {
    const table = new Table(this, this.#tables.length, learn);
    this.#tables.push(table);
    const own = this.#early.filter((record) => record.table === table.place);
    this.#early = this.#early.filter((record) => record.table !== table.place);
    for (const { key, note } of own) table.learn(key, note);
    return table;
  }

  /** Position after the last record, in words. */
  get end(): number {
    return Atomics.load(this.#header, WRITTEN) / 2;
  }

  /** A copy of the records from that position on, and the position after them. */
  recordsFrom(position: number): { readonly words: Int32Array; readonly end: number } {
    const { end } = this;
    return { words: new Int32Array(this.memory, HEADER_BYTES).slice(position, end), end };
  }

  catchUp(): void {
    const written = Atomics.load(this.#header, WRITTEN);
    while (this.#read < written) this.#learn();
  }

  /** Appends a record unless another thread has done so. */
  append(table: Table, key: string, note: () => string): void {
    this.#lock();
    try {
      this.catchUp();
      if (!table.has(key)) this.#write(table, key, note());
    } finally {
      this.#unlock();
    }
    this.catchUp();
  }

  #learn(): void {
    const record = recordAt(this.#units, this.#read);
    this.#read = record.end;
    const table = this.#tables[record.table];
    if (table) table.learn(record.key, record.note);
    else this.#early.push(record);
  }

  #write(table: Table, key: string, note: string): void {
    const at = this.#header[WRITTEN]!;
    const end = even(at + RECORD + key.length + note.length);
    // The first table is for failures: the reserve allows reporting a full journal.
    this.#makeRoom(end, table.place === 0 ? 0 : RESERVED_UNITS);
    const units = this.#units;
    units[at] = table.place;
    putLong(units, at + 1, key.length);
    putLong(units, at + 3, note.length);
    putText(units, at + RECORD, key);
    putText(units, at + RECORD + key.length, note);
    Atomics.store(this.#header, WRITTEN, end);
  }

  #makeRoom(units: number, reserved: number): void {
    const memory = this.memory as Growable;
    const needed = HEADER_BYTES + 2 * units;
    if (needed <= memory.byteLength) return;
    if (needed + 2 * reserved > memory.maxByteLength) throw new JournalFull();
    memory.grow(Math.min(memory.maxByteLength, Math.max(needed, 2 * memory.byteLength)));
  }

  #lock(): void {
    if (Atomics.compareExchange(this.#header, LOCK, 0, 1) === 0) return;
    while (Atomics.exchange(this.#header, LOCK, 2) !== 0) Atomics.wait(this.#header, LOCK, 2);
  }

  #unlock(): void {
    if (Atomics.exchange(this.#header, LOCK, 0) === 2) Atomics.notify(this.#header, LOCK, 1);
  }
}

export interface JournalRecord {
  readonly table: number;
  readonly key: string;
  readonly note: string;
}

/** The records of a log. */
export function* recordsOf(words: Int32Array): Generator<JournalRecord> {
  const units = new Uint16Array(words.slice().buffer);
  for (let at = 0; at < units.length;) {
    const record = recordAt(units, at);
    yield record;
    at = record.end;
  }
}

function recordAt(units: Uint16Array, at: number): JournalRecord & { readonly end: number } {
  const keyEnd = at + RECORD + long(units, at + 1);
  const noteEnd = keyEnd + long(units, at + 3);
  return {
    table: units[at] ?? 0,
    key: text(units, at + RECORD, keyEnd),
    note: text(units, keyEnd, noteEnd),
    end: even(noteEnd),
  };
}

const even = (units: number): number => units + (units & 1);

/** Called once per record of a table, in order, from 0. */
export type Learn = (number: number, key: string, note: string) => void;

/** Numbered objects of one kind. */
export class Table {
  readonly place: number;
  readonly #journal: Journal;
  readonly #learn: Learn;
  readonly #numbers = new Map<string, number>();

  constructor(journal: Journal, place: number, learn: Learn) {
    this.#journal = journal;
    this.place = place;
    this.#learn = learn;
  }

  has(key: string): boolean {
    return this.#numbers.has(key);
  }

  /** Number of `key`. `note`: data for other threads to reconstruct it, if it is new. */
  number(key: string, note: () => string = nothing): number {
    if (!this.#numbers.has(key)) this.#journal.append(this, key, note);
    return entryOf(this.#numbers, key);
  }

  learn(key: string, note: string): void {
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#learn(number, key, note);
  }
}

/** The journal has no room for further records. */
export class JournalFull extends Error {}

const nothing = (): string => "";
const LOCK = 0;
const WRITTEN = 1;
const HEADER_BYTES = 8;
const RECORD = 5;
const RESERVED_UNITS = 1 << 16;
const FIRST_BYTES = 1 << 20;
/** Reserved address space; memory is used on demand. */
const MOST_BYTES = [2 ** 31, 2 ** 28, 2 ** 24] as const;

/** Missing from our version of the type declarations. */
interface Growable extends SharedArrayBuffer {
  readonly maxByteLength: number;
  grow(byteLength: number): void;
}

const GrowableBuffer = SharedArrayBuffer as unknown as new (
  bytes: number,
  options: { readonly maxByteLength: number },
) => SharedArrayBuffer;

function newMemory(most: number): SharedArrayBuffer {
  for (const bytes of MOST_BYTES)
    try {
      const maxByteLength = Math.min(most, bytes);
      return new GrowableBuffer(Math.min(FIRST_BYTES, most), { maxByteLength });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  throw new JournalFull();
}

const long = (units: Uint16Array, at: number): number => units[at]! + 0x10000 * units[at + 1]!;

function putLong(units: Uint16Array, at: number, value: number): void {
  units[at] = value & 0xffff;
  units[at + 1] = value >>> 16;
}

function putText(units: Uint16Array, at: number, value: string): void {
  for (let i = 0; i < value.length; i++) units[at + i] = value.charCodeAt(i);
}

function text(units: Uint16Array, start: number, end: number): string {
  let all = "";
  for (let at = start; at < end; at += 4096)
    all += String.fromCharCode(...units.subarray(at, Math.min(end, at + 4096)));
  return all;
}
