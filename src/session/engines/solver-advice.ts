/** Advice for analyses that a solver left undecided: by the reason, since a longer time helps against few of them. */
export function adviceOn(reason: string, otherwise: string): string {
  return ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? otherwise;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/is not installed|cannot be started/, "install it, or leave out --solver"],
  [
    /could not allocate|cannot create pipes/,
    "raise the limit of the address space (`ulimit -v`), or use a native solver with --solver native",
  ],
  [/out of memory/, "raise --memory, or try another --solver"],
  [/was killed|ended with code|answered nothing|it ended/, "try another --solver"],
  [/whose meaning is not analysed/, "replace the function by an attribute of a base tuple, and constrain it"],
  [/is not inductive/, "weaken the annotation, or add constraints that exclude the tuples"],
  [
    /more than \d+ (derivations|combinations|choices)/,
    "cut the recursion elsewhere with `cut`, or ask about fewer tuples at once",
  ],
  [/Horn clauses need Z3/, "use --solver z3"],
];
