/**
 * Representatives of settled states.
 *
 * Sorts the elements of a set by their parts of the state and the parts that name them, then distinguishes equal ones by
 * related elements until nothing changes (colour refinement). If a class still has several elements, individualises each
 * in turn, and takes the least resulting state. Tries only one of elements that can be swapped without changing the
 * state.
 *
 * Invariant: the representative is the state with its elements renamed. The choice depends only on families, ranks and
 * data, never on names; so equivalent states have the same representative, unless the form is `normal`.
 */
import type { Program, Words } from "../../model/index.js";
import type { ProcessSymmetry } from "../../model/symmetry.js";
import type { Layout } from "../layout.js";
import { offsetsOf } from "./families.js";
import { Parts } from "./parts.js";
import { Settledness } from "./settledness.js";
import { Tables } from "./tables.js";

export class Canonicaliser {
  readonly #settledness: Settledness;
  readonly #tables: Tables;
  readonly #isCanonical: boolean;
  /** Elements of all sets, numbered consecutively. */
  readonly #count: number;
  /** By element, the first of its set. */
  readonly #firstOfSet: Int32Array;
  // Value (in the current state) of each part, and the slot it names or -1.
  readonly #raw: Int32Array;
  readonly #named: Int32Array;
  /** Parts that relate several elements. */
  readonly #relations: number[] = [];
  /** Hashes by element: of its unary parts, and of all its parts. */
  readonly #own: Int32Array;
  readonly #looks: Int32Array;
  /** Elements by rank. */
  readonly #order: Int32Array;
  readonly #swap: Int32Array;
  readonly #image: Int32Array;
  readonly #best: Int32Array;
  #hasBest = false;

