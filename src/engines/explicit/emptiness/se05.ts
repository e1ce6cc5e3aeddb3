/**
 * `se05` (Schwoon and Esparza 2005): nested depth-first search that ends as soon as it finds a state on the outer search's
 * stack (cyan), in the outer search already if the arc that closes the cycle or the one before it is accepting. For at most
 * one condition.
 */
import type { Evidence } from "./emptiness-search.js";
import { NestedSearch } from "./nested-search.js";

export class Se05 extends NestedSearch {
  #closing = 0;

  override evidence(): Evidence {
    return { ...super.evidence(), start: this.#closing };
  }

  protected override start(): void {
    this.enter(this.graph.initial, NO_ARC);
  }

  protected take(target: number, marks: number): boolean {
    const colour = this.notes[target] ?? 0;
    if (colour === 0) return this.descend(target, marks);
    // sound: test/engines/emptiness/answers.test.ts
    if (colour === CYAN && this.#closes(target, marks)) return this.#report(target);
    // sound: test/engines/emptiness/answers.test.ts
    if (marks === this.full && colour !== RED) this.enterRedAs(RED, target, marks);
    return true;
  }

  /** On a self-loop the arc that led to the state is not part of the cycle. */
  #closes(target: number, marks: number): boolean {
    const { blue } = this;
    // sound: test/engines/emptiness/answers.test.ts
    return marks === this.full || (target !== blue.top && blue.entries[blue.height - 1] === this.full);
  }

  protected takeRed(target: number, marks: number): boolean {
    // sound: test/engines/emptiness/answers.test.ts
    if (this.notes[target] === CYAN) return this.#report(target);
    // sound: test/engines/emptiness/answers.test.ts
    if (this.notes[target] === BLUE) this.enterRedAs(RED, target, marks);
    return true;
  }

  #report(target: number): false {
    this.#closing = target;
    return this.closed();
  }

  protected enter(state: number, entry: number): void {
    this.enterAs(CYAN, state, entry);
  }

  protected leave(): boolean {
    const { blue } = this;
    const state = blue.top;
    const entry = blue.entries[blue.height - 1]!;
    blue.pop();
    if (blue.height === 0) return this.finish("empty");
    // sound: test/engines/emptiness/answers.test.ts
    if (entry === this.full) this.enterRedAs(RED, state, entry);
    else this.notes[state] = BLUE;
    return true;
  }
}

const CYAN = 1;
const BLUE = 2;
const RED = 3;
/** The initial state was entered by no arc: its marks are never all there are. */
const NO_ARC = -1;
