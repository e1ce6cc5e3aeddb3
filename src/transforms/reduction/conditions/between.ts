/**
 * The intermediate states removed by merging several statements into one.
 *
 * They must be unneeded. Properties have the same values at the end as in between. Steps of others that are possible in between are
 * possible at the end, with the same result: the rest of the statements commutes with the step of another process. If the
 * statements fail on the way, there is no end: then others can make the same steps before the first of them.
 */
import type { Move, Words } from "../../../model/index.js";
import { isEqual, type Between, type Outcome, type Runs } from "./runs.js";

/** `start`: before all of them; `end`: behind them, if they do not fail. */
export function whyBetweenShows(
  runs: Runs,
  start: Words,
  between: readonly Between[],
  end: Words | undefined,
): string | undefined {
  for (const one of between) {
    const { steps } = runs;
    if (end && steps.observe(one.state) !== steps.observe(end))
      return "hides a state in which a property sees something else";
    for (const other of runs.moves(one.state)) {
      if (one.rest.some(({ process }) => process === other.process)) continue;
      const why = end ? whyLost(runs, one, end, other) : whyLostBefore(runs, one.state, start, other);
      if (why !== undefined) return `hides a state in which ${runs.text(one.state, other)} ${why}`;
    }
  }
  return undefined;
}

function whyLost(runs: Runs, { state, rest }: Between, end: Words, other: Move): string | undefined {
  const now = runs.outcome(state, other);
  const later = runs.outcome(end, other);
  if (!later.isPossible) return "can be executed, and cannot at the end";
  if (!isEqual(now.faults, later.faults)) return "does not go wrong as at the end";
  const ends = now.ends.flatMap((one) => runs.follow(one, rest)?.end ?? []);
  if (ends.length < now.ends.length) return "keeps the rest from being executed";
  const keys = new Set(ends.map((one) => runs.key(one)));
  return isEqual(keys, keysOf(runs, later)) ? undefined : "leads elsewhere than at the end";
}

/** The statements fail: was the same possible before them, as far as can be seen? */
function whyLostBefore(runs: Runs, state: Words, start: Words, other: Move): string | undefined {
  const now = runs.outcome(state, other);
  const before = runs.outcome(start, other);
  if (!before.isPossible) return "can be executed, and could not before";
  if (!isEqual(now.faults, before.faults)) return "does not go wrong as before";
  const seen = ({ ends }: Outcome): ReadonlySet<string> =>
    new Set(ends.map((end) => runs.steps.observe(end)));
  return isEqual(seen(now), seen(before)) ? undefined : "is seen, and was not before";
}

const keysOf = (runs: Runs, { ends }: Outcome): ReadonlySet<string> =>
  new Set(ends.map((end) => runs.key(end)));
