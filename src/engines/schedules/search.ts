/**
 * Chooses the next schedule and evaluates its result. The caller runs the request of `next`; `record` takes the result.
 *
 * After a failure the search continues for a shorter one, cutting runs at its length; the result is the shortest of all
 * if the rest was exhausted.
 */
import type { Plan, ScheduleRequest, ScheduleRun } from "../../model/index.js";
import { Frontier, type Candidate, type Cost } from "./frontier.js";

/**
 * `deviations`: few departures from the default order first. `delays`: few postponements of the first task behind all
 * others first. `preemptions`: few switches away from a task that could continue first. A chosen value other than the
 * first counts as one departure, delay or preemption. `random` and `pct` (randomly changing priorities) never exhaust.
 */
export type Strategy = "deviations" | "delays" | "preemptions" | "depth-first" | "random" | "pct";

export interface SearchOptions {
  readonly strategy: Strategy;
  readonly maxSchedules: number;
  /** Wall-clock time, by `now`. */
  readonly timeMs: number;
  /** Processor time, by `cpuNow`: independent of the machine's load. */
  readonly cpuMs?: number;
  /** Per schedule. */
  readonly maxTurns: number;
  /** Of deviations, delays or preemptions; Infinity for all. */
  readonly bound: number;
  /** Of `pct`: largest number of orderings that a failure may need. */
  readonly depth: number;
  readonly seed: number;
  /** Repeats one in this number of schedules to check determinism; 0: never. */
  readonly replayEvery: number;
  /** Omit schedules that differ only in the order of turns that do not race (`ScheduleRun.races`). */
  readonly reduces?: boolean;
  /** Number of schedules after which `next` pauses unless one has failed; the caller may search with reduction instead. */
  readonly pausesAt?: number;
  /** Abandons the reduction if the first runs stand for fewer schedules than this, on (geometric) average. */
  readonly leastGain?: number;
  /** Limits of the search for a shorter failure: schedules and processor time. */
  readonly maxShortening: number;
  readonly shorteningMs: number;
  /** In milliseconds. */
  now(): number;
  /** Processor time used, in milliseconds. */
  cpuNow?(): number;
}

/** Lower bound of `pct`: the probability of having seen a failure that needs `depth` orderings. */
export interface Chance {
  readonly depth: number;
  readonly chance: number;
}

export type Spent = "schedules" | "time" | "processor" | "turns" | "bound" | "random";

export interface SearchResult {
  readonly schedules: number;
  /** Every schedule was run to its end (after a failure: every one that could be shorter). */
  readonly isExhausted: boolean;
  /** Reasons for not being exhausted. */
  readonly spent: readonly Spent[];
  /** Number of deviations, delays or preemptions up to which every schedule (after a failure: every shorter one) was run. */
  readonly exhaustedBound?: number;
  /** Of `pct`: guarantees of its runs, by the largest numbers of tasks, turns and drawn values seen. */
  readonly chances?: { readonly tasks: number; readonly turns: number; readonly of: readonly Chance[] };
  readonly failing: { readonly plan: Plan; readonly run: ScheduleRun } | undefined;
  /** A schedule that used something uncontrolled: no claim holds then. */
  readonly refused?: Plan;
  /** Union of `ScheduleRun.relied` over all runs, and for each bit the first such schedule. */
  readonly relied: number;
  readonly reliedAt: Readonly<Record<number, Plan>>;
  /** A schedule that behaved differently when repeated. */
  readonly unstable: Plan | undefined;
  readonly replays: number;
  readonly longest: number;
  readonly seconds: number;
  /** Processor time. */
  readonly cpuMs: number;
  /** Whether schedules were omitted because turns do not race; a text: the reason why a requested reduction was abandoned. */
  readonly isReduced?: boolean | string;
}

