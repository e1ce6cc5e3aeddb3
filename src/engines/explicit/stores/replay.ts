/** Runs along stored steps again: from a state to the successor at a position of its list of nominal successors. */
import { Successors, type System, type Words } from "../../../model/index.js";
import { Settler, widenTo } from "../intermediates.js";

export class Replay {
  readonly #system: System;
  readonly #offered: Successors;
  readonly #settler: Settler;
  readonly #ends = new Int32Array(1);

  constructor(system: System) {
    this.#system = system;
    this.#offered = new Successors(system.width, 64);
    this.#settler = new Settler(system, { fault: () => {}, stuckInside: () => {} });
  }

  initial(): Words {
    this.#offered.clear();
    this.#system.initial(this.#offered);
    return this.#offered.words.slice(0, this.#offered.stride);
  }

  /** Makes of `state` its successor at position `entry`. It must be as wide as states are now. */
  step(state: Words, entry: number): void {
    const offered = this.#offered;
    offered.clear();
    widenTo(offered, this.#system.width);
    this.#system.successors(state, 0, offered);
    let list = offered;
    if (offered.isFlagged) {
      this.#ends[0] = offered.count;
      this.#settler.settle(offered, this.#ends, 1, 0);
      list = this.#settler.nominal;
    }
    if (entry >= list.count)
      throw new Error(`internal error: a stored step is number ${entry} of ${list.count} successors`);
    for (let k = 0; k < state.length; k++) state[k] = list.words[entry * list.stride + k]!;
  }
}
