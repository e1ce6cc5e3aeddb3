/**
 * Partitions by rounds: states of one block after round k satisfy the same formulas of depth k. For the small quotients of
 * comparisons, where a formula of least depth is sought; `refine.ts` is the engine for large systems.
 */
import { TAU, type Lts } from "../../model/index.js";
import type { BasicEquivalence } from "./relations.js";
import { Signatures } from "./signatures.js";
import { WeakRefinement, tauOrder } from "./weak.js";

export class Levels {
  /** By round and state. */
  readonly #rounds: Int32Array[] = [];
  readonly #next: () => Int32Array;

  /** τ may have no cycles, except for a τ to the same state, which is divergence. */
  constructor(lts: Lts, relation: BasicEquivalence) {
    this.#rounds.push(lts.observed?.numbers ?? new Int32Array(lts.states));
    this.#next = relation === "weak" ? weakRounds(lts) : rounds(lts, relation, this.#rounds);
  }

  /** The first round after which, 0 if they are observed to differ, the states are in different blocks. They must not be related. */
  separating(s: number, t: number): number {
    for (let round = 0; ; round++) {
      if (round === this.#rounds.length) this.#rounds.push(this.#next());
      const blocks = this.#rounds[round];
      if (blocks[s] !== blocks[t]) return round;
      if (round > blocks.length) throw new Error("related states cannot be distinguished");
    }
  }

  after(round: number): Int32Array {
    return this.#rounds[round];
  }
}

function weakRounds(lts: Lts): () => Int32Array {
  const refinement = new WeakRefinement(lts);
  return () => {
    refinement.advance();
    return refinement.blocks;
  };
}

function rounds(
  { states, firsts, actions, targets, labels }: Lts,
  relation: Exclude<BasicEquivalence, "weak">,
  done: readonly Int32Array[],
): () => Int32Array {
  const order = tauOrder({ states, firsts, actions, targets });
  const signatures = new Signatures();
  const hasInert = relation !== "strong";
  return () => {
    const before = done[done.length - 1];
    const signatureOf = new Int32Array(states);
    signatures.clear();
    for (const s of order) {
      signatures.begin();
      signatures.add(-2 - before[s]); // refines the round before
      for (let t = firsts[s]; t < firsts[s + 1]; t++) {
        const to = targets[t];
        if (!hasInert || actions[t] !== TAU || before[to] !== before[s])
          signatures.add(before[to] * labels.length + actions[t]);
        else if (to !== s) signatures.addAll(signatureOf[to]);
        else if (relation === "divergence-branching") signatures.add(-1);
      }
      signatureOf[s] = signatures.end();
    }
    return signatureOf;
  };
}
