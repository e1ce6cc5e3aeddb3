/**
 * Evaluates formulas and runs traces in a system, by the definitions. Confirms what the refinement found, so it shares no code
 * with it: no signatures, no partitions, no collapsed components.
 */
import { TAU, TAU_NAME, type Lts } from "../../model/index.js";
import type { ActionFormula } from "./formula.js";

export class Evaluator {
  readonly #lts: Lts;
  readonly #sources: Int32Array;
  /** Transitions into `s`: `into[intoFirsts[s] … intoFirsts[s + 1] - 1]`. */
  readonly #intoFirsts: Int32Array;
  readonly #into: Int32Array;
  readonly #known = new Map<ActionFormula, Uint8Array>();

  constructor(lts: Lts) {
    this.#lts = lts;
    const { states, firsts, targets } = lts;
    this.#sources = new Int32Array(targets.length);
    this.#intoFirsts = new Int32Array(states + 1);
    this.#into = new Int32Array(targets.length);
    for (let s = 0; s < states; s++) this.#sources.fill(s, firsts[s], firsts[s + 1]);
    for (const to of targets) this.#intoFirsts[to + 1]++;
    for (let s = 0; s < states; s++) this.#intoFirsts[s + 1] += this.#intoFirsts[s];
    const next = this.#intoFirsts.slice();
    for (let t = 0; t < targets.length; t++) this.#into[next[targets[t]]++] = t;
  }

  holdsIn(formula: ActionFormula, state: number): boolean {
    return this.holds(formula)[state] === 1;
  }

  /** By state: 1 where the formula holds. */
  holds(formula: ActionFormula): Uint8Array {
    const known = this.#known.get(formula);
    if (known) return known;
    const found = this.#evaluate(formula);
    this.#known.set(formula, found);
    return found;
  }

  #evaluate(formula: ActionFormula): Uint8Array {
    switch (formula.kind) {
      case "true":
        return new Uint8Array(this.#lts.states).fill(1);
      case "seen": {
        const { observed, states } = this.#lts;
        return new Uint8Array(states).map((_, s) =>
          observed?.names[observed.numbers[s]] === formula.text ? 1 : 0,
        );
      }
      case "not":
        return this.holds(formula.inner).map((is) => 1 - is);
      case "and": {
        const parts = formula.parts.map((part) => this.holds(part));
        return new Uint8Array(this.#lts.states).map((_, s) => (parts.every((part) => part[s] === 1) ? 1 : 0));
      }
      case "strong":
        return this.#before(formula.label, this.holds(formula.then));
      case "weak": {
        const everywhere = new Uint8Array(this.#lts.states).fill(1);
        const then = this.#throughTau(everywhere, this.holds(formula.then));
        if (formula.label === TAU_NAME) return then;
        return this.#throughTau(everywhere, this.#before(formula.label, then));
      }
      case "until": {
        const during = this.holds(formula.during);
        const then = this.holds(formula.then);
        if (formula.label === TAU_NAME) return this.#throughTau(during, then);
        const last = this.#before(formula.label, then).map((is, s) => is & during[s]);
        return this.#throughTau(during, last);
      }
      case "diverges":
        return this.#endlessTau(this.holds(formula.during));
    }
  }

  /** States with a transition of the label into the set. */
  #before(label: string, set: Uint8Array): Uint8Array {
    const { actions, targets, labels } = this.#lts;
    const action = labels.indexOf(label);
    const found = new Uint8Array(set.length);
    for (let t = 0; t < targets.length; t++)
      if (actions[t] === action && set[targets[t]] === 1) found[this.#sources[t]] = 1;
    return found;
  }

  /** States that reach `goal` by τ through states of `during`. */
  #throughTau(during: Uint8Array, goal: Uint8Array): Uint8Array {
    const found = goal.slice();
    const waiting: number[] = [];
    for (let s = 0; s < found.length; s++) if (found[s] === 1) waiting.push(s);
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop())
      for (let i = this.#intoFirsts[s]; i < this.#intoFirsts[s + 1]; i++) {
        const t = this.#into[i];
        const from = this.#sources[t];
        if (this.#lts.actions[t] !== TAU || during[from] === 0 || found[from] === 1) continue;
        found[from] = 1;
        waiting.push(from);
      }
    return found;
  }

  /** Removes states without a τ into what is left, until every one has. */
  #endlessTau(during: Uint8Array): Uint8Array {
    const { firsts, actions, targets, states } = this.#lts;
    const left = during.slice();
    const ways = new Int32Array(states);
    const waiting: number[] = [];
    for (let s = 0; s < states; s++) {
      for (let t = firsts[s]; t < firsts[s + 1]; t++)
        if (actions[t] === TAU && during[targets[t]] === 1) ways[s]++;
      if (left[s] === 1 && ways[s] === 0) waiting.push(s);
    }
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop()) {
      left[s] = 0;
      for (let i = this.#intoFirsts[s]; i < this.#intoFirsts[s + 1]; i++) {
        const t = this.#into[i];
        const from = this.#sources[t];
        if (this.#lts.actions[t] === TAU && --ways[from] === 0 && left[from] === 1) waiting.push(from);
      }
    }
    return left;
  }
}

/** Can the system show these labels, with any τ between them? */
export function showsTrace(
  { initial, labels, firsts, actions, targets }: Lts,
  trace: readonly string[],
): boolean {
  const closed = (states: Iterable<number>): Set<number> => {
    const found = new Set(states);
    for (const s of found)
      for (let t = firsts[s]; t < firsts[s + 1]; t++) if (actions[t] === TAU) found.add(targets[t]);
    return found;
  };
  let at = closed(initial);
  for (const label of trace) {
    const next: number[] = [];
    for (const s of at)
      for (let t = firsts[s]; t < firsts[s + 1]; t++)
        if (actions[t] !== TAU && labels[actions[t]] === label) next.push(targets[t]);
    at = closed(next);
  }
  return at.size > 0;
}
