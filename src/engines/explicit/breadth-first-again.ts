/**
 * Second attempts at states whose first candidate the proviso rejected: the other candidates in turn, then all successors.
 * Rare enough to be done state by state.
 */
import { Successors } from "../../model/index.js";
import { Settler, widenTo } from "./intermediates.js";
import type { LoopCode } from "./loop-code.js";
import type { Run } from "./order.js";
import { isEnoughBreadthFirst, type Proviso, type Reduction } from "./reduction.js";
import { instantiate } from "./store-code.js";

export class SecondAttempt {
  readonly #run: Run;
  readonly #reduction: Reduction;
  readonly #offered: Successors;
  readonly #settler: Settler;
  readonly #ends = new Int32Array(1);
  readonly #met = { waiting: 0, total: 0, isEnough: false };
  #resolve: Resolve | undefined;
  #width = 0;

  constructor(run: Run, reduction: Reduction) {
    this.#run = run;
    this.#reduction = reduction;
    this.#offered = new Successors(run.model.system.width);
    this.#settler = new Settler(run.model.system, run.monitor);
  }

  /** Expands state `id` after its candidates up to `tried` were rejected. False, with `run.stop` set, if there is no room. */
  expand(id: number, tried: number): boolean {
    const reduction = this.#reduction;
    const { system } = this.#run.model;
    const agents = reduction.agents;
    let state = this.#run.store.numbered(id, system.width);
    const proposed = system.candidates!.propose(state, 0, agents);
    for (let attempt = tried; attempt < proposed; attempt++) {
      this.#clear();
      if (state.length !== system.width) state = this.#run.store.numbered(id, system.width);
      system.candidates!.successorsOf(agents[attempt]!, state, 0, this.#offered);
      if (this.#offered.count === 0) continue;
      if (!this.#enter(id)) return false;
      // sound: test/engines/explicit/provisos.test.ts
      if (this.#met.isEnough) {
        reduction.reduced++;
        return true;
      }
      if (this.#met.total > 0) reduction.rejected++;
    }
    reduction.fullByProviso++;
    this.#clear();
    if (state.length !== system.width) state = this.#run.store.numbered(id, system.width);
    system.successors(state, 0, this.#offered);
    return this.#enter(id);
  }

  #clear(): void {
    this.#offered.clear();
    widenTo(this.#offered, this.#run.model.system.width);
  }

  #enter(id: number): boolean {
    const run = this.#run;
    const list = this.#settled(id);
    if (run.model.system.width !== run.store.width && !run.widen()) return false;
    widenTo(list, run.store.width);
    const resolve = this.#loop();
    run.transitions += list.count;
    this.#met.waiting = 0;
    for (let entered = 0; ;) {
      entered = resolve(list.words, entered, list.count, id);
      if (entered === list.count) return true;
      if (run.grow()) continue;
      run.transitions -= list.count - entered;
      return false;
    }
  }

  #settled(id: number): Successors {
    if (!this.#offered.isFlagged) return this.#offered;
    this.#ends[0] = this.#offered.count;
    this.#settler.settle(this.#offered, this.#ends, 1, id);
    return this.#settler.nominal;
  }

  #loop(): Resolve {
    const { store } = this.#run;
    if (!this.#resolve || this.#width !== store.width) {
      const code = store.code();
      this.#width = store.width;
      const bindings = { ...code.bindings, store, met: this.#met };
      this.#resolve = instantiate<Resolve>(
        "breadth-first, again",
        bindings,
        emitResolve(code, this.#reduction.proviso),
      );
    }
    return this.#resolve;
  }
}

/** Enters the successors of state `id` from entry `from` on; the entry at which the store had no room, else `length`. */
type Resolve = (words: Int32Array, from: number, length: number, id: number) => number;

const emitResolve = (code: LoopCode, proviso: Proviso): string => `
${code.head}
let unused = 0;
return function resolve(words, from, length, self) {
  ${code.locals}
  ${code.prepare("false", "return -1;")}
  unused = touched;
  let { waiting } = met;
  let i = from;
  next: for (; i < length; i++) {
    ${code.entry("i")}
    // The state itself is no longer to be expanded.
    // sound: test/engines/explicit/provisos.test.ts
    ${code.find(`{ if (${code.foundId} > self) waiting++; continue next; }`)}
    if (${code.isFull}) break;
    ${code.insert("self", "0")}
    waiting++;
  }
  store.count = count;
  const total = length;
  // sound: test/engines/explicit/provisos.test.ts
  met.waiting = waiting; met.total = total; met.isEnough = ${isEnoughBreadthFirst(proviso)};
  return i;
};`;
