/**
 * Trace inclusion: does the second system show every visible trace of the first? Determinises the second on the way, breadth-first
 * by visible actions, so the first trace that it lacks is a shortest one.
 *
 * A pair of a state of the first system and a set of states of the second is
 * omitted if a smaller set was found with that state: whatever the larger set lacks, the smaller one lacks as well (antichains, De Wulf et al., CAV 2006).
 */
import { TAU, type Lts } from "../../model/index.js";
import type { Slices } from "./partition.js";
import { Signatures } from "./signatures.js";

/** A shortest trace that only the first system shows; undefined: there is none. */
export type MissingTrace = readonly string[] | undefined;

export class TraceInclusion implements Slices<MissingTrace> {
  readonly #lts: Lts;
  readonly #sets = new Signatures();
  /** By set and label: the set after it, -1 if it is empty. */
  readonly #after = new Map<number, number>();
  /** By state of the first system: sets found with it, none contained in another. */
  readonly #met = new Map<number, number[]>();
  /** Pairs in the order of discovery within a level; `parents` and `actions` lead back to the start. */
  readonly #states: number[] = [];
  readonly #setOf: number[] = [];
  readonly #parents: number[] = [];
  readonly #actions: number[] = [];
  #level: number[] = [];
  #next: number[] = [];
  #missing: MissingTrace;
  handled = 0;

  /** Both systems are parts of `lts`; `first` and `second` are their initial states. */
  constructor(lts: Lts, first: readonly number[], second: readonly number[]) {
    this.#lts = lts;
    const start = this.#closed(second);
    for (const state of first) this.#offer(state, start, -1, TAU, this.#level);
  }

  get bytes(): number {
    return this.#sets.bytes + 32 * this.#states.length;
  }

  advance(quota: number): boolean {
    for (let left = quota; left > 0; left--) {
      const pair = this.#level.pop();
      if (pair !== undefined) {
        if (!this.#expand(pair)) return false;
      } else if (this.#next.length === 0) return false;
      else {
        this.#level = this.#next.reverse();
        this.#next = [];
      }
    }
    return true;
  }

  result(): MissingTrace {
    return this.#missing;
  }

  /** False when a missing trace was found. */
  #expand(pair: number): boolean {
    const { firsts, actions, targets, labels } = this.#lts;
    const s = this.#states[pair];
    const set = this.#setOf[pair];
    this.handled++;
    for (let t = firsts[s]; t < firsts[s + 1]; t++) {
      const action = actions[t];
      if (action === TAU) {
        this.#offer(targets[t], set, pair, action, this.#level);
        continue;
      }
      const after = this.#afterwards(set, action);
      // sound: test/engines/lts/compare.test.ts
      if (after < 0) {
        this.#missing = [...this.#traceTo(pair), labels[action]];
        return false;
      }
      this.#offer(targets[t], after, pair, action, this.#next);
    }
    return true;
  }

  #offer(state: number, set: number, parent: number, action: number, queue: number[]): void {
    const met = this.#met.get(state) ?? [];
    // sound: test/engines/lts/compare.test.ts
    if (met.some((known) => this.#isSubset(known, set))) return;
    this.#met.set(state, [...met.filter((known) => !this.#isSubset(set, known)), set]);
    queue.push(this.#states.length);
    this.#states.push(state);
    this.#setOf.push(set);
    this.#parents.push(parent);
    this.#actions.push(action);
  }

  #isSubset(small: number, large: number): boolean {
    if (small === large) return true;
    const a = this.#sets.elements(small);
    const b = this.#sets.elements(large);
    let j = 0;
    for (const element of a) {
      while (j < b.length && b[j] < element) j++;
      if (b[j] !== element) return false;
    }
    return true;
  }

  #afterwards(set: number, action: number): number {
    const key = set * this.#lts.labels.length + action;
    const known = this.#after.get(key);
    if (known !== undefined) return known;
    const { firsts, actions, targets } = this.#lts;
    const reached: number[] = [];
    for (const s of this.#sets.elements(set))
      for (let t = firsts[s]; t < firsts[s + 1]; t++) if (actions[t] === action) reached.push(targets[t]);
    const after = reached.length === 0 ? -1 : this.#closed(reached);
    this.#after.set(key, after);
    return after;
  }

  #closed(states: readonly number[]): number {
    const { firsts, actions, targets } = this.#lts;
    const found = new Set(states);
    for (const s of found)
      for (let t = firsts[s]; t < firsts[s + 1]; t++) if (actions[t] === TAU) found.add(targets[t]);
    this.#sets.begin();
    for (const s of found) this.#sets.add(s);
    return this.#sets.end();
  }

  #traceTo(pair: number): string[] {
    const trace: string[] = [];
    for (let at = pair; at >= 0; at = this.#parents[at])
      if (this.#actions[at] !== TAU) trace.push(this.#lts.labels[this.#actions[at]]);
    return trace.reverse();
  }
}
