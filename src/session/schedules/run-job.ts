/**
 * Runs a test under its schedules in a separate process. If a schedule stays silent for too long, ends the process and repeats the
 * schedule with a time limit on every turn, which is slow but identifies the turn that hangs.
 */
import type { Plan } from "../../model/index.js";
import { converse, startChild, type Conversation } from "../../sandbox/index.js";
import type { Begun, Outcome, SearchJob } from "./job.js";

export type Ending =
  | ({ readonly kind: "outcome" } & Outcome)
  /** The process died, probably out of memory. */
  | { readonly kind: "crashed"; readonly plan: Plan | undefined; readonly reason: string }
  /** The schedule did not end, and the hanging turn was not found. */
  | { readonly kind: "hung"; readonly plan: Plan }
  | { readonly kind: "stopped" };

/** Callbacks of the caller. */
export type Watch = Pick<Conversation<Begun>, "isStopped" | "onNews">;

export async function runJob(job: SearchJob, watch: Watch = {}): Promise<Ending> {
  const { hangMs } = job.limits;
  const first = await attempt(job, hangMs + LATENESS_MS, watch);
  // Compilation also takes time, so the second process has more than its turns need.
  return explained(first, (hanging) => attempt({ ...job, hanging }, hangMs * 3 + 6000, watch));
}

/**
 * After a schedule that did not end, the second run counts only if it identifies the turn: its success proves nothing about other
 * schedules.
 */
export async function explained(first: Ending, again: (plan: Plan) => Promise<Ending>): Promise<Ending> {
  if (first.kind !== "hung") return first;
  const second = await again(first.plan);
  const shown = second.kind === "outcome" ? second.failing : undefined;
  return shown ? second : first; // sound: test/testing/processes.test.ts
}

/** A busy machine reads messages late. */
const LATENESS_MS = 500;

async function attempt(job: SearchJob, hangMs: number, watch: Watch): Promise<Ending> {
  const { memoryMb: heapMb } = job.limits;
  const child = await startChild({ heapMb, permission: { processorSeconds: processorSeconds(job.limits) } });
  let plan: Plan | undefined;
  const ending = await converse<Outcome, Begun>(child, job, {
    hangMs,
    isDeaf: true,
    // A test framework handles signals itself; an interruptible command ends both processes.
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

/** Generous: garbage collection uses several threads. */
const processorSeconds = ({ search, hangMs }: SearchJob["limits"]): number =>
  60 +
  Math.ceil(
    (4 * (Math.min(search.timeMs, search.cpuMs ?? Infinity) + search.shorteningMs + 3 * hangMs)) / 1000,
  );
