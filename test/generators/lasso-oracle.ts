/**
 * Formulas of four shapes on explicit graphs, by fixpoints: no automaton and no product takes part. A state without successors
 * repeats itself.
 */
export type Shape = "F p" | "G p" | "G F p" | "F G p" | "G (p -> F q)";

export const SHAPES: readonly Shape[] = ["F p", "G p", "G F p", "F G p", "G (p -> F q)"];

export interface Graph {
  /** By state; state 0 is the first. Every state is reachable. */
  readonly next: readonly (readonly number[])[];
  readonly p: readonly boolean[];
  readonly q: readonly boolean[];
}

export function satisfies({ next: given, p, q }: Graph, shape: Shape): boolean {
  const next = given.map((to, state) => (to.length === 0 ? [state] : to));
  const no = (one: readonly boolean[]): boolean[] => one.map((value) => !value);
  switch (shape) {
    case "G p":
      return p.every(Boolean);
    case "F p":
      return !staying(next, no(p))[0];
    case "G F p":
      return !staying(next, no(p)).includes(true);
    case "F G p":
      return !p.some((value, state) => !value && isOnCycle(next, state));
    case "G (p -> F q)":
      return !staying(next, no(q)).some((stays, state) => stays && p[state]);
  }
}

/** States from which some execution never leaves the set. */
function staying(next: readonly (readonly number[])[], inside: readonly boolean[]): boolean[] {
  let stays = [...inside];
  for (;;) {
    const left = stays.map((value, state) => value && next[state]!.some((to) => stays[to]));
    if (left.every((value, state) => value === stays[state])) return stays;
    stays = left;
  }
}

function isOnCycle(next: readonly (readonly number[])[], state: number): boolean {
  const queue = [...next[state]!];
  const seen = new Set(queue);
  for (const one of queue)
    for (const to of next[one]!)
      if (!seen.has(to)) {
        seen.add(to);
        queue.push(to);
      }
  return seen.has(state);
}

/** `G F p` under weak fairness: it fails if in a strongly connected part outside `p` every agent moves, or is disabled somewhere. */
export function satisfiesFairly(
  { next, p, moves }: Pick<Graph, "next" | "p"> & { readonly moves: readonly (readonly number[])[] },
  agents: number,
): boolean {
  const reached = new Set(p.flatMap((value, state) => (value ? [] : [state])));
  if ([...reached].some((state) => next[state]!.length === 0)) return false;
  const within = (from: number): Set<number> => {
    const seen = new Set<number>();
    const todo = [from];
    for (const state of todo)
      for (const to of next[state]!)
        if (reached.has(to) && !seen.has(to)) {
          seen.add(to);
          todo.push(to);
        }
    return seen;
  };
  const after = new Map([...reached].map((state) => [state, within(state)] as const));
  return ![...reached].some((state) => {
    if (!after.get(state)!.has(state)) return false;
    const part = [...after.get(state)!].filter((one) => after.get(one)!.has(state));
    return Array.from({ length: agents }, (_, agent) => 1 << agent).every((agent) =>
      part.some((one) => {
        const isEnabled = moves[one]!.some((label) => (label & agent) !== 0);
        const isTaken = next[one]!.some((to, i) => part.includes(to) && (moves[one]![i]! & agent) !== 0);
        return !isEnabled || isTaken;
      }),
    );
  });
}
