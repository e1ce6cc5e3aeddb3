/**
 * Where everything stands in a state of a compiled `Program`.
 *
 * ```text
 * words 0 … compareFrom-1   hidden globals: carried along, not compared
 * then                      control fields (who holds the atomic token, who moved last), globals
 * then                      the channels created by global initialisers, in order
 * then                      one block a live process, oldest first:
 *                             its record (template + 1, location, priority, locals),
 *                             then the channels its template creates
 * ```
 *
 * A block's size depends on its template alone, processes are removed youngest first, and a record's first
 * word is never zero: so zero words mean "no process here", and a state is canonical.
 * No scalar straddles a word. Elements of arrays are padded to a power of two so that an index is a shift.
 *
 * Channels are numbered from 1 in order of creation, as in Spin; 0 is no channel.
 */
import type { Initialiser, Program, ScalarType, Template, Type } from "../model/index.js";
import { Leaf, leafCount, numberLeaves, storageFor, type Ranges } from "./ranges.js";

/** Bits `bit … bit+bits-1` counted from the start of the record; never across a word. */
export interface ScalarSlot {
  readonly kind: "scalar";
  readonly bit: number;
  /** May be 0: then the value is always `base`. */
  readonly bits: number;
  readonly signed: boolean;
  /** The value is what is stored plus this. */
  readonly base: number;
  /** What an assignment truncates to. */
  readonly declared: { readonly bits: number; readonly signed: boolean };
  /** Narrower than declared: a store must be checked (`ranges.ts`). Undefined: everything declared fits. */
  readonly narrowedLeaf: number | undefined;
}

export interface ArraySlot {
  readonly kind: "array";
  readonly bit: number;
  /** Distance between elements: a power of two up to 32, or a multiple of 32. */
  readonly stride: number;
  readonly length: number;
  /** Relative to the element. */
  readonly element: Slot;
}

export interface RecordSlot {
  readonly kind: "record";
  readonly bit: number;
  /** Relative to the record. */
  readonly fields: readonly Slot[];
}

export type Slot = ScalarSlot | ArraySlot | RecordSlot;

export interface ChannelLayout {
  readonly words: number;
  readonly capacity: number;
  /** Messages there is room for: fewer than the capacity when more were never seen; then a send must check (`ranges.ts`). */
  readonly slots: number;
  readonly narrowedLeaf: number | undefined;
  readonly length: ScalarSlot;
  /** Process number + 1 of the one process that may receive (send), 0 for any; absent without such claims. */
  readonly receiver: ScalarSlot | undefined;
  readonly sender: ScalarSlot | undefined;
  /** Slot `i` stands at bit `firstBit + i * stride`; unused slots are zero. */
  readonly firstBit: number;
  readonly stride: number;
  /** Relative to the slot. */
  readonly fields: readonly ScalarSlot[];
}

export interface TemplateLayout {
  /** Words of the record alone. */
  readonly recordWords: number;
  /** Words of the record and the channels behind it. */
  readonly blockWords: number;
  readonly locals: readonly Slot[];
  readonly priority: ScalarSlot | undefined;
  /** The channels that creation makes, in order: their type and first word, relative to the block. */
  readonly channels: readonly { readonly channelType: number; readonly word: number }[];
}

export interface Layout {
  readonly compareFrom: number;
  /** Words before the first process block. */
  readonly fixedWords: number;
  /** In the first word of every record. */
  readonly template: ScalarSlot;
  readonly location: ScalarSlot;
  /** Process number + 1 of the owner of the atomic token; absent when the program has no atomic sequence. */
  readonly exclusive: ScalarSlot | undefined;
  /** Process that moved last, when the program asks. */
  readonly last: ScalarSlot | undefined;
  /** Relative to the state's first word. */
  readonly globals: readonly Slot[];
  readonly channelTypes: readonly ChannelLayout[];
  readonly globalChannels: readonly { readonly channelType: number; readonly word: number }[];
  readonly templates: readonly TemplateLayout[];
}

