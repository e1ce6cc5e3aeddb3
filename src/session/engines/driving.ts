/** Drives generators of engines that ask a solver: watches time and requests to stop, and reports progress. */
import { isTimeUp, type SolverFigures } from "../../model/index.js";
import type { EngineRequest, SearchEnd } from "../contracts.js";
import { remaining } from "../pipeline/totals.js";

export interface Driven {
  readonly request: EngineRequest;
  readonly opened: { readonly solver: { figures(): SolverFigures } } | undefined;
  readonly started: number;
}

/** Runs a generator until it ends, or for `timeMs`. */
export async function drive<T>(
  steps: Generator<undefined, T>,
  work: Driven,
  timeMs: number,
): Promise<T | undefined> {
  const deadline = performance.now() + timeMs;
  let pause = performance.now() + SLICE_MS;
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return value;
    const now = performance.now();
    if (now > pause) {
      // Signals and timers of the process have their turn.
      await new Promise((resolve) => setImmediate(resolve));
      const seconds = (now - work.started) / 1000;
      work.request.control.onProgress?.({
        states: count,
        transitions: count,
        depth: 0,
        frontier: 0,
        bytes: 0,
        seconds,
      });
      pause = now + SLICE_MS;
    }
    if (now > deadline || isOver(work)) return undefined;
  }
}

const SLICE_MS = 100;

export const leftMs = ({ request: { budget }, started }: Driven): number =>
  remaining(budget, 0, performance.now() - started).timeMs ?? Infinity;

const isStopped = ({ request: { control } }: Driven): boolean => control.isStopped?.() === true;

export const isOver = (work: Driven): boolean =>
  isStopped(work) ||
  isTimeUp(work.request.budget, performance.now(), work.started + (work.request.budget.timeMs ?? Infinity));

export const endOf = (work: Driven): SearchEnd => (isStopped(work) ? "stopped" : "budget");
export function whyOver(work: Driven): string {
  const why = isStopped(work) ? "the analysis was interrupted" : "the time ran out";
  const { unanswered = 0, lastReason = "" } = work.opened?.solver.figures() ?? {};
  return unanswered > 0 ? `${why}; ${unanswered} queries were left open: ${lastReason}` : why;
}
