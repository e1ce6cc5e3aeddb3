/**
 * Systems with several start states begin in a root (`System.hasRoot`), which is not one of their states: budgets and figures
 * exclude it.
 */
import { Entry, Successors, type Budget, type System } from "../../model/index.js";
import type { SearchStats } from "./search.js";

/** The budget of a search that starts in the root. */
export function withRoot(budget: Budget, { hasRoot }: System): Budget {
  // sound: test/engines/explicit/endings.test.ts
  if (!hasRoot) return budget;
  return {
    ...budget,
    // sound: test/engines/explicit/endings.test.ts
    ...(budget.maxStates === undefined ? {} : { maxStates: budget.maxStates + 1 }),
    // sound: test/engines/explicit/endings.test.ts
    ...(budget.maxDepth === undefined ? {} : { maxDepth: budget.maxDepth + 1 }),
  };
}

/** The figures of a search that started in the root: the choice of a start state is not a transition. */
export function withoutRoot<S extends SearchStats>(stats: S, system: System): S {
  // sound: test/engines/explicit/endings.test.ts
  if (!system.hasRoot || stats.states === 0) return stats;
  const isExpanded = stats.states > 1;
  const states = stats.states - 1;
  return {
    ...stats,
    states,
    transitions: stats.transitions - (isExpanded ? startsOf(system) : 0),
    depth: Math.max(0, stats.depth - 1),
    bytesPerState: states === 0 ? 0 : stats.peakBytes / states,
  };
}

function startsOf(system: System): number {
  const initial = new Successors(system.width);
  system.initial(initial);
  const starts = new Successors(system.width);
  system.successors(initial.words.slice(0, initial.stride), 0, starts);
  let count = 0;
  // sound: test/engines/explicit/endings.test.ts
  for (let i = 0; i < starts.count; i++) if ((starts.flags[i]! & Entry.dead) === 0) count++;
  return count;
}
