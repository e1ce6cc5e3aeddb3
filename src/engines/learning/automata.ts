/** Deterministic automata of prefix-closed languages, and their transition systems. */
import { END_NAME, ERROR_NAME, LtsBuilder, TAU, type Lts } from "../../model/lts.js";
import { nth } from "../../model/known.js";

/** Complete; state 0 is the initial one. By state and letter: the next state. */
export interface Dfa {
  readonly next: readonly (readonly number[])[];
  readonly accepting: readonly boolean[];
}

/** Of a deterministic system without τ, over an alphabet that includes its labels. */
export function automatonOf(lts: Lts, alphabet: readonly string[]): Dfa {
  const sink = lts.states;
  const numbers = new Map(alphabet.map((name, letter) => [name, letter]));
  const next = Array.from({ length: sink + 1 }, () => alphabet.map(() => sink));
  for (let s = 0; s < lts.states; s++)
    for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++) {
      const letter = numbers.get(nth(lts.labels, lts.actions[t]));
      if (letter !== undefined) nth(next, s)[letter] = lts.targets[t] === lts.error ? sink : lts.targets[t];
    }
  return { next, accepting: next.map((_, state) => state !== sink && state !== lts.error) };
}

/** The words that an assumption allows: rejecting states are dropped. */
export const assumptionLts = (dfa: Dfa, alphabet: readonly string[]): Lts => ltsOf(dfa, alphabet, "drop");

/** A word outside of the language leads to the error state: a property. */
export const propertyLts = (dfa: Dfa, alphabet: readonly string[]): Lts => ltsOf(dfa, alphabet, "error");

/** Words outside of the language lead to a state that has the additional action, and never leave it. */
export const completeLts = (dfa: Dfa, alphabet: readonly string[], outside: string): Lts =>
  ltsOf(dfa, alphabet, outside);

function ltsOf({ next, accepting }: Dfa, alphabet: readonly string[], rejecting: string): Lts {
  const builder = new LtsBuilder();
  const letters = alphabet.map((name) => builder.labels.of(name));
  const numbers = new Map<number, number>();
  const order: number[] = [];
  // All rejecting states are one: the language is prefix-closed.
  const numberOf = (state: number): number => {
    const key = accepting[state] === true ? state : -1;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, order.length);
    return order.push(key) - 1;
  };
  numberOf(0);
  let error = -1;
  for (let at = 0; at < order.length; at++) {
    const state = nth(order, at);
    if (state >= 0) {
      for (const [letter, to] of nth(next, state).entries())
        if (accepting[to] === true || rejecting !== "drop")
          builder.add(at, nth(letters, letter), numberOf(to));
    } else if (rejecting === "error") {
      error = at;
      builder.add(at, builder.labels.of(ERROR_NAME), at);
    } else if (rejecting !== "drop") {
      for (const letter of letters) builder.add(at, letter, at);
      builder.add(at, builder.labels.of(rejecting), at);
    }
  }
  return builder.finish(order.length, [0], error);
}

/** A shortest trace to the error state: its visible labels. */
export function traceToError(lts: Lts): readonly string[] | undefined {
  if (lts.error < 0) return undefined;
  const from = new Map<number, { readonly state: number; readonly action: number } | undefined>();
  for (const state of lts.initial) from.set(state, undefined);
  for (const [state] of from) {
    if (state === lts.error) break;
    for (let t = lts.firsts[state]; t < lts.firsts[state + 1]; t++)
      if (!from.has(lts.targets[t])) from.set(lts.targets[t], { state, action: lts.actions[t] });
  }
  if (!from.has(lts.error)) return undefined;
  const labels: string[] = [];
  for (let step = from.get(lts.error); step; step = from.get(step.state))
    if (step.action !== TAU) labels.unshift(nth(lts.labels, step.action));
  return labels.filter((label) => label !== ERROR_NAME && label !== END_NAME);
}

/** Can the system reach its error state while its actions in the alphabet are a prefix of the word? Others are free. */
export function mayFail(lts: Lts, word: readonly string[], isLetter: (label: string) => boolean): boolean {
  const kinds = lts.labels.map((label, number) => number !== TAU && isLetter(label));
  const free = (states: Iterable<number>): Set<number> => {
    const seen = new Set(states);
    for (const state of seen)
      for (let t = lts.firsts[state]; t < lts.firsts[state + 1]; t++)
        if (kinds[lts.actions[t]] === false) seen.add(lts.targets[t]);
    return seen;
  };
  let current = free(lts.initial);
  for (const label of word) {
    if (current.has(lts.error)) return true;
    const action = lts.labels.indexOf(label);
    const after = new Set<number>();
    for (const state of current)
      for (let t = lts.firsts[state]; t < lts.firsts[state + 1]; t++)
        if (lts.actions[t] === action) after.add(lts.targets[t]);
    current = free(after);
  }
  return current.has(lts.error);
}
