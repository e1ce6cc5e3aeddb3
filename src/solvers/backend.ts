/** A back end: a solver that reads SMT-LIB text and answers with text, one exchange at a time. */
export interface Backend {
  readonly name: string;
  /** Output of the commands. Throws `SolverFailure`; the next call then finds a new solver. */
  ask(commands: string, timeMs: number): string;
  /** Resource limit of a check that takes this long, as commands; empty: `ask` itself limits it. */
  limit(timeMs: number): string;
  close(): void;
}

/** The solver gave no answer: it hung, ran out of memory, died or cannot start. */
export class SolverFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SolverFailure";
  }
}

/** Blocks this thread. */
export function sleep(ms: number): void {
  Atomics.wait(SLEEPING, 0, 0, ms);
}

const SLEEPING = new Int32Array(new SharedArrayBuffer(4));
