/**
 * The depth-first stack, flat and in chunks, so that it grows to any depth without being copied.
 *
 *   frames    for each level the words that refer to the state, and how many of its successors are still to be taken.
 *   siblings  those successors, as the store lets states wait, the next one to take on top; each chunk with its own
 *             stride. Always true: the chunk of the top, and every chunk above it, has the current width.
 */
import type { Ledger } from "./ledger.js";
import type { Renewal } from "./loop-code.js";
import { restride } from "./store.js";

export class SearchStack {
  readonly frames: Int32Array[] = [];
  readonly siblings: Int32Array[] = [];
  readonly strides: number[] = [];
  /** Levels in use. */
  height = 0;
  /** Siblings in use. */
  pending = 0;
  /** Levels and siblings that fit before `reserve` has to be called. */
  frameRoom = 0;
  siblingRoom = 0;
  /** Words of a sibling now. */
  width: number;
  /** Words of a level. */
  readonly frameWords: number;
  readonly #ledger: Ledger;

  /** The state on top has no successors. */
  readonly stuck: () => void;

  constructor(refWords: number, width: number, ledger: Ledger, stuck = (): void => undefined) {
    this.stuck = stuck;
    this.frameWords = refWords + 1;
    this.width = width;
    this.#ledger = ledger;
  }

  /** Do all siblings have the current width? */
  get isUniform(): boolean {
    // sound: test/engines/explicit/stack-chunks.test.ts
    return this.strides.every((stride) => stride === this.width);
  }

  push(ref: readonly number[]): void {
    const frame = this.frames[this.height >>> FRAME_BITS]!;
    frame.set([...ref, 0], this.frameWords * (this.height & FRAME_MASK));
    this.height++;
  }

  /** Reference to the state on top. */
  topRef(): Int32Array {
    const at = this.frameWords * ((this.height - 1) & FRAME_MASK);
    return this.frames[(this.height - 1) >>> FRAME_BITS]!.slice(at, at + this.frameWords - 1);
  }

  /** References to the states from the bottom to the top. */
  refs(): Int32Array {
    const words = this.frameWords - 1;
    const refs = new Int32Array(words * this.height);
    for (let i = 0; i < this.height; i++) {
      const at = this.frameWords * (i & FRAME_MASK);
      refs.set(this.frames[i >>> FRAME_BITS]!.subarray(at, at + words), words * i);
    }
    return refs;
  }

  /** Room for one more level and `siblings` more siblings; false when there is no memory for it. */
  reserve(siblings: number): boolean {
    // sound: test/engines/explicit/stack-chunks.test.ts
    while (this.frameRoom <= this.height) {
      const frame = this.#ledger.allocate(this.frameWords << FRAME_BITS);
      if (!frame) return false;
      this.frames.push(frame);
      this.frameRoom += 1 << FRAME_BITS;
    }
    // sound: test/engines/explicit/stack-chunks.test.ts
    while (this.siblingRoom < this.pending + siblings) {
      const chunk = this.#ledger.allocate(this.width << SIBLING_BITS);
      if (!chunk) return false;
      this.siblings.push(chunk);
      this.strides.push(this.width);
      this.siblingRoom += 1 << SIBLING_BITS;
    }
    return true;
  }

  /** Widens siblings to `width` words and renews references to states; false without memory. */
  widen(width: number, renewal: Renewal): boolean {
    this.width = width;
    // sound: test/engines/explicit/stack-chunks.test.ts
    if (renewal === "none") return this.widenTop();
    // sound: test/engines/explicit/stack-chunks.test.ts
    for (let i = 0; i < this.height; i++)
      if (!renewal(this.frames[i >>> FRAME_BITS]!, this.frameWords * (i & FRAME_MASK))) return false;
    // sound: test/engines/explicit/stack-chunks.test.ts
    for (let i = 0; i < this.pending; i++)
      if (!renewal(this.siblings[i >>> SIBLING_BITS]!, width * (i & SIBLING_MASK))) return false;
    return true;
  }

  /** Lays the chunk of the topmost sibling out in the current width, and drops narrower ones above it. */
  widenTop(): boolean {
    const top = Math.max(0, this.pending - 1) >>> SIBLING_BITS;
    // sound: test/engines/explicit/stack-chunks.test.ts
    while (this.siblings.length > top + 1) this.#drop();
    this.siblingRoom = this.siblings.length << SIBLING_BITS;
    const narrow = this.siblings[top];
    // sound: test/engines/explicit/stack-chunks.test.ts
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
