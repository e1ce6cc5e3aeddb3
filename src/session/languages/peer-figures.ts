/** Figures in the units of a language's reference tools. */
import type { Model } from "../../model/index.js";
import type { PeerFigures } from "../../report/index.js";
import type { EngineResult } from "../contracts.js";

type Counted = Pick<EngineResult, "stats" | "runs">;

/** pan counts the entry into the initial state as a transition, once for each run that searched. */
export function panTransitions({ stats, runs }: Counted): PeerFigures {
  const searched = runs.filter((run) => run.stats.states > 0 && !run.isAbandoned && !run.isProbe).length;
  return { spin: { transitions: stats.transitions + searched } };
}

/**
 * Counts fired rules like Rumur, which includes steps that an assumption discards. Omits searches of temporal properties, which Rumur
 * lacks. Searches that sample states or use several threads have no count, nor have two searches of one question.
 */
export function rulesFired({ runs: all }: Counted, model: Model | undefined): PeerFigures {
  const runs = all.filter(({ automaton }) => automaton === undefined);
  const { parts = [], times = [] } = model?.coverage ?? {};
  const rules = parts.flatMap(({ owner, text }, i) =>
    owner === "rule" ? [{ name: text, fired: times[i] ?? 0 }] : [],
  );
  const total = rules.reduce((sum, { fired }) => sum + fired, 0);
  const transitions = runs.reduce((sum, { stats }) => sum + stats.transitions, 0);
  const isCounted =
    runs.length > 0 &&
    !runs.some(({ isProbe }) => isProbe) &&
    total >= transitions &&
    runs.every(({ store }) => store?.kind !== "tree");
  return isCounted ? { rumur: { rulesFired: total, rules } } : {};
}
