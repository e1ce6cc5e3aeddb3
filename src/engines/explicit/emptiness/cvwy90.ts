/**
 * `cvwy90` (Courcoubetis, Vardi, Wolper and Yannakakis 1990): nested depth-first search. When the outer (blue) search is
 * done with an accepting arc, an inner (red) search looks for a way back to the arc's source. For at most one condition.
 *
 * The inner search starts when the outer one has finished behind the arc, never earlier: only then is it enough to
 * paint every state red once.
 */
import { NestedSearch } from "./nested-search.js";

export class Cvwy90 extends NestedSearch {
  protected take(target: number, marks: number): boolean {
    if (!this.hasVisited(target)) return this.descend(target, marks);
    this.#finishArc(target, marks);
    return true;
  }

  protected takeRed(target: number, marks: number): boolean {
    // sound: test/engines/emptiness/answers.test.ts
    if (target === this.blue.top) return this.closed();
    // sound: test/engines/emptiness/answers.test.ts
    if (this.notes[target] === BLUE) this.enterRedAs(RED, target, marks);
    return true;
  }

  protected enter(state: number, entry: number): void {
    this.enterAs(BLUE, state, entry);
  }

  protected leave(): boolean {
    const { blue } = this;
    const state = blue.top;
    const entry = blue.entries[blue.height - 1]!;
    blue.pop();
    if (blue.height === 0) return this.finish("empty");
    this.#finishArc(state, entry);
    return true;
  }

  /** The outer search is done with an arc from its topmost state. */
  #finishArc(target: number, marks: number): void {
    // sound: test/engines/emptiness/answers.test.ts
    if (marks === this.full && this.notes[target] === BLUE) this.enterRedAs(RED, target, marks);
  }
}

const BLUE = 1;
const RED = 2;
