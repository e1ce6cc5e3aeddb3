/** The reductions of programs by name, in the order in which they are done. */
export const reductionNames = ["slice", "dead", "merge", "por", "symmetry"] as const;

/** Those of networks that are used wherever they are sound (`docs/languages/sdn.md` says what each does). */
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

/** Those that are used only when they are asked for. */
export const optionalReductionNames = ["transitive", "exact-control"] as const;

export const automaticReductionNames = [...reductionNames, ...networkReductionNames] as const;

export type ReductionName =
  (typeof automaticReductionNames)[number] | (typeof optionalReductionNames)[number];