export class ScheduleSearch {
  readonly #options: SearchOptions;
  readonly #frontier: Frontier;
  readonly #start: number;
  readonly #cpuStart: number;
  #relied = 0;
  readonly #reliedAt: Record<number, Plan> = {};
  #refused: Plan | undefined;
  readonly #spent = new Set<Spent>();
  #current: Candidate | undefined;
  #request: ScheduleRequest | undefined;
  #original: ScheduleRun | undefined;
  #schedules = 0;
  #replays = 0;
  #shortening = 0;
  #failedAt = 0;
  #longest = 0;
  #mostTasks = 1;
  /** Largest number of combinations of values drawn in one run. */
  #mostDraws = 1;
  /** Runs of `pct` since the longest run, by number of priority changes. */
  #runsOf: number[] = [];
  #failing: SearchResult["failing"];
  #unstable: Plan | undefined;
  #isEmpty = false;
  /** Cost of the cheapest schedule that the budget omitted. */
  #leftCost = 0;
  #reduction: SearchResult["isReduced"];
  /** Sum over the runs under reduction of the logarithms of their weights. */
  #gain = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#start = options.now();
    this.#cpuStart = this.#cpuNow();
    const isDepthFirst = options.strategy === "depth-first";
    this.#reduction = whyWhole(options) ?? options.reduces;
    this.#frontier = new Frontier(
      costs[options.strategy],
      options.bound,
      isDepthFirst,
      this.#reduction === true,
    );
  }

  /** The next request; undefined when the search is over. */
  next(): ScheduleRequest | undefined {
    if (this.#original) return this.#request;
    if (this.#unstable || this.#isEmpty) return undefined;
    // If the first schedule uses something uncontrolled, most do.
    if (this.#refused && this.#schedules === 1) return undefined;
    // Nothing is shorter than a failure before the first turn.
    if (this.#failing?.run.turns === 0) this.#isEmpty = true; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    if (this.#isEmpty || this.#isSpent()) return undefined;
    if (this.isPaused) {
      if (!this.#candidateIsLeft()) this.#isEmpty = true;
      return undefined;
    }
    this.#current = this.#schedules === 0 ? { prefix: [], cost: 0 } : this.#candidate();
    if (!this.#current) {
      this.#isEmpty = true;
      return undefined;
    }
    return (this.#request = {
      plan: { prefix: this.#current.prefix, tail: this.#tail() },
      maxTurns: this.#maxTurns(),
    });
  }

  record(run: ScheduleRun): void {
    if (this.#original) return this.#compare(this.#original, run);
    this.#schedules++;
    if (this.#failing) this.#shortening++;
    this.#measure(run);
    this.#rely(run);
    if (run.end === "stuck") this.#unstable = this.#request!.plan; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    if (run.end === "refused") this.#refused ??= this.#request!.plan; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    if (run.end === "failed" && this.#isShorter(run)) {
      if (!this.#failing) this.#failedAt = this.#cpuNow();
      this.#failing = { plan: this.#request!.plan, run };
    }
    if (run.end === "spent" && !this.#failing) this.#spent.add("turns"); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    if (!this.#isRandom()) this.#branch(run); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    const { replayEvery } = this.#options;
    if (replayEvery > 0 && (this.#schedules - 1) % replayEvery === 0) this.#original = run;
  }

  /** Whether it is over only because of `pausesAt`. */
  get isPaused(): boolean {
    const { pausesAt = Infinity } = this.#options;
    const isFine = !this.#failing && !this.#refused && !this.#unstable && this.#spent.size === 0; // sound: test/engines/schedules/pause.test.ts
    return this.#schedules >= pausesAt && isFine && !this.#isEmpty;
  }

  /** Whether the next run must report its races. */
  get isReducing(): boolean {
    return this.#frontier.isReduced;
  }

  #rely({ relied = 0, made }: ScheduleRun): void {
    const fresh = relied & ~this.#relied;
    if (fresh === 0) return;
    this.#relied |= relied;
    const plan: Plan = { prefix: made.map(({ value }) => value), tail: { kind: "first" } };
    for (let bit = 1; bit <= fresh; bit *= 2) if ((fresh & bit) !== 0) this.#reliedAt[bit] = plan;
  }

  result(): SearchResult {
    if (this.#isEmpty && this.#frontier.isCut) this.#spent.add("bound"); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    const exhaustedBound = this.#exhaustedBound();
    return {
      schedules: this.#schedules,
      isExhausted: this.#isEmpty && this.#spent.size === 0 && !this.#refused, // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
      spent: [...this.#spent],
      failing: this.#failing,
      unstable: this.#unstable,
      ...(this.#refused ? { refused: this.#refused } : {}),
      relied: this.#relied,
      reliedAt: this.#reliedAt,
      replays: this.#replays,
      longest: this.#longest,
      seconds: (this.#options.now() - this.#start) / 1000,
      cpuMs: this.#cpuNow() - this.#cpuStart,
      ...(exhaustedBound === undefined ? {} : { exhaustedBound }),
      ...(this.#options.strategy === "pct" ? { chances: this.#chances() } : {}),
      ...(this.#reduction === undefined ? {} : { isReduced: this.#reduction }),
    };
  }

  #exhaustedBound(): number | undefined {
    const { strategy, bound } = this.#options;
    const isCounted = !this.#isRandom() && strategy !== "depth-first" && this.#reduction !== true;
    if (!isCounted || this.#spent.has("turns")) return undefined; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    const reached = this.#isEmpty ? bound : this.#leftCost - 1; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    return reached >= 0 ? reached : undefined;
  }

  #measure({ turns, tasks, made }: ScheduleRun): void {
    const { tail } = this.#request!.plan;
    if (turns > this.#longest) this.#runsOf = [];
    else if (tail.kind === "pct") this.#runsOf[tail.changes] = (this.#runsOf[tail.changes] ?? 0) + 1;
    this.#longest = Math.max(this.#longest, turns);
    this.#mostTasks = Math.max(this.#mostTasks, tasks);
    const draws = made.reduce((ways, { isTurn, options }) => (isTurn ? ways : ways * options), 1);
    this.#mostDraws = Math.max(this.#mostDraws, draws);
  }

  /** A `pct` run finds a failure of depth d with probability at least 1/(n k^(d-1)), for n tasks and k turns. */
  #chances(): SearchResult["chances"] {
    const of = Array.from({ length: this.#options.depth }, (_, changes): Chance => {
      const one = 1 / (this.#mostTasks * this.#longest ** changes * this.#mostDraws);
      return { depth: changes + 1, chance: 1 - (1 - one) ** (this.#runsOf[changes] ?? 0) };
    });
    return { tasks: this.#mostTasks, turns: this.#longest, of };
  }

  /** Does `next` return a repeated schedule? */
  get isComparing(): boolean {
    return this.#original !== undefined;
  }

  /** Applies the reduction until a failure. The search for a shorter one cuts runs, and the part cut off may contain races. */
  #branch({ made, races }: ScheduleRun): void {
    const found =
      races && "found" in races && !this.#failing && !this.#spent.has("turns") ? races.found : undefined;
    if (this.#frontier.isReduced) {
      if (found) {
        this.#frontier.addRaces(made, this.#current!, found);
        if (!this.#gainsTooLittle(made)) return;
        this.#reduction = "it would omit too few schedules";
        return this.#frontier.release(); // sound: test/engines/schedules/pause.test.ts
      }
      if (races && "incomplete" in races) this.#reduction = races.incomplete; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
      this.#frontier.release(); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    }
    this.#frontier.add(made, this.#current!);
  }

  #gainsTooLittle(made: ScheduleRun["made"]): boolean {
    const { leastGain = 1 } = this.#options;
    if (leastGain <= 1 || this.#schedules > trialRuns) return false;
    this.#gain += Math.log(this.#frontier.weight(made));
    return this.#schedules === trialRuns && this.#gain / trialRuns < Math.log(leastGain);
  }

  #compare(first: ScheduleRun, second: ScheduleRun): void {
    this.#original = undefined;
    this.#replays++;
    const isAlike = first.fingerprint === second.fingerprint && first.made.length === second.made.length; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    if (!isAlike) this.#unstable = { prefix: first.made.map(({ value }) => value), tail: { kind: "first" } };
  }

  #cpuNow(): number {
    return (this.#options.cpuNow ?? this.#options.now)();
  }

  #isSpent(): boolean {
    const { maxSchedules, timeMs, now, cpuMs = Infinity, maxShortening, shorteningMs } = this.#options;
    const cpu = this.#cpuNow();
    if (this.#failing && this.#shortening >= maxShortening) this.#spent.add("schedules");
    else if (this.#failing && cpu - this.#failedAt >= shorteningMs) this.#spent.add("processor");
    else if (this.#schedules >= maxSchedules) this.#spent.add(this.#isRandom() ? "random" : "schedules");
    else if (now() - this.#start >= timeMs) this.#spent.add("time");
    else if (cpu - this.#cpuStart >= cpuMs) this.#spent.add("processor");
    else return false;
    // The last one may have been the last there is.
    if (!this.#isRandom() && this.#schedules > 0 && !this.#candidateIsLeft()) this.#isEmpty = true; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    return true;
  }

  /** Takes a candidate; the search is over either way. */
  #candidateIsLeft(): boolean {
    const left = this.#frontier.take(this.#maxTurns());
    this.#leftCost = left?.cost ?? 0;
    if (!left) for (const reason of ["schedules", "time", "processor"] as const) this.#spent.delete(reason); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    return left !== undefined;
  }

  #candidate(): Candidate | undefined {
    return this.#isRandom() ? { prefix: [], cost: 0 } : this.#frontier.take(this.#maxTurns());
  }

  #tail(): Plan["tail"] {
    const { strategy, seed } = this.#options;
    // The first random run takes the default order.
    if (this.#schedules === 0 && this.#isRandom()) return { kind: "first" };
    if (strategy === "random") return { kind: "random", seed: seed + this.#schedules };
    if (strategy === "pct")
      return {
        kind: "pct",
        seed: seed + this.#schedules,
        changes: this.#schedules % this.#options.depth,
        length: this.#longest,
      };
    return { kind: strategy === "preemptions" ? "stay" : strategy === "delays" ? "queue" : "first" };
  }

  #maxTurns(): number {
    return this.#failing ? this.#failing.run.turns - 1 : this.#options.maxTurns;
  }

  #isShorter(run: ScheduleRun): boolean {
    return !this.#failing || run.turns < this.#failing.run.turns;
  }

  #isRandom(): boolean {
    return this.#options.strategy === "random" || this.#options.strategy === "pct";
  }
}

/** Number of runs after which the gain of the reduction is judged. */
const trialRuns = 50;

/** Reason why a requested reduction does not apply. */
function whyWhole({ reduces, strategy, bound }: SearchOptions): string | undefined {
  if (!reduces) return undefined;
  if (strategy === "random" || strategy === "pct") return "schedules are drawn at random";
  // Schedules with few deviations represent others with more.
  return bound < Number.MAX_SAFE_INTEGER ? "there is a bound" : undefined; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
}

/** Options without a cost are one step from the rule's option. */
const steps: Cost = ({ costs }, value) => costs?.[value] ?? 1;

const costs: Readonly<Record<Strategy, Cost>> = {
  deviations: steps,
  delays: steps,
  preemptions: steps,
  "depth-first": () => 0,
  random: () => 0,
  pct: () => 0,
};
