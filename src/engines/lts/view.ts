/** A system as a relation sees it: its states with or without observations, its actions by name or as steps, its first step apart. */
import {
  END_NAME,
  ERROR_NAME,
  LtsBuilder,
  TAU,
  TAU_NAME,
  type Lts,
  type Observed,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { seenBy, type BasicEquivalence, type Equivalence } from "./relations.js";

export function viewed(lts: Lts, relation: Equivalence): Lts {
  const { keeps, isRooted, base } = seenBy[relation];
  const seen = keeps ? asSteps(lts, keeps === "interactions") : without(lts);
  return isRooted ? rooted(seen, base) : seen;
}

function without(lts: Lts): Lts {
  if (!lts.observed) return lts;
  const { observed: _, ...rest } = lts;
  return rest;
}

/** A step that changes what is seen. */
const STEP_NAME = "step";

/**
 * Actions become τ where the observation stays, a visible step where it changes. So τ never leaves an observation, and the engine's inert τ are
 * the stuttering steps of the definition: no step that changes the state, no communication.
 */
function asSteps(lts: Lts, keepsInteractions: boolean): Lts {
  const observed = known(lts);
  const builder = new LtsBuilder();
  const step = builder.labels.of(STEP_NAME);
  const keeps = (name: string): boolean =>
    // sound: test/languages/chi/traps.test.ts
    name === END_NAME || name === ERROR_NAME || (keepsInteractions && observed.isInteraction(name));
  const numbers = lts.labels.map((name, i) => (i !== TAU && keeps(name) ? builder.labels.of(name) : -1));
  const { numbers: seen } = observed;
  for (let s = 0; s < lts.states; s++)
    for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++) {
      const to = lts.targets[t];
      const kept = nth(numbers, lts.actions[t]);
      // sound: test/languages/chi/traps.test.ts
      const quiet = seen[s] === seen[to] ? TAU : step;
      builder.add(s, kept >= 0 ? kept : quiet, to);
    }
  return { ...builder.finish(lts.states, lts.initial, lts.error), observed };
}

function known({ observed }: Lts): Observed {
  if (observed) return observed;
  throw new Error("a relation of states needs a system whose states are observed");
}

/**
 * Every initial state gets a copy that nothing leads to, and whose actions have names that nothing else has: they can only be matched by a
 * first action. For weak bisimilarity the first action may be surrounded by τ, but not be absent.
 */
function rooted(lts: Lts, base: BasicEquivalence): Lts {
  const builder = new LtsBuilder();
  const numbers = lts.labels.map((name) => builder.labels.of(name));
  for (let s = 0; s < lts.states; s++)
    for (let t = lts.firsts[s]; t < lts.firsts[s + 1]; t++)
      builder.add(s, nth(numbers, lts.actions[t]), lts.targets[t]);
  const starts = lts.initial.map((start, i) => {
    const root = lts.states + i;
    const first = base === "weak" ? weaklyFirst(lts, start) : firstOf(lts, start);
    // `√` leads to the start itself, which must be matched as well: an end after τ is not an end at once.
    // sound: test/engines/lts/state-relations.test.ts
    for (const [name, to] of first) builder.add(root, builder.labels.of(`first ${name}`), to);
    return root;
  });
  const all = lts.states + starts.length;
  const finished = builder.finish(all, starts, lts.error);
  const { observed } = lts;
  if (!observed) return finished;
  const seen = new Int32Array(all);
  seen.set(observed.numbers);
  lts.initial.forEach((start, i) => (seen[lts.states + i] = observed.numbers[start]));
  return { ...finished, observed: { ...observed, numbers: seen } };
}

const firstOf = ({ firsts, actions, targets, labels }: Lts, s: number): [string, number][] =>
  Array.from({ length: firsts[s + 1] - firsts[s] }, (_, i) => [
    nth(labels, actions[firsts[s] + i]),
    targets[firsts[s] + i],
  ]);

/** Ends of τ* a τ*, and of at least one τ. */
function weaklyFirst(lts: Lts, start: number): [string, number][] {
  const quietly = (from: number): Set<number> => {
    const found = new Set([from]);
    for (const s of found) for (const [name, to] of firstOf(lts, s)) if (name === TAU_NAME) found.add(to);
    return found;
  };
  return [...quietly(start)].flatMap((s) =>
    firstOf(lts, s).flatMap(([name, to]) => [...quietly(to)].map((end): [string, number] => [name, end])),
  );
}
