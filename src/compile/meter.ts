/**
 * Looks at states and tells which templates their processes have and which values their scalars hold.
 *
 * A search waits for it, so the scalars of a record are made a flat list beforehand, and a state is read by going
 * through such lists.
 */
import type { Program } from "../model/index.js";
import { bitInSeries, type ChannelLayout, type ChannelPlace, type Layout, type Slot } from "./layout.js";
import { Leaf, leafCount, numberLeaves, type Guess, type Range } from "./ranges.js";

/** Processes are planned up to this many edges in all: their code is generated for each of them. */
const MOST_PLANNED_EDGES = 2500;

export class StateMeter {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #processes: Layout["processes"] & { kind: "blocks" };
  readonly #globals: Reading;
  readonly #globalChannels: readonly ChannelReading[];
  /** By process number; each is made when such a process is first seen. */
  readonly #records: ProcessReading[] = [];
  /** By channel type, first those of the lowest leaf. */
  readonly #channels: readonly Seen[];
  readonly #plan: number[] = [];
  #isPlanned = true;

  constructor(program: Program, layout: Layout) {
    if (layout.processes.kind !== "blocks") throw new Error("states are measured before they are planned");
    this.#program = program;
    this.#layout = layout;
    this.#processes = layout.processes;
    this.#globals = new Reading(
      layout.globals,
      program.globals.map((v) => leafCount(v.type)),
    );
    const { channels } = numberLeaves(program, []);
    this.#channels = program.channelTypes.map((c) => new Seen(Leaf.fields + c.fields.length));
    // Types that look alike share what is seen of them.
    channels.forEach((leaf, k) => {
      (this.#channels as Seen[])[k] = this.#channels[channels.indexOf(leaf)]!;
    });
    this.#globalChannels = layout.globalChannels.map((q) => this.#channelReading(q));
  }

  /** Takes the state of `width` words at `words[at…]` into account. */
  add(words: Int32Array, at: number, width: number): void {
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

  /** How much code there would be if it was generated for each process. */
  #edges(): number {
    const edges = this.#program.templates.map((t) => t.locations.reduce((n, l) => n + l.edges.length, 0));
    return this.#plan.reduce((n, t) => n + edges[t]!, 0);
  }

  /** What was seen in the chosen processes of a template together. */
  #seen(template: number, isChosen: (r: ProcessReading) => boolean): (Range | undefined)[] {
    const leaves = this.#program.templates[template]!.locals.reduce((n, v) => n + leafCount(v.type), 0);
    const all = new Seen(leaves);
    for (const r of [...this.#records, ...this.#others])
      if (r.template === template && isChosen(r)) all.join(r.locals.seen);
    return all.ranges();
  }

  /** Of processes whose number was seen with another template before. */
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
      locals: new Reading(
        record.locals,
        this.#program.templates[template]!.locals.map((v) => leafCount(v.type)),
      ),
      channels: record.channels.map((q) => this.#channelReading(q)),
    };
    if (known) this.#others.push(reading);
    else this.#records[process] = reading;
    return reading;
  }

  #channelReading(place: ChannelPlace): ChannelReading {
    const layout = this.#layout.channelTypes[place.channelType]!;
    return { layout, place, seen: this.#channels[place.channelType]! };
  }
}

interface ProcessReading {
  readonly template: number;
  readonly locals: Reading;
  readonly channels: readonly ChannelReading[];
}

interface ChannelReading {
  readonly layout: ChannelLayout;
  readonly place: ChannelPlace;
  readonly seen: Seen;
}

function readChannel({ layout, place, seen }: ChannelReading, words: Int32Array, at: number): void {
  const { length, receiver, sender, fields, series, capacity } = layout;
  const from = at * 32;
  for (const claim of [receiver, sender])
    if (claim) seen.note(Leaf.claims, scalarAt(words, from + place.header + claim.bit, claim.bits, false));
  if (capacity === 0) return;
  const count = scalarAt(words, from + place.header + length.bit, length.bits, false);
  seen.note(Leaf.length, count);
  for (let i = 0; i < count; i++) {
    const slot = from + place.area + bitInSeries(series, i);
    for (let f = 0; f < fields.length; f++) {
      const { bit, bits, signed } = fields[f]!;
      seen.note(Leaf.fields + f, scalarAt(words, slot + bit, bits, signed));
    }
  }
}

/** The smallest and largest value of each leaf. */
class Seen {
  readonly low: Int32Array;
  readonly high: Int32Array;

  constructor(leaves: number) {
    this.low = new Int32Array(leaves).fill(0x7fffffff);
    this.high = new Int32Array(leaves).fill(-0x80000000);
  }

  note(leaf: number, value: number): void {
    if (value < this.low[leaf]!) this.low[leaf] = value;
    if (value > this.high[leaf]!) this.high[leaf] = value;
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

/** The scalars of some variables as a flat list: position, size and leaf of each. */
class Reading {
  readonly seen: Seen;
  readonly #fields: Int32Array;

  constructor(slots: readonly Slot[], leaves: readonly number[]) {
    const fields: number[] = [];
    let leaf = 0;
    slots.forEach((slot, v) => {
      flatten(slot, 0, leaf, fields);
      leaf += leaves[v]!;
    });
    this.seen = new Seen(leaf);
    this.#fields = Int32Array.from(fields);
  }

  read(words: Int32Array, at: number): void {
    const fields = this.#fields;
    for (let i = 0; i < fields.length; i += 4) {
      const bit = fields[i]!;
      const value = scalarAt(words, at * 32 + bit, fields[i + 1]!, fields[i + 2] !== 0);
      this.seen.note(fields[i + 3]!, value);
    }
  }
}

/** Appends the scalars of a slot; gives the leaf after its last. */
function flatten(slot: Slot, from: number, leaf: number, fields: number[]): number {
  const at = from + slot.bit;
  switch (slot.kind) {
    case "scalar":
      fields.push(at, slot.bits, slot.signed ? 1 : 0, leaf);
      return leaf + 1;
    case "array": {
      let next = leaf;
      for (let i = 0; i < slot.length; i++)
        next = flatten(slot.element, at + bitInSeries(slot, i), leaf, fields);
      return next;
    }
    case "record":
      return slot.fields.reduce((next, field) => flatten(field, at, next, fields), leaf);
  }
}

function scalarAt(words: Int32Array, bit: number, bits: number, signed: boolean): number {
  if (bits === 0) return 0;
  const word = words[bit >> 5]!;
  if (bits === 32) return word;
  const raw = (word >>> (bit & 31)) & (2 ** bits - 1);
  return signed ? (raw << (32 - bits)) >> (32 - bits) : raw;
}
