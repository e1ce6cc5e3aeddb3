/**
 * Positions of everything in a state of a compiled `Program`.
 *
 * The fixed part comes first: hidden globals (words 0 … compareFrom-1: copied, not compared), then control fields (owner
 * of the atomic token, last mover), globals, and the channels created by global initialisers. Processes follow in one of
 * two forms:
 *
 * - **Blocks**, for every program: behind the fixed part one block of whole words per live process, oldest first:
 *   its record (template + 1, location, priority, locals) and the channels its template creates. A block's size depends
 *   on its template alone, processes are removed youngest first, and a record's first word is never zero: so
 *   zero words mean "no process here".
 * - **Planned**, if the guess is that process number `p` always has the same template (`ranges.ts`): all positions are
 *   fixed, and fields of all processes share words. The fields of an absent process are zero; the location of a
 *   process that can be absent is stored plus one.
 *
 * Either way a state is canonical. `packing.ts` allocates bits. Channels are numbered from 1 in order of creation, as in
 * Spin; 0 means none.
 */
import type { Initialiser, Program, ScalarType, Template, Type } from "../model/index.js";
import {
  Packer,
  at,
  bitsFor,
  packGroups,
  scalar,
  seriesOf,
  shapeOf,
  type Extent,
  type ScalarSlot,
  type Series,
  type Slot,
  type StoredType,
} from "./packing.js";
import {
  Leaf,
  leafCount,
  numberLeaves,
  storageFor,
  type Guess,
  type Habits,
  type LeafNumbers,
  type Ranges,
} from "./ranges.js";

export {
  bitInSeries,
  masksOf,
  type ArraySlot,
  type RecordSlot,
  type ScalarSlot,
  type Series,
  type Slot,
} from "./packing.js";

/** Channels of a type: a header (length, claims) and an area of message slots. */
export interface ChannelLayout {
  readonly capacity: number;
  /** Number of message slots; below the capacity if more were never seen, in which case sends must check (`ranges.ts`). */
  readonly slots: number;
  readonly narrowedLeaf: number | undefined;
  readonly headerBits: number;
  readonly areaBits: number;
  /** Relative to the header. */
  readonly length: ScalarSlot;
  /** Process number + 1 of the exclusive receiver (sender), 0 for any; absent without claims. */
  readonly receiver: ScalarSlot | undefined;
  readonly sender: ScalarSlot | undefined;
  /** The slots, relative to the area; unused ones are zero. */
  readonly series: Series;
  /** Relative to the slot. */
  readonly fields: readonly ScalarSlot[];
}

/** One channel: its type, and the first bits of its header and area, relative to its record. */
export interface ChannelPlace {
  readonly channelType: number;
  readonly header: number;
  readonly area: number;
}

/** A process. Bits are relative to its block, or to the state when it is planned. */
export interface RecordLayout {
  readonly template: number;
  /** Base -1 if the process may be absent: then reads as -1. */
  readonly location: ScalarSlot;
  readonly priority: ScalarSlot | undefined;
  readonly locals: readonly Slot[];
  /** The channels that creation makes, in order. */
  readonly channels: readonly ChannelPlace[];
  readonly extents: readonly Extent[];
}

export interface BlockLayout extends RecordLayout {
  readonly words: number;
}

export type ProcessLayout =
  | {
      readonly kind: "blocks";
      /** In the first word of every record: template + 1. */
      readonly tag: ScalarSlot;
      /** By template. */
      readonly records: readonly BlockLayout[];
    }
  | {
      readonly kind: "planned";
      /** By process number. */
      readonly records: readonly RecordLayout[];
      /** Number of processes, the oldest, that exist in every state. */
      readonly permanent: number;
    };

export interface Layout {
  readonly compareFrom: number;
  /** Words of the fixed part; of the whole state if processes are planned. */
  readonly fixedWords: number;
  /** Process number + 1 of the owner of the atomic token; absent without atomic sequences. */
  readonly exclusive: ScalarSlot | undefined;
  /** Process that moved last, if the program reads it. */
  readonly last: ScalarSlot | undefined;
  /** Relative to the state's first word. */
  readonly globals: readonly Slot[];
  readonly channelTypes: readonly ChannelLayout[];
  readonly globalChannels: readonly ChannelPlace[];
  readonly processes: ProcessLayout;
}

/** Features that the layout must support. */
export interface Uses {
  readonly hasAtomic: boolean;
  readonly hasLast: boolean;
  readonly hasClaims: boolean;
  readonly constantGlobals: ReadonlySet<number>;
  /** By template. */
  readonly constantLocals: readonly ReadonlySet<number>[];
  /** Scalars whose initialiser excludes the default zero. */
  readonly initialisedGlobals: ReadonlySet<number>;
  readonly initialisedLocals: readonly ReadonlySet<number>[];
  /** Templates whose processes can terminate. */
  readonly mortal: ReadonlySet<number>;
}

