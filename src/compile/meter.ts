/**
 * Measures states: the templates of their processes and the ranges of their scalars.
 *
 * A search waits for it, so it flattens the scalars of each record beforehand.
 */
import type { Program, Type } from "../model/index.js";
import { bitInSeries, type ChannelPlace, type Layout, type ScalarSlot, type Slot } from "./layout.js";
import { Leaf, leafCount, numberLeaves, type Guess, type Range } from "./ranges.js";

/** Largest number of edges for planned processes, whose code is generated separately for each. */
const MOST_PLANNED_EDGES = 2500;

export class StateMeter {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #processes: Layout["processes"] & { kind: "blocks" };
  readonly #globals: Reading;
  readonly #globalChannels: readonly ChannelReading[];
  /** By process number; created when the process is first seen. */
  readonly #records: ProcessReading[] = [];
  /** By channel type; the first of equal ones has the lowest leaf. */
  readonly #channels: readonly Seen[];
  readonly #plan: number[] = [];
  readonly #news: News = { count: 0 };
  #isPlanned = true;

  constructor(program: Program, layout: Layout) {
    if (layout.processes.kind !== "blocks") throw new Error("states are measured before they are planned");
    this.#program = program;
    this.#layout = layout;
    this.#processes = layout.processes;
    this.#globals = Reading.ofVariables(
      layout.globals,
      program.globals.map((v) => v.type),
      this.#news,
    );
    const { channels } = numberLeaves(program, []);
    this.#channels = program.channelTypes.map((c) => new Seen(Leaf.fields + c.fields.length, this.#news));
    // Equal types share their ranges.
    channels.forEach((leaf, k) => {
      (this.#channels as Seen[])[k] = this.#channels[channels.indexOf(leaf)]!;
    });
    this.#globalChannels = layout.globalChannels.map((q) => this.#channelReading(q));
  }

