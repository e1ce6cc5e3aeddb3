/**
 * Runs a test under its schedules in a process of its own. When nothing is heard of a schedule for too long, the process is ended and the
 * schedule run once more with the clock on every turn, which is slow but shows the turn that does not end.
 */
import type { Plan } from "../../model/index.js";
import { converse, startChild, type Conversation } from "../../sandbox/index.js";
import type { Begun, Outcome, SearchJob } from "./job.js";

export type Ending =
  | ({ readonly kind: "outcome" } & Outcome)
  /** The process ended by itself: out of memory, most likely. */
  | { readonly kind: "crashed"; readonly plan: Plan | undefined; readonly reason: string }
  /** It did not end, and not even the turn could be found. */
  | { readonly kind: "hung"; readonly plan: Plan }
  | { readonly kind: "stopped" };

/** What the caller looks at on the way. */
export type Watch = Pick<Conversation<Begun>, "isStopped" | "onNews">;

export async function runJob(job: SearchJob, watch: Watch = {}): Promise<Ending> {
  const { hangMs } = job.limits;
  const first = await attempt(job, hangMs + LATENESS_MS, watch);
  // Compiling counts as well, so the second process has more time than its turns.
  return explained(first, (hanging) => attempt({ ...job, hanging }, hangMs * 3 + 6000, watch));
}

/** Of a schedule that did not end, the second run counts only if it shows the turn: that it passes says nothing about the others. */
export async function explained(first: Ending, again: (plan: Plan) => Promise<Ending>): Promise<Ending> {
  if (first.kind !== "hung") return first;
  const second = await again(first.plan);
  const shown = second.kind === "outcome" ? second.failing : undefined;
  return shown ? second : first; // sound: test/testing/processes.test.ts
}

/** A busy machine takes its time to read what was said. */
const LATENESS_MS = 500;

async function attempt(job: SearchJob, hangMs: number, watch: Watch): Promise<Ending> {
  const { memoryMb: heapMb } = job.limits;
  const child = await startChild({ heapMb, permission: { processorSeconds: processorSeconds(job.limits) } });
  let plan: Plan | undefined;
  const ending = await converse<Outcome, Begun>(child, job, {
    hangMs,
    isDeaf: true,
    // A test framework decides what signals mean to it; a command that can be stopped ends both processes.
    leavesSignals: watch.isStopped === undefined,
    ...watch,
    onNews: (begun) => {
      ({ plan } = begun);
      watch.onNews?.(begun);
    },
  });
  switch (ending.kind) {
    case "answered":
      return { kind: "outcome", ...ending.answer };
    case "broken":
      throw ending.error;
    case "refused":
      throw new Error(ending.problem.message);
    case "hung":
      return { kind: "hung", plan: plan ?? { prefix: [], tail: { kind: "first" } } };
    case "gone":
      return { kind: "crashed", plan, reason: ending.reason };
    case "stopped":
      return ending;
  }
}

/** Generous: several threads collect garbage at a time. */
const processorSeconds = ({ search, hangMs }: SearchJob["limits"]): number =>
  60 +
  Math.ceil(
    (4 * (Math.min(search.timeMs, search.cpuMs ?? Infinity) + search.shorteningMs + 3 * hangMs)) / 1000,
  );
