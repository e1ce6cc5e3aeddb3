/** The reductions of programs by name, in the order in which they are done. */
export const reductionNames = ["slice", "dead", "merge", "por", "symmetry"] as const;

/** Reductions of networks that are used whenever they are sound (described in `docs/languages/sdn.md`). */
export const networkReductionNames = [
  "barrier",
  "client",
  "counter",
  "one-shot",
  "controller",
  "eager",
  "preload",
  "arrival",
] as const;

/** Reductions used only on request. */
export const optionalReductionNames = ["transitive", "exact-control"] as const;

export const automaticReductionNames = [...reductionNames, ...networkReductionNames] as const;

export type ReductionName =
  (typeof automaticReductionNames)[number] | (typeof optionalReductionNames)[number];
