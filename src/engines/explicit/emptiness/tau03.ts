/**
 * `tau03` (Tauriainen 2003): generalised nested depth-first search. When a state is left, its arcs are traversed once more,
 * and inner searches carry the marks seen so far to all states behind them. A state that has received all marks when it is
 * left is on an accepting cycle. For at least one condition.
 *
 * A state's note holds the marks it has received, and `VISITED`.
 */
import { NestedSearch } from "./nested-search.js";

export class Tau03 extends NestedSearch {
  /** Is the topmost state gone through for the second time? */
  #isSecondTime = false;
  /** Marks carried by the current inner search. */
  #carried = 0;

  protected take(target: number, marks: number): boolean {
    if (this.#isSecondTime) this.#carry(target, marks | this.notes[this.blue.top]!);
    else if (!this.hasVisited(target)) return this.descend(target, marks);
    return true;
  }

  #carry(target: number, marks: number): void {
    const received = this.notes[target] ?? 0;
    // sound: test/engines/emptiness/answers.test.ts
    if (received === 0 || (marks & ~received) === 0) return;
    this.#carried = marks;
    this.enterRedAs(received | marks, target, marks);
  }

  protected takeRed(target: number, marks: number): boolean {
    const received = this.notes[target] ?? 0;
    // sound: test/engines/emptiness/answers.test.ts
    if (received !== 0 && (this.#carried & ~received) !== 0)
      this.enterRedAs(received | this.#carried, target, marks);
    return true;
  }

  protected enter(state: number, entry: number): void {
    this.enterAs(VISITED, state, entry);
  }

  protected leave(): boolean {
    const { blue } = this;
    if (!this.#isSecondTime) {
      this.#isSecondTime = true;
      blue.rewind();
      return true;
    }
    // sound: test/engines/emptiness/answers.test.ts
    if (this.notes[blue.top] === (this.full | VISITED)) return this.finish("accepting");
    this.#isSecondTime = false;
    blue.pop();
    return blue.height > 0 || this.finish("empty");
  }
}

/** Beside the marks, which are the lower 31 bits. */
const VISITED = 1 << 31;