/** The words of a state with exactly the program's initial processes. */
export function initialWords(program: Program, { fixedWords, processes }: Layout): number {
  if (processes.kind === "planned") return fixedWords;
  return program.instances.reduce((n, i) => n + processes.records[i.template]!.words, fixedWords);
}

/** Without a guess, every scalar has its declared width, and processes are in blocks. */
export function layOut(program: Program, uses: Uses, guess: Guess = { plan: undefined, ranges: [] }): Layout {
  const sizes = new Sizes(program, uses, guess);
  const hidden = new Packer();
  const globals: Slot[] = [];
  const hiddenPlaces = hidden.addAll(program.globals.map((v, g) => (v.hidden ? sizes.globals[g]!.bits : 0)));
  const shown = [...program.globals.keys()].filter((g) => !program.globals[g]!.hidden);
  const created = channelsOf(program.initialisers);
  const control = [uses.hasAtomic, uses.hasLast].map((isUsed) => (isUsed ? sizes.processBits : 0));
  const fixed = [
    [...control, ...shown.map((g) => sizes.globals[g]!.bits)],
    ...created.map((type) => sizes.channel(type)),
  ];
  const records = guess.plan?.map((template, p) => sizes.record(template, p));
  const { places, words } = packGroups([...fixed, ...(records ?? []).map((r) => r.sizes)], hidden.words);
  const own = places[0]!;
  program.globals.forEach((v, g) => {
    const bit = v.hidden ? hiddenPlaces[g]! : own[control.length + shown.indexOf(g)]!;
    globals[g] = at(sizes.globals[g]!.slot, bit);
  });
  return {
    compareFrom: hidden.words,
    fixedWords: words,
    exclusive: uses.hasAtomic ? at(scalar(sizes.processBits), own[0]!) : undefined,
    last: uses.hasLast ? at(scalar(sizes.processBits), own[1]!) : undefined,
    globals,
    channelTypes: sizes.channelTypes,
    globalChannels: created.map((type, i) => placeChannel(type, places[1 + i]!, 0)),
    processes: records
      ? {
          kind: "planned",
          records: records.map((r, p) => r.placed(places[fixed.length + p]!)),
          permanent: sizes.permanent,
        }
      : blocks(program, sizes),
  };
}

function blocks(program: Program, sizes: Sizes): ProcessLayout {
  const tag = scalar(bitsFor(program.templates.length));
  const records = program.templates.map((_, t): BlockLayout => {
    const packer = new Packer();
    packer.add(tag.bits);
    const record = sizes.record(t, undefined);
    const [location, ...others] = record.sizes;
    // The tag comes first, so that a zero first word means that no process exists.
    const places = [packer.add(location!), ...packer.addAll(others)];
    return { ...record.placed(places), words: packer.words };
  });
  return { kind: "blocks", tag, records };
}

/** A process whose parts have sizes but no positions yet. */
interface UnplacedRecord {
  /** Location, priority, locals, then header and area of each channel. */
  readonly sizes: readonly number[];
  placed(places: readonly number[]): RecordLayout;
}

/** Sizes of all parts. */
class Sizes {
  readonly globals: readonly { readonly slot: Slot; readonly bits: number }[];
  readonly channelTypes: readonly ChannelLayout[];
  /** Of a process number plus one. */
  readonly processBits: number;
  /** Planned processes that always exist. */
  readonly permanent: number;
  readonly #program: Program;
  readonly #uses: Uses;
  readonly #ranges: Ranges;
  readonly #leaves: LeafNumbers;

