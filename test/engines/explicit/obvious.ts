/** The obvious search: a map from states to depths, as the reference for the engine. */
import { trimmed, type Toy, type ToyState } from "./toys.js";

export interface Obvious {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** Shortest distance, in stored steps, to each fault site, `deadlock`, and invariant `i0`, `i1`, … */
  readonly errors: ReadonlyMap<string, number>;
  readonly occurrences: ReadonlyMap<string, number>;
}

export function obviousSearch(toy: Toy): Obvious {
  const key = (state: ToyState): string =>
    trimmed(state)
      .slice(toy.compareFrom ?? 0)
      .join(",");
  const depths = new Map<string, number>([[key(toy.initial), 0]]);
  const queue: ToyState[] = [toy.initial];
  const errors = new Map<string, number>();
  const occurrences = new Map<string, number>();
  let transitions = 0;
  const report = (what: string, depth: number): void => {
    errors.set(what, Math.min(depth, errors.get(what) ?? Infinity));
    occurrences.set(what, (occurrences.get(what) ?? 0) + 1);
  };
  for (const state of queue) {
    const depth = depths.get(key(state))!;
    toy.invariants?.forEach((holds, i) => holds(trimmed(state)) || report(`i${i}`, depth));
    if (toy.next(trimmed(state)).length === 0 && !toy.isValidEnd?.(trimmed(state))) report("deadlock", depth);
    const inside = [state];
    const seen = new Set<string>();
    for (const from of inside) {
      const steps = toy.next(trimmed(from));
      if (from !== state && steps.length === 0 && !toy.isValidEnd?.(trimmed(from)))
        report("deadlock", depth + 1);
      for (const { to, fault, intermediate } of steps) {
        if (fault !== undefined) report(`${fault}`, depth + 1);
        if (!to) continue;
        if (intermediate) {
          if (!seen.has(key(to))) inside.push(to);
          seen.add(key(to));
          continue;
        }
        transitions++;
        if (depths.has(key(to))) continue;
        depths.set(key(to), depth + 1);
        queue.push(to);
      }
    }
  }
  return { states: depths.size, transitions, depth: Math.max(...depths.values()), errors, occurrences };
}
