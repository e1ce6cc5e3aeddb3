/** Graphs whose arcs carry acceptance marks, enabled agents and moving agents. */
import { Arcs } from "../../../model/index.js";

/** As `AcceptanceGraph`; bit `i` of `enabled` and `taken` is agent `i`. */
export interface StreettGraph {
  readonly conditions: number;
  readonly initial: number;
  /** Replaces the contents of `out` by the arcs out of `state`, in a deterministic order. */
  successors(state: number, out: StreettArcs): void;
}

/** Arcs with two more masks: the agents enabled at the source, and the agents that move. */
export class StreettArcs extends Arcs {
  enabled = new Int32Array(16);
  taken = new Int32Array(16);

  addFair(target: number, marks: number, enabled: number, taken: number): void {
    if (this.count === this.enabled.length) {
      this.enabled = doubled(this.enabled);
      this.taken = doubled(this.taken);
    }
    this.enabled[this.count] = enabled;
    this.taken[this.count] = taken;
    this.add(target, marks);
  }
}

/** A part of a component that holds an accepting run: all its arcs except any on which a banned agent is enabled. */
export interface FairPart {
  readonly members: Int32Array;
  readonly banned: number;
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
