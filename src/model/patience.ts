/**
 * Limits single steps. A search polls its budgets between steps; code that can stay inside one step for long counts its iterations and calls, and
 * polls here after every `ROUNDS_BETWEEN_LOOKS` of them.
 */

/** An aborted step: neither an error of the model nor an internal one. */
export class StepTooLong extends Error {
  constructor(
    readonly stop: "step" | "time" | "tokens" | "memory",
    message?: string,
  ) {
    super(
      message ??
        (stop === "time"
          ? "the time ran out inside a single step"
          : `a single step takes more than 1,000,000,000 rounds of loops and calls`),
    );
    this.name = "StepTooLong";
  }
}

/** Some seconds of generated code. */
const MOST_ROUNDS_OF_STEP = 1_000_000_000;
export const ROUNDS_BETWEEN_LOOKS = 1 << 20;

let deadline = Infinity;

/** Runs `action`, in which steps that last beyond the deadline (of `performance.now()`) are given up. */
export function withDeadline<T>(ms: number, action: () => T): T {
  const outer = deadline;
  deadline = Math.min(outer, ms);
  try {
    return action();
  } finally {
    deadline = outer;
  }
}

/** After that many rounds, when to look again; throws if the step is to be given up. */
export function patience(rounds: number): number {
  if (rounds > MOST_ROUNDS_OF_STEP) throw new StepTooLong("step");
  if (performance.now() > deadline) throw new StepTooLong("time");
  return rounds + ROUNDS_BETWEEN_LOOKS;
}
