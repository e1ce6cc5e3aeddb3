/** The reductions by name, in the order in which they are done. */
export const reductionNames = ["slice", "dead", "merge", "por", "symmetry"] as const;

export type ReductionName = (typeof reductionNames)[number];