  constructor(program: Program, layout: Layout, symmetry: ProcessSymmetry) {
    const parts = new Parts(program, layout, symmetry);
    const offsets = offsetsOf(symmetry.sets);
    this.#settledness = new Settledness(program, layout, symmetry, parts.blocks);
    this.#isCanonical = symmetry.form === "canonical";
    this.#firstOfSet = Int32Array.from(
      symmetry.sets.flatMap((size, set) => Array.from({ length: size }, () => offsets[set]!)),
    );
    this.#tables = new Tables(parts, this.#firstOfSet);
    this.#count = this.#firstOfSet.length;
    const { count } = this.#tables;
    this.#raw = new Int32Array(count);
    this.#named = new Int32Array(count);
    this.#image = new Int32Array(count);
    this.#best = new Int32Array(count);
    this.#own = new Int32Array(this.#count);
    this.#looks = new Int32Array(this.#count);
    this.#order = new Int32Array(this.#count);
    this.#swap = new Int32Array(this.#count);
  }

  /** Words of a settled state. */
  get width(): number {
    return this.#settledness.width;
  }

  isSettled(words: Words, at: number, width: number): boolean {
    return this.#settledness.holds(words, at, width);
  }

  /** Replaces a state of `width` words by its representative; leaves unsettled states unchanged. */
  canonicalise(words: Words, at: number, width: number): void {
    if (!this.isSettled(words, at, width)) return; // sound: test/compile/symmetry/canonical.test.ts
    this.#read(words, at);
    this.#hasBest = false;
    this.#search(this.#firstOfSet.slice());
    for (let part = 0; part < this.#tables.count; part++)
      if (this.#raw[part] !== this.#best[part]) this.#tables.write(words, at, part, this.#best[part]!);
  }

  #read(words: Words, at: number): void {
    this.#relations.length = 0;
    this.#own.fill(0);
    const tables = this.#tables;
    for (let part = 0; part < tables.count; part++) {
      const value = tables.read(words, at, part);
      this.#raw[part] = value;
      this.#named[part] = tables.named(words, at, part, value);
      this.#note(part);
    }
  }

  /** Hashes a part into its only element, or keeps it as a relation. */
  #note(part: number): void {
    const { parts, names } = this.#tables;
    const named = this.#named[part]!;
    const [first, end] = [parts.start[part]!, parts.start[part + 1]!];
    const others = named < 0 ? 0 : names.start[named + 1]! - names.start[named]!;
    if (end - first + others > 1) this.#relations.push(part);
    else if (end > first)
      this.#own[parts.element[first]!]! += mixed(mixed(parts.base[part]!, 1), this.#raw[part]!);
    else if (others > 0)
      this.#own[names.element[names.start[named]!]!]! += mixed(
        mixed(parts.base[part]!, 2),
        names.base[named]!,
      );
  }

  // ---- which renaming ----

  /** Tries every renaming that refinement of `ranks` leaves open. */
  #search(ranks: Int32Array): void {
    const cell = this.#refined(ranks);
    if (cell < 0) return this.#compare(ranks);
    const tried: number[] = [];
    for (let element = 0; element < this.#count; element++) {
      if (ranks[element] !== cell) continue;
      if (tried.some((other) => this.#canSwap(element, other))) continue;
      tried.push(element);
      const next = ranks.slice();
      for (let other = 0; other < this.#count; other++)
        if (other !== element && ranks[other] === cell) next[other] = cell + 1;
      this.#search(next);
      if (!this.#isCanonical) return;
    }
  }

  /** Refines ranks by hashes to a fixed point. Returns the first shared rank, or -1. */
  #refined(ranks: Int32Array): number {
    for (let before = 0; ;) {
      this.#look(ranks);
      const cells = this.#rank(ranks);
      if (cells === this.#count) return -1;
      if (cells === before || this.#relations.length === 0) return this.#firstShared(ranks);
      before = cells;
    }
  }

  #firstShared(ranks: Int32Array): number {
    const order = this.#order;
    for (let i = 1; i < this.#count; i++)
      if (ranks[order[i]!] === ranks[order[i - 1]!]) return ranks[order[i]!]!;
    return -1;
  }

  /** Hashes each element with the ranks of related elements. */
  #look(ranks: Int32Array): void {
    const { parts, names } = this.#tables;
    this.#looks.set(this.#own);
    for (const part of this.#relations) {
      const named = this.#named[part]!;
      const what = mixed(parts.base[part]!, named < 0 ? this.#raw[part]! : ~names.base[named]!);
      this.#lookFrom(parts.element, parts.start[part]!, parts.start[part + 1]!, part, mixed(what, 1), ranks);
      if (named >= 0)
        this.#lookFrom(
          names.element,
          names.start[named]!,
          names.start[named + 1]!,
          part,
          mixed(what, 2),
          ranks,
        );
    }
  }

  /** Hashes a relation into its elements `from … to - 1`. */
  #lookFrom(
    elements: Int32Array,
    from: number,
    to: number,
    part: number,
    what: number,
    ranks: Int32Array,
  ): void {
    for (let i = from; i < to; i++)
      this.#looks[elements[i]!]! += this.#related(elements[i]!, part, mixed(what, i - from), ranks);
  }

  /** Hash of a relation from one element's view: the others by rank. */
  #related(self: number, part: number, what: number, ranks: Int32Array): number {
    const { parts, names } = this.#tables;
    const named = this.#named[part]!;
    let look = what;
    for (let i = parts.start[part]!; i < parts.start[part + 1]!; i++)
      look = mixed(look, parts.element[i] === self ? -1 : ranks[parts.element[i]!]!);
    if (named >= 0)
      for (let i = names.start[named]!; i < names.start[named + 1]!; i++)
        look = mixed(look, names.element[i] === self ? -1 : ranks[names.element[i]!]!);
    return look;
  }

  /** Sorts elements by rank, then hash; equal ones share the rank of the first. Returns the number of ranks. */
  #rank(ranks: Int32Array): number {
    const order = this.#order;
    for (let i = 0; i < this.#count; i++) {
      let at = i;
      for (; at > 0 && this.#precedes(i, order[at - 1]!, ranks); at--) order[at] = order[at - 1]!;
      order[at] = i;
    }
    // Backwards, so that the previous ranks remain comparable.
    let cells = 0;
    for (let i = this.#count - 1; i >= 0; i--) {
      let first = i;
      while (first > 0 && this.#isAlike(order[first - 1]!, order[i]!, ranks)) first--;
      for (let k = first; k <= i; k++) this.#swap[order[k]!] = first;
      cells++;
      i = first;
    }
    ranks.set(this.#swap);
    return cells;
  }

  #precedes(a: number, b: number, ranks: Int32Array): boolean {
    return ranks[a] === ranks[b] ? this.#looks[a]! < this.#looks[b]! : ranks[a]! < ranks[b]!;
  }

  #isAlike(a: number, b: number, ranks: Int32Array): boolean {
    return ranks[a] === ranks[b] && this.#looks[a] === this.#looks[b];
  }

  /** Does swapping the two elements leave the state unchanged? */
  #canSwap(a: number, b: number): boolean {
    const ranks = this.#swap;
    for (let e = 0; e < this.#count; e++) ranks[e] = e;
    ranks[a] = b;
    ranks[b] = a;
    for (let part = 0; part < this.#tables.count; part++)
      if (this.#raw[this.#tables.parts.moved(part, ranks)] !== this.#renamed(part, ranks)) return false;
    return true;
  }

  /** Keeps the renamed state if it is the least so far. */
  #compare(ranks: Int32Array): void {
    const image = this.#hasBest ? this.#image : this.#best;
    for (let part = 0; part < this.#tables.count; part++)
      image[this.#tables.parts.moved(part, ranks)] = this.#renamed(part, ranks);
    if (this.#hasBest && isLess(image, this.#best)) this.#best.set(image);
    this.#hasBest = true;
  }

  /** The value of a part after renaming elements by `ranks`. */
  #renamed(part: number, ranks: Int32Array): number {
    const named = this.#named[part]!;
    return named < 0 ? this.#raw[part]! : this.#tables.values[this.#tables.names.moved(named, ranks)]!;
  }
}

function isLess(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}

function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ Math.imul(value, 0x85ebca6b) ^ 0x2c1b3c6d, 0x9e3779b1);
  return product ^ (product >>> 15);
}
