/**
 * Steps of single nodes, each executed once, with all combinations of choices.
 *
 * Choices are discovered during execution, and the number of options of one may depend on earlier ones; so they are
 * enumerated like an odometer whose wheels are known only up to the current position.
 */
import { isMainThread } from "node:worker_threads";
import type { Call, CrashPoint, Side, StepReport } from "./node-runtime.js";
import type { Journal, Table } from "../../model/journal.js";
import {
  StepTimeout,
  Nondeterminism,
  type LocalStep,
  type NodeProcess,
  type StepOptions,
} from "./node-process.js";
import type { Remains } from "./remains.js";
import { retryStarved } from "./run-step.js";
import { nth } from "../../model/known.js";

export interface Outcome {
  /** The node's next state; 0 if the step failed. */
  readonly next: number;
  readonly sends: readonly OutgoingMessage[];
  /** Site of the fault, or -1. */
  readonly site: number;
  /** Number of injected failures. */
  readonly failed: number;
  /** Exceeds the declared bound. */
  readonly isDiscarded: boolean;
  /** Crash during the step, if any. */
  readonly crash: CrashInside | undefined;
  readonly choices: readonly number[];
  readonly report: StepReport;
}

export interface CrashInside {
  readonly effects: number;
  /** Number of messages among them. */
  readonly sends: number;
  /** Number of unsynced writes, and indices of the surviving ones. */
  readonly unsynced: number;
  readonly kept: readonly number[];
  /** Index of the write that survives in part, if any. */
  readonly torn: number | undefined;
}

export interface OutgoingMessage {
  readonly to: readonly number[] | undefined;
  readonly message: string;
  /** Sites of the properties that the message violates if it enters the network. */
  readonly sites: readonly number[];
}

/** Decisions about a step that require knowledge of the whole system. */
export interface Judge {
  siteOf(node: number, report: StepReport): number;
  sitesOfMessage(node: number, message: string): readonly number[];
  isDiscarded(node: number, state: number): boolean;
  numberOf(name: string): number;
  /** Possible disks after a crash. */
  remainsOf(disk: Pick<Side, "disk" | "unsynced">): readonly Remains[];
  /** Records assumptions: bits of `Relied`. */
  noteRelied(relied: number): void;
  /** Whether crashes occur only between handlers, which is recorded as an assumption if it matters. */
  sparesHandlers(): boolean;
}

export class LocalSteps {
  runs = 0;
  /** Sites that called `fails`, and whether they ever failed. */
  readonly sites = new Map<string, boolean>();
  readonly #nodes: readonly NodeProcess[];
  readonly #judge: Judge;
  readonly #mostFailures: number;
  /** By node, state and call. */
  readonly #known: Map<number, readonly Outcome[]>[][];
  readonly #calls: Call[] = [];
  readonly #callNumbers = new Map<string, number>();
  /** Sites known to any thread. */
  readonly #shared: Table | undefined;

