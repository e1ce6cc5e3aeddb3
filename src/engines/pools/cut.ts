/** Chooses the predicates at which cycles of the dependency graph are cut. */
import type { NdlogProgram } from "../../model/ndlog.js";

/** Predicates that the bodies of its rules mention, by predicate. */
export function dependenciesOf({ predicates, rules }: NdlogProgram): readonly ReadonlySet<number>[] {
  const found = predicates.map(() => new Set<number>());
  for (const { head, body } of rules)
    for (const { predicate } of body.atoms) found[head.predicate]?.add(predicate);
  return found;
}

/**
 * Predicates that are annotated or named by the user, then more until no cycle is left: self-loops first, then the one
 * on most cycles.
 */
export function cutOf(program: NdlogProgram): ReadonlySet<number> {
  const uses = dependenciesOf(program);
  const cut = new Set([...program.annotations.map(({ predicate }) => predicate), ...(program.cut ?? [])]);
  uses.forEach((used, predicate) => {
    if (used.has(predicate)) cut.add(predicate);
  });
  for (;;) {
    const counts = cyclesThrough(uses, cut);
    const most = Math.max(0, ...counts);
    if (most === 0) return cut;
    const names = program.predicates.map(({ name }) => name);
    const best = counts
      .flatMap((count, predicate) => (count === most ? [predicate] : []))
      .sort((a, b) => ((names[a] ?? "") < (names[b] ?? "") ? -1 : 1));
    cut.add(best[0] ?? 0);
  }
}

/**
 * For each predicate the number of simple cycles through it that avoid the cut, plus one if there are any. The number is a heuristic:
 * counting stops after `MOST_STEPS`. Zero means that the predicate is on no cycle.
 */
function cyclesThrough(uses: readonly ReadonlySet<number>[], cut: ReadonlySet<number>): number[] {
  const reached = uses.map((_, from) => reachable(uses, cut, from));
  const counts: number[] = uses.map((_, at) => (reached[at]?.has(at) ? 1 : 0));
  let steps = 0;
  const path: number[] = [];
  const visit = (first: number, at: number): void => {
    if (++steps > MOST_STEPS) return;
    path.push(at);
    for (const next of uses[at] ?? [])
      if (next === first) for (const each of path) counts[each] = (counts[each] ?? 0) + 1;
      else if (next > first && reached[next]?.has(first) && !path.includes(next)) visit(first, next);
    path.pop();
  };
  for (const first of uses.keys()) if (reached[first]?.has(first)) visit(first, first);
  return counts;
}

const MOST_STEPS = 100_000;

/** Predicates reached by at least one step, without the cut. */
function reachable(
  uses: readonly ReadonlySet<number>[],
  cut: ReadonlySet<number>,
  from: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = cut.has(from) ? [] : [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const next of uses[at] ?? [])
      if (!cut.has(next) && !found.has(next)) {
        found.add(next);
        waiting.push(next);
      }
  return found;
}
