/** Exit codes for scripts. */
export const Exit = { holds: 0, violated: 1, unknown: 2, badInput: 3, internal: 70, notWritten: 74 } as const;

/** The meaning of each code, for help and the manual. */
export const exitCodeTexts = [
  [Exit.holds, "every checked property holds"],
  [Exit.violated, "some property is violated; a replay reproduced; a simulation reached an error"],
  [Exit.unknown, "unknown: a limit was reached, or a feature is not supported yet"],
  [Exit.badInput, "bad input or usage"],
  [Exit.internal, "internal error"],
  [Exit.notWritten, "the result could not be written"],
] as const;
