/**
 * Weak bisimilarity of a system whose τ has no cycles, by rounds. The weak signature of a state is the set of blocks that it reaches
 * by τ, and of (label, block) that it reaches by τ, the label and τ. Sets are kept once each, so states that share them
 * cost a number.
 */
import { TAU, type Lts } from "../../model/index.js";
import type { Graph } from "./refine.js";
import { Signatures } from "./signatures.js";

export class WeakRefinement {
  blocks: Int32Array;
  blockCount = 1;
  signed = 0;
  readonly #lts: Lts;
  /** States so that the targets of τ come first. */
  readonly #order: Int32Array;
  /** By state: the set of blocks reached by τ, and the weak signature. */
  readonly #reached: Int32Array;
  readonly #weak: Int32Array;
  readonly #closures = new Signatures();
  readonly #signatures = new Signatures();

  constructor(lts: Lts) {
    this.#lts = lts;
    this.blocks = new Int32Array(lts.states);
    this.#order = tauOrder(lts);
    this.#reached = new Int32Array(lts.states);
    this.#weak = new Int32Array(lts.states);
    if (lts.states === 0) this.blockCount = 0;
  }

  get bytes(): number {
    return 16 * this.#lts.states + this.#closures.bytes + this.#signatures.bytes;
  }

  /** One round; false when the partition is stable. */
  advance(): boolean {
    const before = this.blockCount;
    this.#signAll();
    const next = new Int32Array(this.#lts.states);
    const numbers = new Map<number, number>();
    for (let s = 0; s < next.length; s++) {
      // The closure contains the state's own block unless τ changed it, so both sets refine the partition of before.
      const key = this.blocks[s] * this.#signatures.count + this.#weak[s];
      const known = numbers.get(key);
      next[s] = known ?? numbers.size;
      if (known === undefined) numbers.set(key, numbers.size);
    }
    this.blocks = next;
    this.blockCount = numbers.size;
    this.signed += next.length;
    return this.blockCount !== before;
  }

  #signAll(): void {
    const { firsts, actions, targets, labels } = this.#lts;
    const { blocks } = this;
    const closures = this.#closures;
    const signatures = this.#signatures;
    closures.clear();
    signatures.clear();
    for (const s of this.#order) {
      closures.begin();
      closures.add(blocks[s]);
      for (let t = firsts[s]; t < firsts[s + 1]; t++)
        if (actions[t] === TAU) closures.addAll(this.#reached[targets[t]]);
      this.#reached[s] = closures.end();
    }
    for (const s of this.#order) {
      signatures.begin();
      for (const block of closures.elements(this.#reached[s])) signatures.add(block * labels.length + TAU);
      for (let t = firsts[s]; t < firsts[s + 1]; t++) {
        if (actions[t] === TAU) signatures.addAll(this.#weak[targets[t]]);
        else
          for (const block of closures.elements(this.#reached[targets[t]]))
            signatures.add(block * labels.length + actions[t]);
      }
      this.#weak[s] = signatures.end();
    }
  }
}

/** States in an order in which every τ leads back, except to the state itself. */
export function tauOrder({ states, firsts, actions, targets }: Graph): Int32Array {
  const order = new Int32Array(states);
  const isDone = new Uint8Array(states);
  const path: number[] = [];
  let count = 0;
  for (let start = 0; start < states; start++) {
    if (isDone[start] === 0) path.push(start);
    while (path.length > 0) {
      const s = path[path.length - 1];
      if (isDone[s] === 0) {
        isDone[s] = 1;
        for (let t = firsts[s]; t < firsts[s + 1]; t++)
          if (actions[t] === TAU && isDone[targets[t]] === 0) path.push(targets[t]);
        continue;
      }
      path.pop();
      if (isDone[s] === 1) {
        isDone[s] = 2;
        order[count++] = s;
      }
    }
  }
  return order;
}