  /** Records the state of `width` words at `words[at…]`. Was there anything new? */
  add(words: Int32Array, at: number, width: number): boolean {
    const before = this.#news.count;
    this.#globals.read(words, at);
    for (const q of this.#globalChannels) readChannel(q, words, at);
    const { tag, records } = this.#processes;
    const mask = 2 ** tag.bits - 1;
    for (let b = this.#layout.fixedWords, p = 0; b < width; p++) {
      const t = (words[at + b]! & mask) - 1;
      if (t < 0) break;
      const reading = this.#reading(p, t);
      reading.locals.read(words, at + b);
      for (const q of reading.channels) readChannel(q, words, at + b);
      b += records[t]!.words;
    }
    return this.#news.count !== before;
  }

  guess(): Guess {
    const plan = this.#isPlanned && this.#edges() <= MOST_PLANNED_EDGES ? this.#plan : undefined;
    const records = plan
      ? plan.map((t, p) => this.#seen(t, (r) => r === this.#records[p]))
      : this.#program.templates.map((_, t) => this.#seen(t, () => true));
    const channels = [...new Set(this.#channels)];
    return {
      plan,
      ranges: [
        ...this.#globals.seen.ranges(),
        ...records.flat(),
        ...channels.flatMap((seen) => seen.ranges()),
      ],
    };
  }

  /** Amount of code if generated for each process. */
  #edges(): number {
    const edges = this.#program.templates.map((t) => t.locations.reduce((n, l) => n + l.edges.length, 0));
    return this.#plan.reduce((n, t) => n + edges[t]!, 0);
  }

  /** Joint ranges of the chosen processes of a template. */
  #seen(template: number, isChosen: (r: ProcessReading) => boolean): (Range | undefined)[] {
    const leaves = this.#program.templates[template]!.locals.reduce((n, v) => n + leafCount(v.type), 0);
    const all = new Seen(leaves, this.#news);
    for (const r of [...this.#records, ...this.#others])
      if (r.template === template && isChosen(r)) all.join(r.locals.seen);
    return all.ranges();
  }

  /** Processes whose number had another template before. */
  readonly #others: ProcessReading[] = [];

  #reading(process: number, template: number): ProcessReading {
    const known = this.#records[process];
    if (known?.template === template) return known;
    if (known) {
      this.#isPlanned = false;
      const other = this.#others.find((r) => r.template === template);
      if (other) return other;
    } else this.#plan[process] = template;
    const record = this.#processes.records[template]!;
    const reading: ProcessReading = {
      template,
      locals: Reading.ofVariables(
        record.locals,
        this.#program.templates[template]!.locals.map((v) => v.type),
        this.#news,
      ),
      channels: record.channels.map((q) => this.#channelReading(q)),
    };
    if (known) this.#others.push(reading);
    else this.#records[process] = reading;
    return reading;
  }

  #channelReading({ channelType, header, area }: ChannelPlace): ChannelReading {
    const { capacity, slots, length, receiver, sender, fields, series } =
      this.#layout.channelTypes[channelType]!;
    const seen = this.#channels[channelType]!;
    const claims = [receiver, sender].flatMap((slot) => (slot ? field(slot, header, Leaf.claims) : []));
    const message = (i: number): number[] =>
      fields.flatMap((f, k) => field(f, area + bitInSeries(series, i), Leaf.fields + k));
    return {
      length: capacity > 0 ? Int32Array.from(field(length, header, Leaf.length)) : undefined,
      claims: new Reading(claims, seen),
      slots: Array.from({ length: slots }, (_, i) => new Reading(message(i), seen)),
      seen,
    };
  }
}

interface ProcessReading {
  readonly template: number;
  readonly locals: Reading;
  readonly channels: readonly ChannelReading[];
}

interface ChannelReading {
  /** Absent: always empty. */
  readonly length: Int32Array | undefined;
  readonly claims: Reading;
  /** The messages, by slot. */
  readonly slots: readonly Reading[];
  readonly seen: Seen;
}

function readChannel({ length, claims, slots, seen }: ChannelReading, words: Int32Array, at: number): void {
  claims.read(words, at);
  const count = length ? scalarAt(words, at, length, 0) : 0;
  if (length) seen.note(Leaf.length, count);
  for (let i = 0; i < count; i++) slots[i]!.read(words, at);
}

/** Counts new observations. */
interface News {
  count: number;
}

/** The smallest and largest value of each leaf. */
class Seen {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly #news: News;

  constructor(leaves: number, news: News) {
    this.#news = news;
    this.low = new Int32Array(leaves).fill(0x7fffffff);
    this.high = new Int32Array(leaves).fill(-0x80000000);
  }

  note(leaf: number, value: number): void {
    if (value < this.low[leaf]!) {
      this.low[leaf] = value;
      this.#news.count++;
    }
    if (value > this.high[leaf]!) {
      this.high[leaf] = value;
      this.#news.count++;
    }
  }

  join(other: Seen): void {
    for (let leaf = 0; leaf < this.low.length; leaf++) {
      this.low[leaf] = Math.min(this.low[leaf]!, other.low[leaf]!);
      this.high[leaf] = Math.max(this.high[leaf]!, other.high[leaf]!);
    }
  }

  ranges(): (Range | undefined)[] {
    return Array.from(this.low, (low, leaf) =>
      low > this.high[leaf]! ? undefined : { low, high: this.high[leaf]! },
    );
  }
}

/** Scalars as a flat list of `field`s, and their ranges. */
class Reading {
  readonly seen: Seen;
  readonly #fields: Int32Array;

  constructor(fields: readonly number[], seen: Seen) {
    this.seen = seen;
    this.#fields = Int32Array.from(fields);
  }

  static ofVariables(slots: readonly Slot[], types: readonly Type[], news: News): Reading {
    const fields: number[] = [];
    let leaf = 0;
    slots.forEach((slot, v) => {
      flatten(slot, 0, leaf, fields);
      leaf += leafCount(types[v]!);
    });
    return new Reading(fields, new Seen(leaf, news));
  }

  read(words: Int32Array, at: number): void {
    const fields = this.#fields;
    const seen = this.seen;
    for (let i = 0; i < fields.length; i += FIELD) seen.note(fields[i + 4]!, scalarAt(words, at, fields, i));
  }
}

/** Numbers per scalar: word, shift, mask, shift for the sign, leaf. */
const FIELD = 5;

function field({ bit, bits, signed }: ScalarSlot, from: number, leaf: number): number[] {
  const at = from + bit;
  const mask = bits === 32 ? -1 : 2 ** bits - 1;
  return [at >> 5, at & 31, mask, signed ? 32 - bits : 0, leaf];
}

function scalarAt(words: Int32Array, at: number, fields: Int32Array, i: number): number {
  const raw = (words[at + fields[i]!]! >>> fields[i + 1]!) & fields[i + 2]!;
  return (raw << fields[i + 3]!) >> fields[i + 3]!;
}

/** Appends the scalars of a slot; returns the leaf after its last. */
function flatten(slot: Slot, from: number, leaf: number, fields: number[]): number {
  const at = from + slot.bit;
  switch (slot.kind) {
    case "scalar":
      fields.push(...field(slot, from, leaf));
      return leaf + 1;
    case "array": {
      let next = leaf;
      for (let i = 0; i < slot.length; i++)
        next = flatten(slot.element, at + bitInSeries(slot, i), leaf, fields);
      return next;
    }
    case "record":
      return slot.fields.reduce((next, f) => flatten(f, at, next, fields), leaf);
  }
}