  /** `mostFailures`: limit of failures per execution. */
  constructor(nodes: readonly NodeProcess[], judge: Judge, mostFailures: number, journal?: Journal) {
    this.#nodes = nodes;
    this.#mostFailures = mostFailures;
    this.#judge = judge;
    this.#shared = journal?.table((_, key) => {
      const { site, hasFailed } = JSON.parse(key) as { site: string; hasFailed: boolean };
      if (!this.sites.get(site)) this.sites.set(site, hasFailed);
    });
    this.#known = nodes.map(() => []);
  }

  /** Interns a call: equal calls have equal numbers. */
  callNumber(call: Call): number {
    const key = JSON.stringify(call);
    let number = this.#callNumbers.get(key);
    if (number === undefined) {
      number = this.#calls.push(call) - 1;
      this.#callNumbers.set(key, number);
    }
    return number;
  }

  call(number: number): Call {
    return nth(this.#calls, number);
  }

  outcomes(node: number, state: number, call: number, mayFail: number): readonly Outcome[] {
    const ofState = (nth(this.#known, node)[state] ??= new Map<number, readonly Outcome[]>());
    const key = this.#keyOf(call, mayFail);
    let outcomes = ofState.get(key);
    if (!outcomes) {
      outcomes = this.#explore(node, state, nth(this.#calls, call), mayFail);
      ofState.set(key, outcomes);
    }
    return outcomes;
  }

  /** Recorded outcomes with at most `mayFail` failures. */
  known(node: number, state: number, call: number, mayFail: number): readonly Outcome[] {
    const ofState = nth(this.#known, node)[state];
    if (!ofState) return [];
    return Array.from({ length: mayFail + 1 }, (_, n) => ofState.get(this.#keyOf(call, n)) ?? []).flat(); // sound: test/code/system/conditions.test.ts
  }

  /** Recorded calls in a state of the node. */
  callsIn(node: number, state: number): { readonly call: number; readonly mayFail: number }[] {
    const keys = [...(nth(this.#known, node)[state]?.keys() ?? [])];
    const base = this.#mostFailures + 1;
    return keys.map((key) => ({ call: Math.floor(key / base), mayFail: key % base }));
  }

  #keyOf(call: number, mayFail: number): number {
    return (this.#mostFailures + 1) * call + mayFail; // sound: test/code/system/conditions.test.ts test/code/system/local-steps.test.ts
  }

  /** Repeats a step, recording its details. */
  repeat(node: number, state: number, call: number, mayFail: number, choices: readonly number[]): StepReport {
    const how = { prefix: choices, mayFail, isRecorded: true };
    return this.#step(node, state, nth(this.#calls, call), how).report;
  }

  #step(node: number, state: number, call: Call, how: StepOptions): LocalStep {
    const step = retryStarved(() => nth(this.#nodes, node).step(state, call, how));
    // The main thread, which prints the trace, may succeed.
    if (step.report.isStarved && !isMainThread) throw new StepTimeout();
    return step;
  }

  #explore(node: number, state: number, call: Call, mayFail: number): Outcome[] {
    const outcomes: Outcome[] = [];
    for (let prefix: number[] | undefined = []; prefix;) {
      const step = this.#step(node, state, call, { prefix, mayFail, isRecorded: false });
      this.runs++;
      const { made } = step.report;
      if (prefix.some((value, index) => made[index]?.value !== value))
        throw new Nondeterminism(`node ${node}`, "it makes other choices");
      const outcome = this.#outcome(node, step);
      outcomes.push(outcome, ...this.#crashes(node, call, outcome));
      prefix = nextPrefix(made);
    }
    return outcomes;
  }

  #outcome(node: number, { next, report }: LocalStep): Outcome {
    this.#judge.noteRelied(report.relied);
    for (const site of report.asked) {
      const hasFailed = report.failedAt.includes(site);
      this.#shared?.number(JSON.stringify({ site, hasFailed }));
      if (!this.sites.get(site)) this.sites.set(site, hasFailed);
    }
    return {
      next,
      sends: report.sends.map(({ to, message }) => ({
        to: to?.map((name) => this.#judge.numberOf(name)).sort((a, b) => a - b),
        message,
        sites: this.#judge.sitesOfMessage(node, message),
      })),
      site: this.#judge.siteOf(node, report),
      failed: report.failed,
      isDiscarded: next !== 0 && this.#judge.isDiscarded(node, next),
      crash: undefined,
      choices: report.made.map(({ value }) => value),
      report,
    };
  }

  /**
   * The outcomes of a crash after each effect. A crash after the last effect equals a crash after the step, unless the
   * step has no successor. A crash before the first equals one before the step, unless the step has consumed its
   * trigger: a crashed node consumes messages and timers alike, but not actions.
   */
  #crashes(node: number, call: Call, outcome: Outcome): Outcome[] {
    const { disks, failure } = outcome.report;
    const isUsedUp = call.kind === "action" && disks.length > 0; // sound: test/code/system/conditions.test.ts test/code/system/crashes.test.ts
    const crashPoints = [...(isUsedUp ? [AT_ONCE] : []), ...outcome.report.crashPoints];
    const isLast = outcome.next !== 0 && !outcome.isDiscarded;
    if (failure?.kind === "livelock") return [];
    const points = isLast ? crashPoints.slice(0, -1) : crashPoints; // sound: test/code/system/crashes.test.ts
    if (points.length === 0 || this.#judge.sparesHandlers()) return [];
    const found = new Map<string, Outcome>();
    for (const { effects, sends, failed, disk } of points)
      for (const { disk: left, kept, torn } of this.#judge.remainsOf(nth(disks, disk))) {
        const next = nth(this.#nodes, node).down(left);
        const key = `${next} ${sends} ${failed}`;
        const crash = { effects, sends, kept, torn, unsynced: nth(disks, disk).unsynced.length };
        if (!found.has(key))
          found.set(key, {
            ...outcome,
            next,
            sends: outcome.sends.slice(0, sends),
            failed,
            site: -1,
            isDiscarded: false,
            crash,
          });
      }
    return [...found.values()];
  }
}

const AT_ONCE: CrashPoint = { effects: 0, sends: 0, failed: 0, disk: 0 };

/** Increments the last wheel that can turn; later wheels are unknown again. */
function nextPrefix(made: StepReport["made"]): number[] | undefined {
  const last = made.findLastIndex(({ options, value }) => value + 1 < options);
  if (last < 0) return undefined;
  return [...made.slice(0, last).map(({ value }) => value), nth(made, last).value + 1];
}
