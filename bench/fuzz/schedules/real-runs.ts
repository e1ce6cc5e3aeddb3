/** Runs programs on Node in concurrent processes, one at a time in each, since timers of several would fire together. */
import { fork, type ChildProcess } from "node:child_process";
import type { AsyncProgram } from "./program.js";
import { RealWorld, realOutcomes } from "./real.js";

interface Asked {
  readonly program: AsyncProgram;
  readonly runs: number;
}

/** Outcomes with their frequencies. */
type Seen = readonly (readonly [string, number])[];

export class RealRuns {
  readonly #idle: ChildProcess[];
  readonly #waiting: ((child: ChildProcess) => void)[] = [];

  constructor(processes: number) {
    this.#idle = Array.from({ length: processes }, () => fork(process.argv[1]!, [CHILD]));
  }

  async outcomes(program: AsyncProgram, runs: number): Promise<ReadonlyMap<string, number>> {
    const child =
      this.#idle.pop() ?? (await new Promise<ChildProcess>((resolve) => this.#waiting.push(resolve)));
    const seen = await new Promise<Seen>((resolve, reject) => {
      const end = (code: number | null): void => reject(new Error(`a process ended with ${code}`));
      child.once("exit", end);
      child.once("message", (message) => {
        child.off("exit", end);
        resolve(message as Seen);
      });
      child.send({ program, runs } satisfies Asked);
    });
    const next = this.#waiting.shift();
    if (next) next(child);
    else this.#idle.push(child);
    return new Map(seen);
  }

  close(): void {
    for (const child of this.#idle) child.disconnect();
  }
}

const CHILD = "--real-runs";
export const isChild = process.argv.includes(CHILD);

export async function serveRuns(): Promise<void> {
  const real = new RealWorld();
  await real.listen();
  process.on("message", ({ program, runs }: Asked) => {
    void realOutcomes(real, program, runs).then((seen) => process.send!([...seen]));
  });
  process.on("disconnect", () => real.close());
}
