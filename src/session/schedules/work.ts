/** Does a job: the given schedules first, then the search, then the failure again for narration. */
import { isNamed } from "../../code/collect/named.js";
import { collectingRejections, Relied } from "../../code/realm/index.js";
import { ScheduleProgram } from "../../code/schedule/index.js";
import { ScheduleSearch, type SearchResult } from "../../engines/schedules/index.js";
import { processorMs, type Plan, type ScheduleRequest } from "../../model/index.js";
import type { Worker } from "../../sandbox/index.js";
import type { Begun, ListJob, Outcome, Replayed, SearchJob } from "./job.js";

/** Runs in the process of the code. Announces each schedule before it runs; never reads messages. */
export const searchHere: Worker<SearchJob> = {
  work: (job, parent) => {
    const onBegin = (plan: Plan): void => parent.send({ plan } satisfies Begun);
    return collectingRejections(() => new TestRunner(job, onBegin).outcome());
  },
};

export const listHere: Worker<ListJob> = {
  work: ({ base, script, limits }) => {
    const { world, allowsEval, search } = limits;
    const options = { base, script, names: [], world, allowsEval, withCosts: false, timeoutMs: undefined };
    return collectingRejections(() => new ScheduleProgram(options).declared(search.maxTurns));
  },
};

class TestRunner {
  readonly #job: SearchJob;
  readonly #program: ScheduleProgram;
  readonly #tracked: ScheduleProgram | undefined;
  readonly #counting: ScheduleProgram | undefined;
  readonly #onBegin: (plan: Plan) => void;
  #isPaused = false;

  constructor(job: SearchJob, onBegin: (plan: Plan) => void) {
    this.#job = job;
    this.#onBegin = onBegin;
    const { base, script, names, limits, tracked, counted } = job;
    const options = {
      base,
      script,
      names,
      world: limits.world,
      allowsEval: limits.allowsEval,
      withCosts: limits.search.strategy === "preemptions" || limits.search.strategy === "delays",
      timeoutMs: job.hanging ? limits.hangMs : undefined,
    };
    this.#program = new ScheduleProgram(options);
    if (counted !== undefined)
      this.#counting = new ScheduleProgram({ ...options, script: counted, counts: true });
    if (tracked && "script" in tracked) this.#tracked = new ScheduleProgram({ ...options, ...tracked });
  }

  outcome(): Outcome {
    const { first, isReplay, hanging } = this.#job;
    if (hanging) return this.#found([], undefined, this.#replay(hanging));
    const declared = this.#declared();
    const found = declared.filter((names) => isNamed(names, this.#job.names)).length;
    // A file that fails to load declares nothing: the first schedule shows the error.
    if (found !== 1 && declared.length > 0)
      return { ...this.#found([], undefined, undefined), found, declared };
    const replayed = first.map((plan) => this.#replay(plan));
    const failed = replayed.find(({ end }) => end === "failed");
    const refused = replayed.find(({ end }) => end === "refused");
    if (failed || isReplay) return { ...this.#found(replayed, undefined, failed), refused };
    const result = this.#tracked ? this.#reducedSearch() : this.#search(this.#whyWhole());
    const failing = result.failing && this.#replay(planOf(result.failing.run.made));
    return {
      ...this.#found(replayed, result, failing),
      isPaused: this.#isPaused,
      refused: refused ?? (result.refused && this.#replay(result.refused)),
      caught: this.#replayOf(result.reliedAt[Relied.caught]),
      endless: this.#replayOf(result.reliedAt[Relied.endless]),
    };
  }

  #whyWhole(): string | undefined {
    const { tracked } = this.#job;
    return tracked && "refused" in tracked ? tracked.refused : undefined;
  }

  /** If the instrumented code behaves differently, runs all schedules. */
  #reducedSearch(): SearchResult {
    const search = this.#newSearch(true);
    for (let request = search.next(); request; request = search.next())
      search.record(this.#runReduced(request, search));
    const result = search.result();
    if (result.unstable) return this.#search("the instrumented code runs otherwise");
    if (result.failing && this.#replay(planOf(result.failing.run.made)).end !== "failed")
      return this.#search("the instrumented code fails otherwise");
    return result;
  }

  /** Lines are counted in the plain script: a schedule runs the same ones as those that it stands for. */
  #runReduced(request: ScheduleRequest, search: ScheduleSearch): ReturnType<ScheduleProgram["run"]> {
    if (search.isComparing) return this.#run(request, this.#program);
    if (!search.isReducing) return this.#run(request, this.#counting ?? this.#program);
    const run = this.#run(request, this.#tracked!);
    if (this.#counting) this.#run({ ...request, plan: planOf(run.made) }, this.#counting);
    return run;
  }

  #declared(): readonly (readonly string[])[] {
    this.#onBegin({ prefix: [], tail: { kind: "first" } });
    return this.#program.names();
  }

  #search(whyWhole: string | undefined): SearchResult {
    const search = this.#newSearch(false);
    for (let request = search.next(); request; request = search.next())
      search.record(this.#run(request, this.#counting ?? this.#program));
    this.#isPaused = search.isPaused;
    return { ...search.result(), ...(whyWhole === undefined ? {} : { isReduced: whyWhole }) };
  }

  #newSearch = (reduces: boolean): ScheduleSearch =>
    new ScheduleSearch({
      ...this.#job.limits.search,
      reduces,
      ...(this.#job.pausesAt === undefined ? {} : { pausesAt: this.#job.pausesAt }),
      ...(this.#job.leastGain === undefined ? {} : { leastGain: this.#job.leastGain }),
      now: () => performance.now(),
      cpuNow: processorMs,
    });

  #run(request: ScheduleRequest, program: ScheduleProgram): ReturnType<ScheduleProgram["run"]> {
    this.#onBegin(request.plan);
    return program.run(request);
  }

  #replayOf(plan: Plan | undefined): Replayed | undefined {
    return plan && this.#replay(plan);
  }

  #replay(plan: Plan): Replayed {
    this.#onBegin(plan);
    const { report, schedule } = this.#program.runRecorded(plan, this.#job.limits.search.maxTurns);
    return { plan, report, end: schedule.end, options: schedule.made.map(({ options }) => options) };
  }

  #found(replayed: Replayed[], result: Outcome["result"], failing: Replayed | undefined): Outcome {
    const hits = this.#counting?.hits;
    return { found: 1, declared: [], replayed, result, failing, hits };
  }
}

const planOf = (made: readonly { value: number }[]): Plan => ({
  prefix: made.map(({ value }) => value),
  tail: { kind: "first" },
});
