import { nth } from "../../model/known.js";
/**
 * Counters of an abstract state: messages of a kind in a channel, instances of a spawned principal at a location. Cells are created
 * on demand; words beyond the length of a state are zero.
 *
 * A cell counts exactly up to `k`. In an over-approximation `k + 1` means any number, which decrements do not change; in an
 * under-approximation further increments are lost.
 */
export type Cell =
  | { readonly kind: "message"; readonly channel: number; readonly message: number; readonly class: number }
  | {
      readonly kind: "instance";
      readonly principal: number;
      readonly location: number;
      readonly values: readonly number[];
    };

export type Direction = "over" | "under";

export class Cells {
  /** Words per state. */
  width: number;
  readonly #first: number;
  readonly #k: number;
  readonly #direction: Direction;
  readonly #cells: Cell[] = [];
  readonly #slots = new Map<string, number>();
  readonly #byChannel = new Map<number, number[]>();
  readonly #instances: number[] = [];

  constructor(first: number, k: number, direction: Direction) {
    this.width = this.#first = first;
    this.#k = k;
    this.#direction = direction;
  }

  at(slot: number): Cell {
    return nth(this.#cells, slot - this.#first);
  }

  slots(): readonly number[] {
    return this.#cells.map((_, index) => this.#first + index);
  }

  /** Cells of the channel's messages. */
  inChannel(channel: number): readonly number[] {
    return this.#byChannel.get(channel) ?? NONE;
  }

  ofInstances(): readonly number[] {
    return this.#instances;
  }

  slotOfMessage(channel: number, message: number, provenanceClass: number): number {
    const key = `${channel},${message},${provenanceClass}`;
    return (
      this.#slots.get(key) ?? this.#add(key, { kind: "message", channel, message, class: provenanceClass })
    );
  }

  slotOfInstance(principal: number, location: number, values: readonly number[]): number {
    const key = `${principal}@${location}:${values.join()}`;
    return (
      this.#slots.get(key) ?? this.#add(key, { kind: "instance", principal, location, values: [...values] })
    );
  }

  /** The words with the cell incremented. */
  increased(words: Int32Array, slot: number): Int32Array {
    const grown = new Int32Array(Math.max(words.length, this.width));
    grown.set(words);
    const most = this.#direction === "over" ? this.#k + 1 : this.#k; // sound: test/transforms/counting/conditions.test.ts
    grown[slot] = Math.min(most, (words[slot] ?? 0) + 1);
    return grown;
  }

  /** The words with the cell, which is not zero, decremented. */
  decreased(words: Int32Array, slot: number): Int32Array {
    const copy = words.slice();
    if (!this.isUnbounded(words[slot]!)) copy[slot]!--; // sound: test/transforms/counting/conditions.test.ts
    return copy;
  }

  isUnbounded(count: number): boolean {
    return count > this.#k; // sound: test/transforms/counting/conditions.test.ts
  }

  #add(key: string, cell: Cell): number {
    const slot = this.#first + this.#cells.push(cell) - 1;
    this.#slots.set(key, slot);
    // sound: test/transforms/counting/conditions.test.ts
    if (cell.kind === "instance") this.#instances.push(slot);
    else this.#byChannel.set(cell.channel, [...this.inChannel(cell.channel), slot]);
    // Grows in blocks, so that states seldom widen.
    if (slot >= this.width) this.width += BLOCK; // sound: test/transforms/counting/conditions.test.ts
    return slot;
  }
}

const BLOCK = 8;
const NONE: readonly number[] = [];
