/** One test, with a new realm for every schedule. */
import { Script } from "node:vm";
import type { Made, Plan, Races, ScheduleRequest, ScheduleRun } from "../../model/index.js";
import {
  Realm,
  Turn,
  isOutOfTime,
  watchingPromises,
  watchJobs,
  type PromiseListener,
  type WorldOptions,
  type WorldReport,
} from "../realm/index.js";
import { nth } from "../../model/known.js";

export interface ProgramOptions {
  readonly base: string;
  readonly script: string;
  /** Names of suites and of the test; the suites may be omitted. */
  readonly names: readonly string[];
  readonly world: WorldOptions;
  readonly allowsEval: boolean;
  /** Computes the costs of options. */
  readonly withCosts: boolean;
  /** Evaluated before an instrumented bundle, to track accesses of turns; absent: no tracking. */
  readonly tracking?: string | undefined;
  /** The script counts its executed points (`../covering`). */
  readonly counts?: boolean;
  /** Time limit of each evaluation, to detect endless loops. */
  readonly timeoutMs: number | undefined;
}

export interface Run {
  readonly schedule: ScheduleRun;
  readonly report: WorldReport;
}

/** Tests of a file (`DeclaredFile` as JSON), or the failure of loading it. */
export interface Declared extends Pick<WorldReport, "failure"> {
  readonly text: string;
  /** A top-level `await` is still pending. */
  readonly isLoading: boolean;
}

