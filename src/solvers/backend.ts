/** A back end: a solver that reads SMT-LIB text and answers with text, one exchange at a time. */
export interface Backend {
  readonly name: string;
  /** Returns the output of the commands. If it throws `SolverFailure`, the next call uses a new solver. */
  ask(commands: string, timeMs: number): string;
  /** Sends the commands and returns at once; the next exchange waits for the end of this one. */
  begin(commands: string, timeMs: number): Exchange;
  /** Commands that limit a check to this time; empty if `ask` enforces the limit. */
  limit(timeMs: number): string;
  close(): void;
}

export interface Exchange {
  /** Waits for at most this time; undefined: there is no answer yet. Throws `SolverFailure`. */
  poll(waitMs: number): string | undefined;
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

/** Waits for the end of an exchange. */
export function answerOf(exchange: Exchange): string {
  for (;;) {
    const output = exchange.poll(LONG_MS);
    if (output !== undefined) return output;
  }
}

const LONG_MS = 3_600_000;

/** A failed solver is closed, so that the next exchange starts another one. */
export function endingAtFailure({ poll }: Exchange, close: () => void): Exchange {
  return {
    poll: (waitMs) => {
      try {
        return poll(waitMs);
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}
