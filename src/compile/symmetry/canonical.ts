/**
 * Representatives of settled states.
 *
 * The elements of a set are sorted by what a state says about each: its own parts, and the parts that name it. Elements that look alike are
 * told apart by what they are related to, until that gives nothing new (colour refinement). If some still look alike, one after the
 * other is set apart, and the least state that comes out is the representative. Of elements that can change places without
 * changing the state, one is tried.
 *
 * Always true: the representative is the state itself with its elements renamed. Whatever decides between renamings depends on
 * families, ranks and data alone, never on names; so equivalent states have the same representative, unless the form is `normal`.
 */
import type { Program, Words } from "../../model/index.js";
import { creates, creatorsOf, dies, edgesIn } from "../../model/program-walk.js";
import type { ProcessSymmetry } from "../../model/symmetry.js";
import type { Layout, ScalarSlot } from "../layout.js";
import { offsetsOf } from "./families.js";
import { Parts, type NameTable, type Part } from "./parts.js";

export class Canonicaliser {
  readonly #settled: Settled;
  readonly #isCanonical: boolean;
  readonly #sets: readonly number[];
  readonly #offsets: readonly number[];
  /** By element, the first of its set. */
  readonly #offsetOf: readonly number[];
  readonly #count: number;
  // By part: where it stands, and what it belongs to.
  readonly #parts: readonly Part[];
  readonly #elements: readonly (readonly number[])[];
  readonly #strides: readonly (readonly number[])[];
  readonly #bases: Int32Array;
  // By name.
  readonly #slots: readonly Int32Array[];
  readonly #values: readonly ReadonlyMap<number, number>[];
  readonly #nameElements: readonly (readonly number[])[];
  readonly #nameStrides: readonly (readonly number[])[];
  readonly #nameBases: Int32Array;
  // Of the state in hand: the value of each part, and the slot of what it names or -1.
  readonly #raw: Int32Array;
  readonly #named: Int32Array;
  /** Parts that relate elements to each other. */
  readonly #relations: number[] = [];
  /** What the state says about each element alone. */
  readonly #own: Int32Array;
  readonly #looks: Int32Array;
  readonly #image: Int32Array;
  readonly #best: Int32Array;
  #hasBest = false;

  constructor(program: Program, layout: Layout, symmetry: ProcessSymmetry) {
    const { parts, families, names, nameFamilies, blocks } = new Parts(program, layout, symmetry);
    this.#settled = new Settled(program, layout, symmetry, blocks);
    this.#isCanonical = symmetry.form === "canonical";
    this.#sets = symmetry.sets;
    this.#offsets = offsetsOf(symmetry.sets);
    this.#offsetOf = symmetry.sets.flatMap((size, set) =>
      Array.from({ length: size }, () => this.#offsets[set]!),
    );
    this.#count = this.#offsetOf.length;
    this.#parts = parts;
    this.#elements = families.elements;
    this.#strides = families.strides;
    this.#bases = Int32Array.from(families.bases);
    this.#slots = names.map(slotsByValue);
    this.#values = names.map(({ values }) => values);
    this.#nameElements = nameFamilies.elements;
    this.#nameStrides = nameFamilies.strides;
    this.#nameBases = Int32Array.from(nameFamilies.bases);
    this.#raw = new Int32Array(parts.length);
    this.#named = new Int32Array(parts.length);
    this.#image = new Int32Array(parts.length);
    this.#best = new Int32Array(parts.length);
    this.#own = new Int32Array(this.#count);
    this.#looks = new Int32Array(this.#count);
  }

  /** Puts the representative in the place of a state of `width` words. One that is not settled stays as it is. */
  canonicalise(words: Words, at: number, width: number): void {
    if (!this.#settled.holds(words, at, width)) return; // sound: test/compile/symmetry/canonical.test.ts
    this.#read(words, at);
    this.#hasBest = false;
    const ranks = new Int32Array(this.#count);
    this.#sets.forEach((size, set) => {
      ranks.fill(this.#offsets[set]!, this.#offsets[set], this.#offsets[set]! + size);
    });
    this.#search(ranks);
    this.#write(words, at);
  }

  /** Words of a settled state. */
  get width(): number {
    return this.#settled.width;
  }

  isSettled(words: Words, at: number, width: number): boolean {
    return this.#settled.holds(words, at, width);
  }

  #read(words: Words, at: number): void {
    this.#relations.length = 0;
    this.#own.fill(0);
    for (let part = 0; part < this.#parts.length; part++) {
      const { bit, bits, names, message } = this.#parts[part]!;
      const value = bitsAt(words, at, bit, bits);
      this.#raw[part] = value;
      // sound: test/compile/symmetry/canonical.test.ts
      const isThere = message === undefined || message.place < bitsAt(words, at, message.bit, message.bits);
      const table = names < 0 || !isThere ? undefined : this.#slots[names]!;
      const named = table && value >= 0 && value < table.length ? table[value]! : -1;
      this.#named[part] = named;
      this.#note(part, value, named);
    }
  }

