/** Sources of the next step of a simulation: chance, a trace, or (in `interactive.ts`) the user. */
import type { Outcome } from "../report/index.js";
import type { Random, SteppedRun } from "../session/index.js";

export interface Chooser {
  /** A choice, or why there is none. */
  next(simulation: SteppedRun): Promise<number | Stop>;
  /** Releases its resources, such as standard input. */
  close(): void;
}

export interface Stop {
  readonly outcome: Outcome;
  readonly reason: string;
}

export const chooseAtRandom = (random: Random): Chooser => ({
  next: async (simulation) => random.below(simulation.count),
  close: () => {},
});

/** Follows the choices; stops where they end, where the model does not offer one, or at once if there are none. */
export const chooseByTrace = (choices: readonly number[] | { readonly problem: string }): Chooser => ({
  next: async (simulation) => {
    if ("problem" in choices) return { outcome: "diverged", reason: choices.problem };
    const step = simulation.choices.length;
    const choice = choices[step];
    if (choice === undefined) return { outcome: "open", reason: "the trace ends here" };
    if (choice < simulation.count) return choice;
    const reason = `the trace takes choice ${choice} at step ${step + 1}, the model offers ${simulation.count}`;
    return { outcome: "diverged", reason };
  },
  close: () => {},
});
