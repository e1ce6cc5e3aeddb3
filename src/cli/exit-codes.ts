/** Exit codes for scripts. */
export const Exit = { holds: 0, violated: 1, unknown: 2, badInput: 3, internal: 70, notWritten: 74 } as const;