  constructor(program: Program, uses: Uses, { plan, ranges }: Guess) {
    this.#program = program;
    this.#uses = uses;
    this.#ranges = ranges;
    this.#leaves = numberLeaves(program, plan);
    this.processBits = bitsFor(plan?.length ?? program.rules.maxProcesses);
    const immortal = program.instances.findLastIndex(({ template }) => !uses.mortal.has(template));
    this.permanent = immortal + 1;
    this.globals = program.globals.map((v, g) => {
      const isConstant = uses.constantGlobals.has(g);
      const isSet = uses.initialisedGlobals.has(g);
      return shapeOf(stored(v.type, this.#leaves.globals[g]!, ranges, { isConstant, isSet }));
    });
    this.channelTypes = program.channelTypes.map((_, k) => this.#channelLayout(k));
  }

  /** Header and area. */
  channel(type: number): number[] {
    const { headerBits, areaBits } = this.channelTypes[type]!;
    return [headerBits, areaBits];
  }

  /** A process of that template: number `p` of a plan, or any. */
  record(t: number, p: number | undefined): UnplacedRecord {
    const template = this.#program.templates[t]!;
    const leaves = this.#leaves.records[p ?? t]!;
    const locals = template.locals.map((v, k) => {
      const isSet = this.#uses.initialisedLocals[t]!.has(k);
      // Processes of one template may have different initial values.
      // sound: test/compile/narrow.test.ts
      const isConstant = p !== undefined && this.#uses.constantLocals[t]!.has(k);
      return shapeOf(stored(v.type, leaves[k]!, this.#ranges, { isConstant, isSet }));
    });
    const location = this.#location(template, p);
    const priority = this.#program.rules.usesPriorities ? scalar(8) : undefined;
    const channels = channelsOf(template.initialisers);
    const sizes = [
      location.bits,
      priority?.bits ?? 0,
      ...locals.map((l) => l.bits),
      ...channels.flatMap((type) => this.channel(type)),
    ];
    return {
      sizes,
      placed: (places) => ({
        template: t,
        location: at(location, places[0]!),
        priority: priority && at(priority, places[1]!),
        locals: locals.map(({ slot }, k) => at(slot, places[2 + k]!)),
        channels: channels.map((type, i) => placeChannel(type, places, 2 + locals.length + 2 * i)),
        extents: sizes.map((bits, i) => ({ bit: places[i]!, bits })),
      }),
    };
  }

  #location({ locations }: Template, p: number | undefined): ScalarSlot {
    if (p === undefined) {
      const most = Math.max(...this.#program.templates.map((t) => t.locations.length), 1);
      return scalar(bitsFor(most - 1));
    }
    // sound: test/compile/narrow.test.ts
    return p < this.permanent ? scalar(bitsFor(locations.length - 1)) : scalar(bitsFor(locations.length), -1);
  }

  #channelLayout(k: number): ChannelLayout {
    const { capacity, fields } = this.#program.channelTypes[k]!;
    const leaf = this.#leaves.channels[k]!;
    const slots = slotsFor(capacity, this.#ranges[leaf + Leaf.length]?.high ?? capacity);
    const header = new Packer();
    const length = scalar(slots > 0 ? bitsFor(slots) : 0);
    const claim = this.#uses.hasClaims
      ? storedScalar(number(bitsFor(this.#program.rules.maxProcesses)), leaf + Leaf.claims, this.#ranges, {})
      : undefined;
    const [lengthAt, receiverAt, senderAt] = [length.bits, claim?.bits ?? 0, claim?.bits ?? 0].map((bits) =>
      header.add(bits),
    );
    const message = new Packer();
    const kept = fields.map((f, i) => storedScalar(f, leaf + Leaf.fields + i, this.#ranges, { isSet: true }));
    const places = message.addAll(kept.map((f) => f.bits));
    const { stride, perWord, bits } = seriesOf(message.bits, slots);
    return {
      capacity,
      slots,
      // sound: test/compile/narrow.test.ts
      narrowedLeaf: slots < capacity ? leaf + Leaf.length : undefined,
      headerBits: header.bits,
      areaBits: bits,
      length: at(length, lengthAt!),
      receiver: claim && at(claim, receiverAt!),
      sender: claim && at(claim, senderAt!),
      series: { stride, perWord },
      fields: kept.map((f, i) => at(f, places[i]!)),
    };
  }
}

/** A channel seen more than half full may be full somewhere; restarting the search would cost more than a few bits. */
function slotsFor(capacity: number, seen: number): number {
  return 2 * seen > capacity ? capacity : seen;
}

function placeChannel(channelType: number, places: readonly number[], first: number): ChannelPlace {
  return { channelType, header: places[first]!, area: places[first + 1]! };
}

/** The types of the created channels, in order. */
const channelsOf = (initialisers: readonly Initialiser[]): number[] =>
  initialisers.flatMap((i) => (i.kind === "channel" ? [i.channelType] : []));

/** The stored form of a type whose first leaf is `leaf`. */
function stored(type: Type, leaf: number, ranges: Ranges, habits: Habits): StoredType {
  switch (type.kind) {
    case "scalar":
      return storedScalar(type, leaf, ranges, habits);
    case "array":
      return { kind: "array", element: stored(type.element, leaf, ranges, habits), length: type.length };
    case "record": {
      let next = leaf;
      const fields = type.fields.map((f) => {
        const field = stored(f.type, next, ranges, habits);
        next += leafCount(f.type);
        return field;
      });
      return { kind: "record", fields };
    }
  }
}

function storedScalar(type: ScalarType, leaf: number, ranges: Ranges, habits: Habits): ScalarSlot {
  const narrow = storageFor(type, ranges[leaf], habits);
  const { bits, signed, base } = narrow ?? { bits: type.bits, signed: type.signed, base: 0 };
  const declared = { bits: type.bits, signed: type.signed };
  // sound: test/compile/narrow.test.ts
  return { kind: "scalar", bit: 0, bits, signed, base, declared, narrowedLeaf: narrow ? leaf : undefined };
}

const number = (bits: number): ScalarType => ({
  kind: "scalar",
  bits,
  signed: false,
  display: { kind: "number" },
});