/** Without `ranges` every scalar has its declared width. */
export function layOut(program: Program, uses: Uses, ranges: Ranges = []): Layout {
  const leaves = numberLeaves(program);
  const processBits = bitsFor(program.rules.maxProcesses);
  const channelTypes = program.channelTypes.map((type, k) => {
    const leaf = leaves.channels[k]!;
    const fields = type.fields.map((f, i) => storedScalar(f, leaf + Leaf.fields + i, ranges, false));
    const slots = Math.min(type.capacity, ranges[leaf + Leaf.length]?.high ?? type.capacity);
    const narrowedLeaf = slots < type.capacity ? leaf + Leaf.length : undefined;
    const claims = uses.hasClaims
      ? storedScalar(number(processBits), leaf + Leaf.claims, ranges, false)
      : undefined;
    return channelLayout(type.capacity, { slots, narrowedLeaf, fields }, claims);
  });
  const globals = program.globals.map((v, g) => ({
    hidden: v.hidden,
    type: stored(v.type, leaves.globals[g]!, ranges, uses.constantGlobals.has(g)),
  }));
  const hidden = new Packer();
  const shown = new Packer();
  const slots: Slot[] = new Array<Slot>(globals.length);
  place(globals, (v) => v.hidden, hidden, slots);
  const compareFrom = hidden.words;
  shown.skipWords(compareFrom);
  const exclusive = uses.hasAtomic ? shown.scalar(processBits) : undefined;
  const last = uses.hasLast ? shown.scalar(processBits) : undefined;
  place(globals, (v) => !v.hidden, shown, slots);
  const globalChannels = channelsOf(program.initialisers, channelTypes, shown.words);
  const template = scalar(0, bitsFor(program.templates.length));
  const location = scalar(
    template.bits,
    bitsFor(Math.max(...program.templates.map((t) => t.locations.length), 1)),
  );
  return {
    compareFrom,
    fixedWords: globalChannels.end,
    template,
    location,
    exclusive,
    last,
    globals: slots,
    channelTypes,
    globalChannels: globalChannels.channels,
    templates: program.templates.map((t, i) => {
      const locals = t.locals.map((v, k) => ({ type: stored(v.type, leaves.locals[i]![k]!, ranges, false) }));
      return templateLayout(
        t,
        locals,
        channelTypes,
        template.bits + location.bits,
        program.rules.usesPriorities,
      );
    }),
  };
}

/** What the layout must make room for. */
export interface Uses {
  readonly hasAtomic: boolean;
  readonly hasLast: boolean;
  readonly hasClaims: boolean;
  readonly constantGlobals: ReadonlySet<number>;
}

/** Bits that hold 0 … `max`. */
export function bitsFor(max: number): number {
  return Math.max(1, 32 - Math.clz32(max));
}

function templateLayout(
  template: Template,
  variables: readonly { readonly type: StoredType }[],
  channelTypes: readonly ChannelLayout[],
  headerBits: number,
  hasPriority: boolean,
): TemplateLayout {
  if (headerBits > 32) throw new Error("too many templates or locations for one header word");
  const packer = new Packer();
  packer.scalar(headerBits);
  const priority = hasPriority ? packer.scalar(8) : undefined;
  const locals: Slot[] = new Array<Slot>(variables.length);
  place(variables, () => true, packer, locals);
  const { channels, end } = channelsOf(template.initialisers, channelTypes, packer.words);
  return { recordWords: packer.words, blockWords: end, locals, priority, channels };
}

function channelsOf(initialisers: readonly Initialiser[], types: readonly ChannelLayout[], from: number) {
  const channels: { channelType: number; word: number }[] = [];
  let end = from;
  for (const init of initialisers) {
    if (init.kind !== "channel") continue;
    channels.push({ channelType: init.channelType, word: end });
    end += types[init.channelType]!.words;
  }
  return { channels, end };
}

function channelLayout(
  capacity: number,
  stored: {
    readonly slots: number;
    readonly narrowedLeaf: number | undefined;
    readonly fields: readonly ScalarSlot[];
  },
  claim: ScalarSlot | undefined,
): ChannelLayout {
  const { slots, narrowedLeaf } = stored;
  const header = new Packer();
  const length = capacity > 0 ? header.scalar(bitsFor(slots)) : scalar(0, 0);
  const receiver = claim && at(claim, header.scalar(claim.bits).bit);
  const sender = claim && at(claim, header.scalar(claim.bits).bit);
  const message = packInOrder(stored.fields);
  const fits = header.bits + slots * message.bits <= 32;
  const stride = fits ? message.bits : padded(message.bits);
  const firstBit = fits ? header.bits : Math.ceil(header.bits / stride) * stride;
  const bits = slots > 0 ? firstBit + slots * stride : header.bits;
  const words = Math.ceil(bits / 32);
  return {
    words,
    capacity,
    slots,
    narrowedLeaf,
    length,
    receiver,
    sender,
    fields: message.fields,
    firstBit,
    stride,
  };
}

/** Message fields one after the other, none across a word. */
function packInOrder(fields: readonly ScalarSlot[]): { fields: ScalarSlot[]; bits: number } {
  let bits = 0;
  const placed = fields.map((field) => {
    if ((bits & 31) + field.bits > 32) bits = (bits + 31) & ~31;
    const slot = at(field, bits);
    bits += field.bits;
    return slot;
  });
  return { fields: placed, bits };
}

/** A type with how each scalar is kept. */
type StoredType =
  | ScalarSlot
  | { readonly kind: "array"; readonly element: StoredType; readonly length: number }
  | { readonly kind: "record"; readonly fields: readonly { readonly type: StoredType }[] };