export class ScheduleProgram {
  readonly #options: ProgramOptions;
  readonly #base: Script;
  readonly #script: Script;
  readonly #tracking: Script | undefined;
  readonly #hits = new Set<number>();

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.#base = new Script(options.base, { filename: baseName });
    this.#script = new Script(options.script, { filename: bundleName });
    if (options.tracking !== undefined) this.#tracking = new Script(options.tracking);
  }

  run(request: ScheduleRequest): ScheduleRun {
    const realm = this.#realm({ ...this.#options.world, ...request });
    if (!this.#tracking) {
      const isSpent = this.#play(realm, noStep);
      if (this.#options.counts) this.#count(realm);
      return this.#scheduleRun(realm, isSpent);
    }
    this.#tracking.runInContext(realm.context);
    const tracking = scripts.tracking.runInContext(realm.context) as Tracking;
    const isSpent = watchingPromises(tracking, () => this.#play(realm, noStep));
    const races = JSON.parse(tracking.races()) as string | [number, number[][]][];
    return { ...this.#scheduleRun(realm, isSpent), races: racesOf(races) };
  }

  /** Points of a counting script that some schedule executed. */
  get hits(): readonly number[] {
    return [...this.#hits];
  }

  #count(realm: Realm): void {
    const hits = realm.run(scripts.hits);
    if (typeof hits !== "string") return;
    for (let at = hits.indexOf("1"); at >= 0; at = hits.indexOf("1", at + 1)) this.#hits.add(at);
  }

  /** Repeats a run and records its events; without `recordsEvents`, only its output. */
  runRecorded(plan: Plan, maxTurns: number, recordsEvents = true): Run {
    const realm = this.#realm({ ...this.#options.world, plan, maxTurns, recordsEvents });
    let step = "";
    try {
      const isSpent = this.#play(realm, (name) => (step = name));
      return { report: realm.report(), schedule: this.#scheduleRun(realm, isSpent) };
    } catch (error) {
      if (!this.#isTimeout(error)) throw error;
      const seconds = this.#options.timeoutMs! / 1000;
      const report = realm.reportHanging(`${step} does not end: it was still running after ${seconds} s`);
      const made = report.made.map(({ options, value }) => ({ options, value, isTurn: false, turn: 0 }));
      return {
        report,
        schedule: { made, turns: report.turns, tasks: 0, fingerprint: 0, relied: 0, end: "failed" },
      };
    }
  }

  /** Names of the tests that the file declares. */
  names(): readonly (readonly string[])[] {
    const realm = this.#realm({ ...this.#options.world, maxTurns: 0 });
    this.#evaluate(realm);
    const text = realm.run(scripts.names);
    return typeof text === "string" ? (JSON.parse(text) as string[][]) : [];
  }

  /** Tests that the file declares, as JSON, and the result of loading it. */
  declared(maxTurns: number): Declared {
    const realm = this.#realm({ ...this.#options.world, maxTurns });
    this.#evaluate(realm);
    const text = realm.run(scripts.tests);
    const { failure } = realm.report();
    const isLoading = realm.run(scripts.isLoading) === 1;
    return { text: typeof text === "string" ? text : "", isLoading, ...(failure ? { failure } : {}) };
  }

  /** True if the run exceeded its limit of turns. */
  #play(realm: Realm, onStep: (name: string) => void): boolean {
    const stop = watchJobs(realm.onJob);
    try {
      return this.#playWatched(realm, onStep);
    } finally {
      stop();
    }
  }

  #playWatched(realm: Realm, onStep: (name: string) => void): boolean {
    onStep("the test file");
    realm.want(this.#options.names);
    this.#evaluate(realm);
    onStep("the start of the test");
    realm.give(JSON.stringify(this.#options.names));
    realm.run(scripts.start);
    realm.settle();
    for (let turn = 1; ; turn++) {
      onStep(`turn ${turn}`);
      const answer = realm.turn();
      if (answer === Turn.again) continue;
      if (answer === Turn.idle && realm.run(scripts.isWaiting) === 1) realm.fail("deadlock", deadlock); // sound: test/code/given-up.test.ts test/code/conditions.test.ts
      return answer === Turn.spent; // sound: test/code/given-up.test.ts test/code/conditions.test.ts
    }
  }

  #isTimeout(error: unknown): boolean {
    return this.#options.timeoutMs !== undefined && isOutOfTime(error);
  }

  #realm(world: WorldOptions): Realm {
    const { allowsEval, timeoutMs } = this.#options;
    return new Realm({
      base: this.#base,
      world,
      allowsEval,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  /** A file with a top-level `await` needs turns before it declares tests: in the default order. */
  #evaluate(realm: Realm): void {
    try {
      realm.run(this.#script);
    } catch (error) {
      if (this.#isTimeout(error)) throw error;
      realm.throwInside(error);
    }
    realm.settle();
    while (realm.run(scripts.isLoading) === 1 && realm.turn() === Turn.again);
    realm.loaded(); // sound: test/code/refusals.test.ts
  }

  #scheduleRun(realm: Realm, isSpent: boolean): ScheduleRun {
    const text = realm.summary(this.#options.withCosts);
    const [numbers, costs] = (text.startsWith("[") ? JSON.parse(text) : [JSON.parse(`[${text}]`), []]) as [
      number[],
      (number[] | null)[],
    ];
    const [end, turns, fingerprint, tasks, relied, ...rest] = numbers as [
      number,
      number,
      number,
      number,
      number,
      ...number[],
    ];
    const made: Made[] = [];
    for (let i = 0; i < rest.length; i += 4)
      made.push({
        options: nth(rest, i),
        value: nth(rest, i + 1),
        turn: nth(rest, i + 2),
        isTurn: rest[i + 3] === 1,
        costs: costs[i / 4] ?? undefined,
      });
    const ending = endings[end] ?? (isSpent ? "spent" : "passed");
    return { made, turns, tasks, fingerprint, relied, end: ending };
  }
}

const endings: Readonly<Record<number, ScheduleRun["end"]>> = { 1: "failed", 2: "stuck", 3: "refused" };

/** Functions of the realm for the host (`../tracking`). */
interface Tracking extends PromiseListener {
  races(): string;
}

const racesOf = (races: string | [number, number[][]][]): Races =>
  typeof races === "string"
    ? { incomplete: races }
    : { found: races.flatMap(([choice, sets]) => sets.map((options) => ({ choice, options }))) };

const bundleName = "everypath:bundle";
const baseName = "everypath:world";

const deadlock = "nothing is pending any more, and the test still waits";

const scripts = {
  start: new Script('globalThis[Symbol.for("everypath.start")]?.(everypath_inbox)'),
  names: new Script('globalThis[Symbol.for("everypath.names")]?.()'),
  tests: new Script('globalThis[Symbol.for("everypath.tests")]?.()'),
  hits: new Script('globalThis[Symbol.for("everypath.hits")]?.()'),
  tracking: new Script('globalThis[Symbol.for("everypath.tracking")]'),
  isLoading: new Script('globalThis[Symbol.for("everypath.mailbox")].isLoading()'),
  isWaiting: new Script('globalThis[Symbol.for("everypath.mailbox")].isWaiting()'),
};

const noStep = (): void => {};
