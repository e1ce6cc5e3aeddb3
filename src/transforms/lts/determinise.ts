/** The deterministic system with the same traces: τ disappears, and a trace that may lead to the error state does. */
import { END_NAME, ERROR_NAME, LtsBuilder, TAU, type Lts } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** Undefined if a trace may have ended and may go on: such a state is not one of a deterministic system. */
export function determinise(lts: Lts): Lts | undefined {
  const builder = new LtsBuilder();
  const numbers = new Map<string, number>();
  const sets: (readonly number[])[] = [];
  const numberOf = (states: readonly number[]): number => {
    // sound: test/transforms/lts.test.ts
    const set = states.includes(lts.error) ? [lts.error] : states;
    const key = set.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, sets.length);
    return sets.push(set) - 1;
  };
  numberOf(closure(lts, lts.initial));
  for (let at = 0; at < sets.length; at++) {
    const byLabel = successorsByLabel(lts, nth(sets, at));
    if (byLabel.has(lts.labels.indexOf(END_NAME)) && (byLabel.size > 1 || nth(sets, at).length > 1))
      return undefined;
    for (const [action, targets] of byLabel)
      builder.add(at, builder.labels.of(nth(lts.labels, action)), numberOf(closure(lts, [...targets])));
  }
  const error = lts.error < 0 ? -1 : (numbers.get(`${lts.error}`) ?? -1);
  return builder.finish(sets.length, [0], error);
}

/** Deterministic, without τ, with one initial state: what a property must be. The reason if it is not. */
export function whyNotDeterministic({ states, initial, firsts, actions, labels }: Lts): string | undefined {
  if (initial.length !== 1) return "it has several initial states";
  for (let s = 0; s < states; s++) {
    const seen = new Set<number>();
    for (let t = firsts[s]; t < firsts[s + 1]; t++) {
      // sound: test/session/fsp.test.ts
      if (actions[t] === TAU) return "it has internal actions";
      // sound: test/session/fsp.test.ts
      if (seen.has(actions[t])) return `action '${nth(labels, actions[t])}' leads to several states`;
      seen.add(actions[t]);
    }
  }
  return undefined;
}

/** States that τ reaches, sorted. */
export function closure({ firsts, actions, targets }: Lts, from: readonly number[]): readonly number[] {
  const seen = new Set(from);
  for (const state of seen)
    for (let t = firsts[state]; t < firsts[state + 1]; t++) if (actions[t] === TAU) seen.add(targets[t]);
  return [...seen].sort((a, b) => a - b);
}

function successorsByLabel(
  { firsts, actions, targets }: Lts,
  set: readonly number[],
): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const state of set)
    for (let t = firsts[state]; t < firsts[state + 1]; t++) {
      if (actions[t] === TAU) continue;
      const known = found.get(actions[t]);
      if (known) known.add(targets[t]);
      else found.set(actions[t], new Set([targets[t]]));
    }
  return found;
}

/**
 * A property as a part that watches: every action of its alphabet is possible in every state, and one that it does not allow leads to
 * an additional state, which it never leaves.
 */
export function watching(
  lts: Lts,
  alphabet: Iterable<string>,
): { readonly lts: Lts; readonly violated: number } {
  const builder = new LtsBuilder();
  const names = [...new Set([...alphabet, ...lts.labels.slice(1)])].filter(
    (name) => name !== END_NAME && name !== ERROR_NAME,
  );
  const numbers = names.map((name) => builder.labels.of(name));
  const violated = lts.states;
  for (let s = 0; s < lts.states; s++) {
    const taken = new Set<number>();
    for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++) {
      const number = builder.labels.find(nth(lts.labels, lts.actions[t]));
      if (number === undefined) continue;
      taken.add(number);
      builder.add(s, number, lts.targets[t] === lts.error ? violated : lts.targets[t]);
    }
    // sound: test/session/fsp.test.ts
    for (const number of numbers) if (!taken.has(number)) builder.add(s, number, violated);
  }
  for (const number of numbers) builder.add(violated, number, violated);
  return { lts: builder.finish(violated + 1, lts.initial), violated };
}

/** Keeps transitions of high priority where there are any, or leaves out those of low priority where there are others. */
export function prioritise(lts: Lts, isHigh: boolean, has: (label: string) => boolean): Lts {
  const builder = new LtsBuilder();
  const numbers = lts.labels.map((label) => builder.labels.of(label));
  // `√` and `ERROR` are not actions: neither priority removes them.
  const isPreferred = lts.labels.map((label, number) => (number !== TAU && has(label)) === isHigh);
  for (let s = 0; s < lts.states; s++) {
    const all = Array.from({ length: lts.firsts[s + 1] - lts.firsts[s] }, (_, i) => lts.firsts[s] + i);
    const preferred = all.filter((t) => nth(isPreferred, lts.actions[t]));
    for (const t of preferred.length > 0 ? preferred : all)
      builder.add(s, nth(numbers, lts.actions[t]), lts.targets[t]);
  }
  return reachable(builder.finish(lts.states, lts.initial, lts.error));
}

/** Without unreachable states. */
function reachable(lts: Lts): Lts {
  const numbers = new Map(lts.initial.map((state, i) => [state, i]));
  for (const [state] of numbers)
    for (let t = lts.firsts[state]; t < lts.firsts[state + 1]; t++)
      if (!numbers.has(lts.targets[t])) numbers.set(lts.targets[t], numbers.size);
  const builder = new LtsBuilder();
  const labels = lts.labels.map((label) => builder.labels.of(label));
  for (const [state, number] of numbers)
    for (let t = lts.firsts[state]; t < lts.firsts[state + 1]; t++)
      builder.add(number, nth(labels, lts.actions[t]), numbers.get(lts.targets[t]) ?? 0);
  return builder.finish(
    numbers.size,
    lts.initial.map((_, i) => i),
    numbers.get(lts.error) ?? -1,
  );
}
