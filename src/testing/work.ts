/** Does a job: the schedules given first, then the search, then the failure once more to be told. */
import { collectingRejections } from "../code/realm/index.js";
import { ScheduleProgram } from "../code/schedule/index.js";
import { ScheduleSearch } from "../engines/schedules/index.js";
import type { Plan, ScheduleRequest } from "../model/index.js";
import type { Job, Outcome, Replayed } from "./job.js";

/** `onBegin` is told each schedule before it runs. */
export function work(job: Job, onBegin: (plan: Plan) => void): Outcome {
  return collectingRejections(() => new Worker(job, onBegin).outcome());
}

class Worker {
  readonly #job: Job;
  readonly #program: ScheduleProgram;
  readonly #onBegin: (plan: Plan) => void;

  constructor(job: Job, onBegin: (plan: Plan) => void) {
    this.#job = job;
    this.#onBegin = onBegin;
    const { base, script, names, limits } = job;
    this.#program = new ScheduleProgram({
      base,
      script,
      names,
      world: limits.world,
      allowsEval: limits.allowsEval,
      withLanes: limits.search.strategy === "preemptions",
      timeoutMs: job.hanging ? limits.hangMs : undefined,
    });
  }

  outcome(): Outcome {
    const { first, isReplay, hanging } = this.#job;
    if (hanging) return this.#found([], undefined, this.#replay(hanging));
    const declared = this.#declared();
    const found = declared.filter((names) => endsWith(names, this.#job.names)).length;
    // A file that fails while it is loaded declares nothing: the first schedule shows why.
    if (found !== 1 && declared.length > 0)
      return { ...this.#found([], undefined, undefined), found, declared };
    const replayed = first.map((plan) => this.#replay(plan));
    const failed = replayed.find(({ end }) => end === "failed");
    if (failed || isReplay) return this.#found(replayed, undefined, failed);
    const result = this.#search();
    const failing = result.failing && this.#replay(planOf(result.failing.run.made));
    return this.#found(replayed, result, failing);
  }

  #declared(): readonly (readonly string[])[] {
    this.#onBegin({ prefix: [], tail: { kind: "first" } });
    return this.#program.names();
  }

  #search(): ReturnType<ScheduleSearch["result"]> {
    const search = new ScheduleSearch({ ...this.#job.limits.search, now: () => performance.now() });
    for (let request = search.next(); request; request = search.next()) search.record(this.#run(request));
    return search.result();
  }

  #run(request: ScheduleRequest): ReturnType<ScheduleProgram["run"]> {
    this.#onBegin(request.plan);
    return this.#program.run(request);
  }

  #replay(plan: Plan): Replayed {
    this.#onBegin(plan);
    const { report, schedule } = this.#program.tell(plan, this.#job.limits.search.maxTurns);
    return { plan, report, end: schedule.end, options: schedule.made.map(({ options }) => options) };
  }

  #found(replayed: Replayed[], result: Outcome["result"], failing: Replayed | undefined): Outcome {
    return { kind: "outcome", found: 1, declared: [], replayed, result, failing };
  }
}

const planOf = (made: readonly { value: number }[]): Plan => ({
  prefix: made.map(({ value }) => value),
  tail: { kind: "first" },
});

const endsWith = (names: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((name, i) => names.at(i - wanted.length) === name);
