/** A back end: a solver that reads SMT-LIB text and answers with text, one exchange at a time. */
export interface Backend {
  readonly name: string;
  /** Returns the output of the commands. If it throws `SolverFailure`, the next call uses a new solver. */
  ask(commands: string, timeMs: number): string;
  /** Commands that limit a check to this time; empty if `ask` enforces the limit. */
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
