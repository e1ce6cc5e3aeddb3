/**
 * Systems by what is observed of their states: a step that changes the observation has the new one as its label, all others are τ. So
 * stuttering is free on both sides, and the engine's trace inclusion compares sequences of observations.
 */
import { ERROR_NAME, LtsBuilder, TAU, type Lts, type Observed } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** A specification, explored: plain data, which the process that runs the system's code receives. */
export interface Specification {
  readonly file: string;
  /** Values of a model's variables are texts, those of a system are JSON data. */
  readonly isSystem: boolean;
  /** With the observations of its states. */
  readonly lts: Omit<Lts, "observed"> & { readonly observed: Pick<Observed, "numbers" | "names"> };
  readonly notes: readonly string[];
}

/** What is compared. */
export type ObservedLts = Specification["lts"];

/** Observations of states that nobody sees: before the start, and inside an atomic sequence. */
export const BEFORE = "before";
export const INSIDE = "inside";

/** `textOf`: the label for an observation. A state before the start is seen as different from all others. */
export function byObservation(lts: ObservedLts, textOf: (observation: string) => string): Lts {
  const { numbers, names } = lts.observed;
  const builder = new LtsBuilder();
  const labels = names.map((name) => (isSeen(name) ? builder.labels.of(textOf(name)) : TAU));
  const isInside = (s: number): boolean => names[nth(numbers, s)] === INSIDE;
  const labelAt = (s: number): number => nth(labels, nth(numbers, s));
  for (let s = 0; s < lts.states; s++) {
    if (isInside(s) || s === lts.error) continue;
    for (const to of after(lts, s, isInside))
      builder.add(s, labelAt(s) === labelAt(to) ? TAU : labelAt(to), to);
  }
  const root = lts.states;
  const starts = lts.initial.filter((s) => names[nth(numbers, s)] !== BEFORE);
  for (const start of starts) builder.add(root, labelAt(start), start);
  // sound: test/session/refinement.test.ts
  return builder.finish(root + 1, starts.length > 0 ? [root] : lts.initial);
}

export const isSeen = (name: string): boolean => ![BEFORE, INSIDE, ERROR_NAME].includes(name);

/** States that follow, passing through those inside atomic sequences. Failing steps have no state after them. */
function after(
  lts: Pick<Lts, "firsts" | "targets" | "error">,
  from: number,
  isInside: (s: number) => boolean,
): Set<number> {
  const { firsts, targets, error } = lts;
  const passed = new Set([from]);
  const found = new Set<number>();
  for (const s of passed)
    for (let t = nth(firsts, s); t < nth(firsts, s + 1); t++) {
      const to = nth(targets, t);
      if (to === error) continue;
      // sound: test/session/refinement.test.ts
      if (isInside(to)) passed.add(to);
      else found.add(to);
    }
  return found;
}

/**
 * Transitions of a shortest run that shows these labels, of a system without atomic sequences. `labelOf`: of a state, undefined before the
 * start.
 */
export function runShowing(
  { initial, firsts, targets, error }: Pick<Lts, "initial" | "firsts" | "targets" | "error">,
  labelOf: (state: number) => string | undefined,
  trace: readonly string[],
): readonly number[] | undefined {
  const size = trace.length + 1;
  const queue: { readonly s: number; readonly seen: number; readonly by: number; readonly from: number }[] =
    [];
  const met = new Set<number>();
  const offer = (s: number, seen: number, by: number, from: number): void => {
    if (met.has(s * size + seen)) return;
    met.add(s * size + seen);
    queue.push({ s, seen, by, from });
  };
  for (const s of initial) {
    const label = labelOf(s);
    if (label === undefined) offer(s, 0, -1, -1);
    else if (label === trace[0]) offer(s, 1, -1, -1);
  }
  for (let head = 0; head < queue.length; head++) {
    const { s, seen } = nth(queue, head);
    if (seen === trace.length) {
      const way: number[] = [];
      for (let at = head; nth(queue, at).from >= 0; at = nth(queue, at).from) way.push(nth(queue, at).by);
      return way.reverse();
    }
    const label = labelOf(s);
    for (let t = nth(firsts, s); t < nth(firsts, s + 1); t++) {
      const to = nth(targets, t);
      if (to === error) continue;
      if (labelOf(to) === label) offer(to, seen, t, head);
      else if (labelOf(to) === trace[seen]) offer(to, seen + 1, t, head);
    }
  }
  return undefined;
}