/** The stored form of a type whose first leaf is `leaf`. */
function stored(type: Type, leaf: number, ranges: Ranges, isConstant: boolean): StoredType {
  switch (type.kind) {
    case "scalar":
      return storedScalar(type, leaf, ranges, isConstant);
    case "array":
      return { kind: "array", element: stored(type.element, leaf, ranges, isConstant), length: type.length };
    case "record": {
      let next = leaf;
      const fields = type.fields.map((f) => {
        const field = { type: stored(f.type, next, ranges, isConstant) };
        next += leafCount(f.type);
        return field;
      });
      return { kind: "record", fields };
    }
  }
}

function storedScalar(type: ScalarType, leaf: number, ranges: Ranges, isConstant: boolean): ScalarSlot {
  const narrow = storageFor(type, ranges[leaf], isConstant);
  const { bits, signed, base } = narrow ?? { bits: type.bits, signed: type.signed, base: 0 };
  const declared = { bits: type.bits, signed: type.signed };
  return { kind: "scalar", bit: 0, bits, signed, base, declared, narrowedLeaf: narrow ? leaf : undefined };
}

const number = (bits: number): ScalarType => ({
  kind: "scalar",
  bits,
  signed: false,
  display: { kind: "number" },
});

/** A control field: never narrowed. */
const scalar = (bit: number, bits: number): ScalarSlot => ({
  kind: "scalar",
  bit,
  bits,
  signed: false,
  base: 0,
  declared: { bits, signed: false },
  narrowedLeaf: undefined,
});

/** The next power of two up to a word, whole words above. */
function padded(bits: number): number {
  if (bits === 0) return 0;
  if (bits > 32) return Math.ceil(bits / 32) * 32;
  return bits === 1 ? 1 : 1 << (32 - Math.clz32(bits - 1));
}

/** Largest first, so that small scalars fill the gaps. */
function place<V extends { readonly type: StoredType }>(
  variables: readonly V[],
  isChosen: (v: V) => boolean,
  packer: Packer,
  slots: Slot[],
): void {
  const chosen = variables
    .map((v, index) => ({ index, v, size: sizeOf(v.type) }))
    .filter((c) => isChosen(c.v));
  chosen.sort((a, b) => b.size - a.size || a.index - b.index);
  for (const { index, v } of chosen) slots[index] = packer.add(v.type);
}

function sizeOf(type: StoredType): number {
  return type.kind === "scalar" ? type.bits : new Packer().measure(type);
}

/** Hands out bits of a record, first fit. */
class Packer {
  /** Free bits at the top of each word. */
  readonly #used: number[] = [];

  get words(): number {
    return this.#used.length;
  }

  get bits(): number {
    return this.#used.length === 0 ? 0 : (this.#used.length - 1) * 32 + this.#used[this.#used.length - 1]!;
  }

  skipWords(count: number): void {
    for (let i = 0; i < count; i++) this.#used.push(32);
  }

  scalar(bits: number): ScalarSlot {
    return scalar(this.#take(bits, 1), bits);
  }

  add(type: StoredType): Slot {
    if (type.kind === "scalar") return at(slotOf(type), this.#take(type.bits, 1));
    const size = this.measure(type);
    return at(slotOf(type), size <= 32 ? this.#take(size, size) : this.#wholeWords(size));
  }

  /** Bits of a composite: a power of two up to 32, else whole words. */
  measure(type: StoredType): number {
    switch (type.kind) {
      case "scalar":
        return type.bits;
      case "array":
        return padded(type.length * padded(this.measure(type.element)));
      case "record":
        return padded(recordFields(type.fields).bits);
    }
  }

  #take(bits: number, alignment: number): number {
    if (bits === 0) return 0;
    for (let word = 0; ; word++) {
      if (word === this.#used.length) this.#used.push(0);
      const start = Math.ceil(this.#used[word]! / alignment) * alignment;
      if (start + bits > 32) continue;
      this.#used[word] = start + bits;
      return word * 32 + start;
    }
  }

  #wholeWords(bits: number): number {
    const first = this.#used.length;
    this.skipWords(bits / 32);
    return first * 32;
  }
}

/** The shape of a type, at bit 0. */
function slotOf(type: StoredType): Slot {
  switch (type.kind) {
    case "scalar":
      return type;
    case "array": {
      const stride = padded(new Packer().measure(type.element));
      return { kind: "array", bit: 0, stride, length: type.length, element: slotOf(type.element) };
    }
    case "record":
      return { kind: "record", bit: 0, fields: recordFields(type.fields).slots };
  }
}

function recordFields(fields: readonly { readonly type: StoredType }[]): { slots: Slot[]; bits: number } {
  const packer = new Packer();
  const slots: Slot[] = new Array<Slot>(fields.length);
  place(fields, () => true, packer, slots);
  return { slots, bits: packer.bits };
}

const at = <S extends Slot>(slot: S, bit: number): S => ({ ...slot, bit });
