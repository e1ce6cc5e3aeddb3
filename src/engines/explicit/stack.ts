/**
 * The depth-first stack, flat and in chunks, so that it grows to any depth without being copied.
 *
 *   frames    two words a level: the state's id, and how many of its successors are still to be taken.
 *   siblings  those successors as packed words, the next one to take on top; each chunk with its own
 *             stride. Always true: the chunk of the top, and every chunk above it, has the current width.
 */
import type { Ledger } from "./ledger.js";
import { restride } from "./store.js";

export class SearchStack {
  readonly frames: Int32Array[] = [];
  readonly siblings: Int32Array[] = [];
  readonly strides: number[] = [];
  /** Levels in use. */
  height = 0;
  /** Siblings in use. */
  pending = 0;
  /** As many levels and siblings fit before `reserve` has to be called. */
  frameRoom = 0;
  siblingRoom = 0;
  width: number;
  readonly #ledger: Ledger;

  constructor(width: number, ledger: Ledger) {
    this.width = width;
    this.#ledger = ledger;
  }

  /** Do all siblings have the current width? */
  get isUniform(): boolean {
    return this.strides.every((stride) => stride === this.width);
  }

  push(id: number): void {
    const frame = this.frames[this.height >>> FRAME_BITS]!;
    frame[2 * (this.height & FRAME_MASK)] = id;
    frame[2 * (this.height & FRAME_MASK) + 1] = 0;
    this.height++;
  }

  /** The id of the topmost state. */
  get top(): number {
    return this.frames[(this.height - 1) >>> FRAME_BITS]![2 * ((this.height - 1) & FRAME_MASK)]!;
  }

  /** The ids from the bottom to the top. */
  ids(): Int32Array {
    const ids = new Int32Array(this.height);
    for (let i = 0; i < this.height; i++) ids[i] = this.frames[i >>> FRAME_BITS]![2 * (i & FRAME_MASK)]!;
    return ids;
  }

  /** Room for one more level and `siblings` more siblings; false when there is no memory for it. */
  reserve(siblings: number): boolean {
    while (this.frameRoom <= this.height) {
      const frame = this.#ledger.allocate(2 << FRAME_BITS);
      if (!frame) return false;
      this.frames.push(frame);
      this.frameRoom += 1 << FRAME_BITS;
    }
    while (this.siblingRoom < this.pending + siblings) {
      const chunk = this.#ledger.allocate(this.width << SIBLING_BITS);
      if (!chunk) return false;
      this.siblings.push(chunk);
      this.strides.push(this.width);
      this.siblingRoom += 1 << SIBLING_BITS;
    }
    return true;
  }

  /** From now on siblings have `width` words. */
  widen(width: number): boolean {
    this.width = width;
    return this.widenTop();
  }

  /** Lays the chunk of the topmost sibling out in the current width, and drops narrower ones above it. */
  widenTop(): boolean {
    const top = Math.max(0, this.pending - 1) >>> SIBLING_BITS;
    while (this.siblings.length > top + 1) this.#drop();
    this.siblingRoom = this.siblings.length << SIBLING_BITS;
    const narrow = this.siblings[top];
    if (!narrow || this.strides[top] === this.width) return true;
    const chunk = this.#ledger.allocate(this.width << SIBLING_BITS);
    if (!chunk) return false;
    restride(narrow, this.strides[top]!, chunk, this.width, this.pending - (top << SIBLING_BITS));
    this.#ledger.free(narrow);
    this.siblings[top] = chunk;
    this.strides[top] = this.width;
    return true;
  }

  #drop(): void {
    this.#ledger.free(this.siblings.pop()!);
    this.strides.pop();
  }
}

export const FRAME_BITS = 14;
export const FRAME_MASK = (1 << FRAME_BITS) - 1;
export const SIBLING_BITS = 12;
export const SIBLING_MASK = (1 << SIBLING_BITS) - 1;
