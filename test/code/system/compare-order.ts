/** A random system searched with and without partial-order reduction: what is violated must be the same. */
import type { CheckReport } from "../../../src/report/index.js";
import type { SearchOrder } from "../../../src/session/request.js";
import { randomSystem } from "./random-systems.js";
import { checkText } from "./small.js";

export interface Comparison {
  readonly differences: readonly string[];
  /** Undefined: it has too many states to tell. */
  readonly states?: { readonly all: number; readonly reduced: number };
  readonly isRepeated: boolean;
}

export async function compareOrder(seed: number, search: SearchOrder): Promise<Comparison> {
  const text = randomSystem(seed);
  const check = (reductions: readonly "por"[]): Promise<CheckReport> =>
    checkText(text, {
      reductions,
      search,
      minimises: false,
      maxErrors: Infinity,
      budget: { maxStates: MOST_STATES },
    });
  const all = await check([]);
  if (all.stats.states >= MOST_STATES) return { differences: [], isRepeated: false };
  const few = await check(["por"]);
  const differences = all.properties.flatMap(({ property: { name, kind }, verdict }) => {
    const other = few.properties.find(({ property }) => property.name === name && property.kind === kind);
    return other?.verdict === verdict ? [] : [`${name} is ${other?.verdict}, and not ${verdict}`];
  });
  if (few.stats.states > all.stats.states)
    differences.push(`${few.stats.states} states instead of at most ${all.stats.states}`);
  const isRepeated = few.scope.notes.some((note) => note.startsWith("searched"));
  return { differences, states: { all: all.stats.states, reduced: few.stats.states }, isRepeated };
}

const MOST_STATES = 2000;
