/**
 * The steps of single nodes, each made once: with all choices that the code makes on the way, as far as they differ.
 *
 * The choices of a step are found as it runs, and how many options one has may depend on those before it; so they are
 * counted through like an odometer whose wheels are only known as far as it has turned.
 */
import { isMainThread } from "node:worker_threads";
import type { Call, CrashPoint, Side, StepReport } from "./inside.js";
import type { Journal, Table } from "./journal.js";
import {
  GivenUp,
  Nondeterminism,
  type LocalStep,
  type NodeProcess,
  type StepOptions,
} from "./node-process.js";
import type { Remains } from "./remains.js";
import { insist } from "./run-step.js";

/** What a step of a node comes to. */
export interface Outcome {
  /** The node's state after it; 0 when it failed. */
  readonly next: number;
  readonly sends: readonly OutgoingMessage[];
  /** The place of what went wrong in the code, or -1. */
  readonly site: number;
  /** Failures that were let happen. */
  readonly failed: number;
  /** Beyond the bound that the system declares. */
  readonly isDiscarded: boolean;
  /** The node crashed in the middle of the step; undefined: it did not. */
  readonly crash: CrashInside | undefined;
  readonly choices: readonly number[];
  readonly report: StepReport;
}

export interface CrashInside {
  /** Effects that came before it. */
  readonly effects: number;
  /** Messages among them. */
  readonly sends: number;
  /** Of how many unsynced writes which ones survive. */
  readonly unsynced: number;
  readonly kept: readonly number[];
}

export interface OutgoingMessage {
  readonly to: readonly number[] | undefined;
  readonly message: string;
  /** The places of the properties that it violates, if it gets into the network. */
  readonly sites: readonly number[];
}

/** What the system's owner knows and a node does not. */
export interface Judge {
  /** The place of the fault, or -1. */
  siteOf(node: number, report: StepReport): number;
  sitesOfMessage(node: number, message: string): readonly number[];
  isDiscarded(node: number, state: number): boolean;
  numberOf(name: string): number;
  /** What a crash leaves of the disk. */
  remainsOf(disk: Pick<Side, "disk" | "unsynced">): readonly Remains[];
  /** Notes what a step relied on: bits of `Relied`. */
  noteRelied(relied: number): void;
  /** Does a crash only come between handlers? Then it is noted that one might have come inside. */
  sparesHandlers(): boolean;
}

export class LocalSteps {
  /** Runs of handlers. */
  runs = 0;
  /** The sites that asked whether they fail, and whether any time they did. */
  readonly sites = new Map<string, boolean>();
  readonly #nodes: readonly NodeProcess[];
  readonly #judge: Judge;
  readonly #mostFailures: number;
  /** By node, state, and call. */
  readonly #known: Map<number, readonly Outcome[]>[][];
  readonly #calls: Call[] = [];
  readonly #callNumbers = new Map<string, number>();
  /** What all threads together know of the sites. */
  readonly #shared: Table | undefined;

  /** `mostFailures`: how often `fails` may say yes, in all. */
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

  /** The number of a call: equal calls have equal numbers. */
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
    return this.#calls[number]!;
  }

  outcomes(node: number, state: number, call: number, mayFail: number): readonly Outcome[] {
    const ofState = (this.#known[node]![state] ??= new Map<number, readonly Outcome[]>());
    const key = this.#keyOf(call, mayFail);
    let outcomes = ofState.get(key);
    if (!outcomes) {
      outcomes = this.#explore(node, state, this.#calls[call]!, mayFail);
      ofState.set(key, outcomes);
    }
    return outcomes;
  }

  /** Outcomes that were met before, with that many failures or fewer. */
  known(node: number, state: number, call: number, mayFail: number): readonly Outcome[] {
    const ofState = this.#known[node]![state];
    if (!ofState) return [];
    return Array.from({ length: mayFail + 1 }, (_, n) => ofState.get(this.#keyOf(call, n)) ?? []).flat(); // sound: test/code/system/conditions.test.ts
  }

  /** The calls that were made in that state of the node. */
  callsIn(node: number, state: number): { readonly call: number; readonly mayFail: number }[] {
    const keys = [...(this.#known[node]![state]?.keys() ?? [])];
    const base = this.#mostFailures + 1;
    return keys.map((key) => ({ call: Math.floor(key / base), mayFail: key % base }));
  }

  #keyOf(call: number, mayFail: number): number {
    return (this.#mostFailures + 1) * call + mayFail; // sound: test/code/system/conditions.test.ts test/code/system/local-steps.test.ts
  }

  /** The same step once more, with what is needed to tell it. */
  retell(node: number, state: number, call: number, mayFail: number, choices: readonly number[]): StepReport {
    const how = { prefix: choices, mayFail, tells: true };
    return this.#step(node, state, this.#calls[call]!, how).report;
  }

  #step(node: number, state: number, call: Call, how: StepOptions): LocalStep {
    const step = insist(() => this.#nodes[node]!.step(state, call, how));
    // The thread that tells the trace may well come to the end of it.
    if (step.report.isStarved && !isMainThread) throw new GivenUp();
    return step;
  }

  #explore(node: number, state: number, call: Call, mayFail: number): Outcome[] {
    const outcomes: Outcome[] = [];
    for (let prefix: number[] | undefined = []; prefix;) {
      const step = this.#step(node, state, call, { prefix, mayFail, tells: false });
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
   * The same step with a crash after one of its effects. After the last of them nothing is left to be lost but memory: a crash
   * then is one after the step, unless nothing comes after it. Before the first of them it is one before the step, unless the
   * step has used up what led to it: of messages and timers a node that is down uses up as much.
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
      for (const { disk: left, kept } of this.#judge.remainsOf(disks[disk]!)) {
        const next = this.#nodes[node]!.down(left);
        const key = `${next} ${sends} ${failed}`;
        const crash = { effects, sends, kept, unsynced: disks[disk]!.unsynced.length };
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

/** The last wheel that can still turn, turned by one; those behind it are not known yet. */
function nextPrefix(made: StepReport["made"]): number[] | undefined {
  const last = made.findLastIndex(({ options, value }) => value + 1 < options);
  if (last < 0) return undefined;
  return [...made.slice(0, last).map(({ value }) => value), made[last]!.value + 1];
}
