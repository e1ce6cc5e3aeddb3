/** A random program on Node itself: real timers, files, sockets and HTTP, services with random delays. */
import * as fs from "node:fs";
import { createServer, type Server } from "node:http";
import * as net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interpret } from "./interpret.js";
import type { AsyncProgram } from "./program.js";

export interface RealRun {
  readonly outcome: string;
  /** Something came later than the world allows: the machine was busy, and the run is inconclusive. */
  readonly isLate: boolean;
}

interface SetTimer {
  readonly turn: number | undefined;
  readonly start: number;
  readonly ms: number;
}

/** Turns of the event loop, if Node counts them. */
const loopCount = (): number | undefined =>
  (performance.nodeTiming as unknown as { uvMetricsInfo?: { loopCount: number } }).uvMetricsInfo?.loopCount;

type Handler = (task: string, done: () => void) => void;

/** One server for all programs: a path is the number of a run and of a task in it. */
export class RealWorld {
  readonly #server: Server;
  readonly #handlers = new Map<string, Handler>();
  #runs = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const [, run = "", task = ""] = (request.url ?? "").split("/");
      this.#handlers.get(run)?.(task, () => {
        // A kept connection would be closed during exploration.
        response.writeHead(200, { connection: "close" });
        response.flushHeaders();
        randomly(() => response.end(`body ${task}`));
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, "127.0.0.1", resolve));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async run(program: AsyncProgram): Promise<RealRun> {
    const run = `${++this.#runs}`;
    const log: string[] = [];
    const folder = fs.mkdtempSync(join(tmpdir(), "everypath-real-"));
    let isLate = false;
    const failures = program.fails ? [1, 1] : [0, 0];
    const left: Promise<unknown>[] = [];
    const handled: Promise<void>[] = [];
    this.#handlers.set(run, (task, done) => {
      randomly(() => {
        log.push(`handler ${task}`);
        randomly(done);
      });
    });
    const set: SetTimer[] = [];
    const timed = (run: () => void, ms: number, later: (run: () => void) => void): void => {
      const start = performance.now();
      const turn = loopCount();
      set.push({ turn, start, ms });
      left.push(
        new Promise<void>((resolve) =>
          later(() => {
            if (performance.now() - start - ms > latestMs) isLate = true;
            run();
            resolve();
          }),
        ),
      );
      // The machine was late between two timers of one turn, which the world sets at one moment. Node counts whole
      // milliseconds.
      const end = performance.now() + 1;
      isLate ||= set.some((one) => one.turn === turn && one.ms > ms && end - one.start >= one.ms - ms);
    };
    const ask = (service: number): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const effect = (): void => void log.push(`effect ${service}`);
        const fails = failures[service]! > 0 && Math.random() < 0.5;
        if (fails) failures[service]!--;
        const error = Object.assign(new Error("failed"), { name: "Error" });
        const kind = Math.random();
        if (fails && kind < 0.3) return randomly(() => reject(error));
        if (fails && kind < 0.6)
          return randomly(() => {
            reject(error);
            handled.push(new Promise<void>((done) => randomly(() => (effect(), done()))));
          });
        if (kind < 0.8 || fails)
          return randomly(() => {
            effect();
            randomly(() => (fails ? reject(error) : resolve(`answer ${service}`)));
          });
        randomly(() => {
          effect();
          resolve(`answer ${service}`);
        });
      });
    const { port } = this.#server.address() as net.AddressInfo;
    await interpret(
      program,
      {
        fs,
        net,
        folder,
        log: (text) => void log.push(text),
        ask,
        fetch: async (task, signal) => {
          const response = await fetch(`http://127.0.0.1:${port}/${run}/${task}`, signal ? { signal } : {});
          // The server gave up.
          if (response.status !== 200) isLate = true;
          return response;
        },
        setTimeout: (go, ms) => timed(go, ms, (later) => void setTimeout(later, ms)),
        setImmediate: (go) => timed(go, 0, (later) => void setImmediate(later)),
      },
      left,
    );
    for (let count = -1; count !== left.length + handled.length;) {
      count = left.length + handled.length;
      await Promise.allSettled([...left, ...handled]);
    }
    // Waits for a server's work on an aborted request.
    await new Promise((resolve) => void setTimeout(resolve, 3 * longestMs));
    this.#handlers.delete(run);
    fs.rmSync(folder, { recursive: true, force: true });
    return { outcome: log.join("\n"), isLate };
  }
}

/** Outcomes with their frequencies. Omits late runs, and repeats them once. */
export async function realOutcomes(
  real: RealWorld,
  program: AsyncProgram,
  runs: number,
): Promise<ReadonlyMap<string, number>> {
  const outcomes = new Map<string, number>();
  for (let i = 0, left = runs; i < 2 * runs && left > 0; i++) {
    const { outcome, isLate } = await real.run(program);
    if (isLate) continue;
    left--;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}

/** Half of the world's tolerance in these comparisons, as other turns of the loop are not measured. */
export const latestMs = 30;
const longestMs = 14;

/**
 * Avoids the programs' delays, because Node fires timers of one delay together, and immediates, which would come between
 * the program's: external events arrive as input.
 */
function randomly(run: () => void): void {
  const ms = Math.floor(Math.random() * longestMs);
  if (ms < 2) fs.stat("/", () => run());
  else setTimeout(run, ms % 5 === 0 ? ms + 1 : ms);
}
