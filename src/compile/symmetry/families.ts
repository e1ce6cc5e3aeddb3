/**
 * Objects that renamings of elements exchange: members of a family differ only in their elements. Each has a slot; a
 * renaming maps the slot of an object to the slot of its image.
 */
export class Families {
  /** By slot. */
  readonly elements: (readonly number[])[] = [];
  readonly strides: (readonly number[])[] = [];
  /** The first slot of the family, common to its members. */
  readonly bases: number[] = [];
  readonly #sets: readonly number[];
  readonly #offsets: readonly number[];
  readonly #families = new Map<string, number>();
  readonly #taken: boolean[] = [];

  /** `sets`: their sizes. Elements are numbered consecutively. */
  constructor(sets: readonly number[]) {
    this.#sets = sets;
    this.#offsets = offsetsOf(sets);
  }

  get size(): number {
    return this.elements.length;
  }

  /** The slot of the family's member with those elements. */
  add(family: string, elements: readonly number[]): number {
    const sets = elements.map((e) => this.#setOf(e));
    const key = `${family}|${sets.join()}`;
    const base = this.#families.get(key) ?? this.#reserve(key, sets);
    const slot = base + elements.reduce((sum, e, i) => sum + this.#within(e) * this.strides[base]![i]!, 0);
    if (this.#taken[slot]) throw new Error(`two things are '${family}'`);
    this.#taken[slot] = true;
    this.elements[slot] = elements;
    return slot;
  }

  /** Throws unless every slot is taken, since a renaming could lead nowhere. */
  check(): void {
    if (this.#taken.includes(false)) throw new Error("a family of exchangeable things is not complete");
  }

  #reserve(key: string, sets: readonly number[]): number {
    const base = this.size;
    const sizes = sets.map((set) => this.#sets[set]!);
    const strides = sizes.map((_, i) => sizes.slice(i + 1).reduce((product, n) => product * n, 1));
    const count = sizes.reduce((product, n) => product * n, 1);
    for (let i = 0; i < count; i++) {
      this.elements.push([]);
      this.#taken.push(false);
      this.strides.push(strides);
      this.bases.push(base);
    }
    this.#families.set(key, base);
    return base;
  }

  #setOf(element: number): number {
    return this.#offsets.findLastIndex((offset) => offset <= element);
  }

  #within(element: number): number {
    return element - this.#offsets[this.#setOf(element)]!;
  }
}

export const offsetsOf = (sets: readonly number[]): number[] =>
  sets.map((_, i) => sets.slice(0, i).reduce((sum, size) => sum + size, 0));