  /** Counts a part towards the looks of its only element, or keeps it as a relation. */
  #note(part: number, value: number, named: number): void {
    const elements = this.#elements[part]!;
    const others = named < 0 ? NONE : this.#nameElements[named]!;
    if (elements.length + others.length > 1) this.#relations.push(part);
    else if (elements.length === 1) this.#own[elements[0]!]! += mixed(mixed(this.#bases[part]!, 1), value);
    else if (others.length === 1)
      this.#own[others[0]!]! += mixed(mixed(this.#bases[part]!, 2), this.#nameBases[named]!);
  }

  // ---- which renaming ----

  /** Tries every renaming that refinement of `ranks` leaves open. */
  #search(ranks: Int32Array): void {
    const cell = this.#refined(ranks);
    if (cell < 0) return this.#compare(ranks);
    const tried: number[] = [];
    for (let element = 0; element < this.#count; element++) {
      if (ranks[element] !== cell) continue;
      // sound: test/compile/symmetry/canonical.test.ts
      if (tried.some((other) => this.#canSwap(element, other))) continue;
      tried.push(element);
      const next = ranks.slice();
      for (let other = 0; other < this.#count; other++)
        if (other !== element && ranks[other] === cell) next[other] = cell + 1;
      this.#search(next);
      if (!this.#isCanonical) return;
    }
  }

  /** Ranks elements by their looks until that tells no more of them apart. The first rank that several share, or -1. */
  #refined(ranks: Int32Array): number {
    for (let cells = 0; ;) {
      this.#look(ranks);
      this.#sets.forEach((size, set) => this.#rank(ranks, this.#offsets[set]!, size));
      const found = new Set(ranks).size;
      if (found === this.#count) return -1;
      if (found === cells || this.#relations.length === 0) return this.#firstShared(ranks);
      cells = found;
    }
  }

  #firstShared(ranks: Int32Array): number {
    const seen = new Set<number>();
    let first = Infinity;
    for (const rank of ranks) {
      if (seen.has(rank)) first = Math.min(first, rank);
      seen.add(rank);
    }
    return first;
  }

  /** What the state says about each element, given the ranks of those that it is related to. */
  #look(ranks: Int32Array): void {
    this.#looks.set(this.#own);
    for (const part of this.#relations) {
      const elements = this.#elements[part]!;
      const named = this.#named[part]!;
      const others = named < 0 ? NONE : this.#nameElements[named]!;
      const what = mixed(this.#bases[part]!, named < 0 ? this.#raw[part]! : ~this.#nameBases[named]!);
      for (let role = 0; role < elements.length + others.length; role++) {
        const self = role < elements.length ? elements[role]! : others[role - elements.length]!;
        let look = mixed(what, role);
        for (const e of elements) look = mixed(look, e === self ? -1 : ranks[e]!);
        for (const e of others) look = mixed(look, e === self ? -1 : ranks[e]!);
        this.#looks[self]! += look;
      }
    }
  }

  /** Elements of one set, by rank and then by looks; those that are alike share the rank of the first. */
  #rank(ranks: Int32Array, offset: number, size: number): void {
    const order = Array.from({ length: size }, (_, i) => offset + i);
    const looks = this.#looks;
    order.sort((a, b) => ranks[a]! - ranks[b]! || looks[a]! - looks[b]!);
    const before = ranks.slice(offset, offset + size);
    let rank = offset;
    order.forEach((element, i) => {
      const last = order[i - 1];
      const isAlike =
        last !== undefined &&
        before[last - offset] === before[element - offset] &&
        looks[last] === looks[element];
      if (!isAlike) rank = offset + i;
      ranks[element] = rank;
    });
  }

  /** Is the state the same with these two elements exchanged? */
  #canSwap(a: number, b: number): boolean {
    const ranks = new Int32Array(this.#count);
    for (let e = 0; e < this.#count; e++) ranks[e] = e === a ? b : e === b ? a : e;
    this.#rename(ranks);
    return this.#raw.every((value, part) => value === this.#image[part]);
  }

  /** Keeps the renamed state if it is the least so far. */
  #compare(ranks: Int32Array): void {
    this.#rename(ranks);
    if (this.#hasBest && !isLess(this.#image, this.#best)) return;
    this.#best.set(this.#image);
    this.#hasBest = true;
  }

  /** The state in which each element has the name `ranks` gives it. */
  #rename(ranks: Int32Array): void {
    for (let part = 0; part < this.#parts.length; part++) {
      const named = this.#named[part]!;
      const value = named < 0 ? this.#raw[part]! : this.#renamed(part, named, ranks);
      const slot = this.#moved(this.#bases[part]!, this.#elements[part]!, this.#strides[part]!, ranks);
      this.#image[slot] = value;
    }
  }

  #renamed(part: number, named: number, ranks: Int32Array): number {
    const { names } = this.#parts[part]!;
    const base = this.#nameBases[named]!;
    const slot = this.#moved(base, this.#nameElements[named]!, this.#nameStrides[named]!, ranks);
    return this.#values[names]!.get(slot)!;
  }

  #moved(base: number, elements: readonly number[], strides: readonly number[], ranks: Int32Array): number {
    let slot = base;
    for (let i = 0; i < elements.length; i++)
      slot += (ranks[elements[i]!]! - this.#offsetOf[elements[i]!]!) * strides[i]!;
    return slot;
  }

  #write(words: Words, at: number): void {
    for (let part = 0; part < this.#parts.length; part++) {
      if (this.#raw[part] === this.#best[part]) continue;
      const { bit, bits } = this.#parts[part]!;
      const mask = (bits === 32 ? -1 : (1 << bits) - 1) << (bit & 31);
      const word = at + (bit >> 5);
      words[word] = (words[word]! & ~mask) | ((this.#best[part]! << (bit & 31)) & mask);
    }
  }
}

/** Are all processes there, and can none create another? */
class Settled {
  readonly #processes: readonly number[];
  readonly #blocks: readonly number[];
  readonly #tag: ScalarSlot | undefined;
  readonly #locations: readonly ScalarSlot[];
  /** By process, the locations at which it can create others. */
  readonly #creators: readonly (readonly boolean[])[];
  readonly #isAlways: boolean;

  constructor(program: Program, { processes }: Layout, symmetry: ProcessSymmetry, blocks: readonly number[]) {
    this.#processes = symmetry.processes;
    this.#blocks = blocks;
    this.#tag = processes.kind === "blocks" ? processes.tag : undefined;
    this.#locations = symmetry.processes.map((t) => processes.records[t]!.location);
    const creators = program.templates.map(creatorsOf);
    this.#creators = symmetry.processes.map((t) => creators[t]!);
    // sound: test/compile/symmetry/canonical.test.ts
    this.#isAlways = ![...edgesIn(program)].some((edge) => creates(edge) || dies(edge));
  }

  get width(): number {
    return this.#blocks.at(-1)!;
  }

  holds(words: Words, at: number, width: number): boolean {
    const tag = this.#tag;
    const end = this.width;
    if (this.#isAlways && tag) return true;
    if (!tag || width < end) return false;
    // sound: test/compile/symmetry/canonical.test.ts
    if (width > end && bitsAt(words, at + end, tag.bit, tag.bits) !== 0) return false;
    return this.#processes.every((template, p) => {
      const block = at + this.#blocks[p]!;
      const { bit, bits } = this.#locations[p]!;
      // sound: test/compile/symmetry/canonical.test.ts
      return (
        bitsAt(words, block, tag.bit, tag.bits) === template + 1 &&
        !this.#creators[p]![bitsAt(words, block, bit, bits)]
      );
    });
  }
}

const NONE: readonly number[] = [];

/** By value the slot of what it names, or -1. */
function slotsByValue({ slots }: NameTable): Int32Array {
  const table = new Int32Array(Math.max(-1, ...slots.keys()) + 1).fill(-1);
  for (const [value, slot] of slots) table[value] = slot;
  return table;
}

/** Unsigned, as all values are here: those that name something are not negative. */
function bitsAt(words: Words, at: number, bit: number, bits: number): number {
  const found = words[at + (bit >> 5)]! >>> (bit & 31);
  return bits === 32 ? found | 0 : found & ((1 << bits) - 1);
}

function isLess(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}

function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ Math.imul(value, 0x85ebca6b) ^ 0x2c1b3c6d, 0x9e3779b1);
  return product ^ (product >>> 15);
}
