/**
 * Simulation: can the second system match every transition of the first, step by step? Among the pairs of states that such a game
 * reaches, finds those that lose, nearest to the end first: a pair loses in round k if the first state has a transition of which
 * every answer loses in an earlier round. The transitions of a lost game are a formula without negation.
 */
import type { Lts } from "../../model/index.js";
import { TRUE, conjunction, type ActionFormula } from "./formula.js";
import type { Slices } from "./partition.js";

/** Holds in the first system's initial state of that number, and in no initial state of the second; undefined: it is simulated. */
export type Unmatched = { readonly initial: number; readonly formula: ActionFormula } | undefined;

export class SimulationGame implements Slices<Unmatched> {
  readonly #lts: Lts;
  readonly #first: readonly number[];
  readonly #second: readonly number[];
  readonly #numbers = new Map<number, number>();
  readonly #pairs: (readonly [number, number])[] = [];
  /** By pair: the round in which it loses; 0: not yet. */
  readonly #lost: number[] = [];
  readonly #formulas = new Map<number, ActionFormula>();
  #explored = 0;
  #round = 1;
  #at = 0;
  #hasLost = false;
  handled = 0;

  constructor(lts: Lts, first: readonly number[], second: readonly number[]) {
    this.#lts = lts;
    this.#first = first;
    this.#second = second;
    for (const s of first) for (const t of second) this.#number(s, t);
  }

  get bytes(): number {
    return 96 * this.#pairs.length;
  }

  advance(quota: number): boolean {
    for (let left = quota; left > 0; left--) {
      this.handled++;
      if (this.#explored < this.#pairs.length) this.#explore(this.#pairs[this.#explored++]);
      else if (this.#at < this.#pairs.length) this.#judge(this.#at++);
      else if (!this.#hasLost) return false;
      else {
        this.#round++;
        this.#at = 0;
        this.#hasLost = false;
      }
    }
    return true;
  }

  result(): Unmatched {
    const index = this.#first.findIndex((s) => this.#second.every((t) => this.#lost[this.#number(s, t)] > 0));
    if (index < 0) return undefined;
    const s = this.#first[index];
    return { initial: s, formula: conjunction([...new Set(this.#second.map((t) => this.#formula(s, t)))]) };
  }

  #explore([s, t]: readonly [number, number]): void {
    for (const [action, to] of this.#moves(s))
      for (const answer of this.#answers(t, action)) this.#number(to, answer);
  }

  #judge(pair: number): void {
    if (this.#lost[pair] > 0) return;
    const [s, t] = this.#pairs[pair];
    if (this.#moves(s).every(([action, to]) => !this.#isUnanswered(t, action, to, this.#round))) return;
    this.#lost[pair] = this.#round;
    this.#hasLost = true;
  }

  /** Does every answer lose before the round? */
  #isUnanswered(t: number, action: number, to: number, round: number): boolean {
    return this.#answers(t, action).every((answer) => {
      const lost = this.#lost[this.#number(to, answer)];
      // sound: test/engines/lts/compare.test.ts
      return lost > 0 && lost < round;
    });
  }

  #formula(s: number, t: number): ActionFormula {
    const pair = this.#number(s, t);
    const known = this.#formulas.get(pair);
    if (known) return known;
    const round = this.#lost[pair];
    const unanswered = this.#moves(s).filter(([action, to]) => this.#isUnanswered(t, action, to, round));
    const [move] = unanswered.toSorted(([a], [b]) => this.#answers(t, a).length - this.#answers(t, b).length);
    const [action, to] = move;
    const parts = [...new Set(this.#answers(t, action).map((answer) => this.#formula(to, answer)))];
    const label = this.#lts.labels[action];
    const formula: ActionFormula = {
      kind: "strong",
      label,
      then: parts.length === 0 ? TRUE : conjunction(parts),
    };
    this.#formulas.set(pair, formula);
    return formula;
  }

  #moves(s: number): (readonly [number, number])[] {
    const { firsts, actions, targets } = this.#lts;
    return Array.from({ length: firsts[s + 1] - firsts[s] }, (_, i) => [
      actions[firsts[s] + i],
      targets[firsts[s] + i],
    ]);
  }

  #answers(t: number, action: number): number[] {
    return this.#moves(t).flatMap(([answer, to]) => (answer === action ? [to] : []));
  }

  #number(s: number, t: number): number {
    const key = s * this.#lts.states + t;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#pairs.length;
    this.#numbers.set(key, number);
    this.#pairs.push([s, t]);
    this.#lost.push(0);
    return number;
  }
}
