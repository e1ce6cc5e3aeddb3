/**
 * Second attempts at states whose candidate the proviso rejected: the other candidates in turn, then all successors. Rare enough to be
 * done state by state, as JavaScript, by the loops of the search over separate lists, since a batch is waiting in the search's.
 */
import { breadthFirstLoops, type Loops } from "./breadth-first-loops.js";
import { enterOffered } from "./entering.js";
import { widenTo } from "./intermediates.js";
import { Run } from "./order.js";
import { BatchReduction, type Reduction } from "./reduction.js";

export class SecondAttempt {
  readonly #search: Run;
  readonly #own: Run;
  readonly #reduction: BatchReduction;
  readonly #ends = new Int32Array(1);
  #loops: Loops | undefined;
  #width = 0;

  constructor(search: Run, counts: Reduction) {
    const { model, store, monitor, maxDepth } = search;
    this.#search = search;
    this.#own = new Run(model, store, monitor, maxDepth, undefined);
    this.#reduction = new BatchReduction(counts, 1);
  }

  /** Expands state `id` after its candidates up to `tried` were rejected. False, with `run.stop` set, if there is no room. */
  expand(id: number, tried: number): boolean {
    const { model, store, offered } = this.#own;
    const { attempts, ahead } = this.#reduction;
    for (attempts[0] = tried; ;) {
      widenTo(offered, model.system.width);
      const words = store.numbered(id, model.system.width);
      attempts[0] = this.#reduction.expandAgain(model.system, words, attempts[0]!, offered);
      this.#ends[0] = offered.count;
      ahead[0] = 0;
      if (!this.#enter(id)) return false;
      if (!this.#reduction.isRejected(0, this.#ends)) return true;
    }
  }

  #enter(id: number): boolean {
    const own = this.#own;
    own.transitions = 0;
    if (this.#width !== own.store.width) this.#renew();
    const enterer = { loops: () => this.#loops!, renew: () => this.#renew() };
    const isEntered = enterOffered(own, enterer, this.#ends, 1, id);
    this.#search.transitions += own.transitions;
    if (own.stop) this.#search.stop = own.stop;
    return isEntered;
  }

  #renew(): void {
    const { width } = this.#own.store;
    this.#width = width;
    this.#loops = breadthFirstLoops(this.#own, { width, ends: this.#ends, reduction: this.#reduction });
  }
}
