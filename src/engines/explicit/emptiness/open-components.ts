/**
 * The strongly connected components on the stack of Couvreur's algorithm, the topmost last. They are intervals of ranks: a
 * live state belongs to the topmost component whose root's rank is not greater than its own.
 */
import { EMPTY, type Memory } from "./memory.js";

export class OpenComponents {
  readonly #memory: Memory;
  readonly #full: number;
  /** By component: its root's rank, the marks inside, and the marks of the arc that leads there. */
  #roots: Int32Array = EMPTY;
  #inside: Int32Array = EMPTY;
  #entries: Int32Array = EMPTY;
  #count = 0;

  /** `full`: all marks that there are. */
  constructor(memory: Memory, full: number) {
    this.#memory = memory;
    this.#full = full;
  }

  /** The rank of the topmost component's root. */
  get topRoot(): number {
    return this.#roots[this.#count - 1];
  }

  push(root: number, entry: number): void {
    const at = this.#count++;
    if (at === this.#roots.length) {
      this.#roots = this.#memory.grown(this.#roots, at + 1);
      this.#inside = this.#memory.grown(this.#inside, at + 1);
      this.#entries = this.#memory.grown(this.#entries, at + 1);
    }
    this.#roots[at] = root;
    this.#inside[at] = 0;
    this.#entries[at] = entry;
  }

  pop(): void {
    this.#count--;
  }

  /** An arc with these marks leads back to that rank: is the component that it closes accepting? */
  merge(rank: number, marks: number): boolean {
    let top = this.#count - 1;
    let union = marks;
    // sound: test/engines/emptiness/answers.test.ts
    for (; rank < this.#roots[top]; top--) union |= this.#inside[top] | this.#entries[top];
    this.#count = top + 1;
    this.#inside[top] |= union;
    // sound: test/engines/emptiness/answers.test.ts
    return this.#inside[top] === this.#full;
  }
}
