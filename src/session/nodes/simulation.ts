/**
 * Many random runs of a system of nodes, each with a mix of faults (`swarm.ts`). The number of a run and the seed
 * determine it, so shards and processes make the runs that a single process would make.
 */
import {
  SPEED_NAMES,
  Swarm,
  faultKinds,
  seedOfRun,
  simulateRun,
  traceOfRun,
  type FaultKind,
  type SimulatedRun,
  type SpeedKind,
} from "../../code/system/index.js";
import { ownerOf } from "../../engines/explicit/index.js";
import type { Property, Verdict } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { noStats, simulationReason, type SimulationFigures } from "../../report/index.js";
import type { EngineFinding, EngineRequest, EngineResult } from "../contracts.js";
import type { SwitchRequest } from "../request.js";
import { annotated } from "./findings.js";
import type { NodesSubject } from "./load.js";

type Request = EngineRequest & { readonly schedules: SwitchRequest };

export const DEFAULT_RUNS = 1000;
export const DEFAULT_STEPS = 10_000;

export function simulateRuns(subject: NodesSubject, request: Request): EngineResult {
  const runs = new Runs(subject, request);
  runs.make();
  return runs.result();
}

class Runs {
  readonly #request: Request;
  readonly #kinds: readonly FaultKind[];
  readonly #stepsPerRun: number;
  readonly #numbers: { readonly first: number; readonly every: number; readonly end: number };
  readonly #guides = new Set<string>();
  readonly #reached = new Set<string>();
  readonly #mixes: Map<FaultKind, number>;
  readonly #started = performance.now();
  readonly #processor = process.cpuUsage();
  /** Replaced from time to time: a model remembers every state of a node and every step. */
  #subject: NodesSubject;
  #stepsOfModel = 0;
  #runs = 0;
  #steps = 0;
  #longest = 0;
  #end: "all" | "failed" | "time" | "stopped" = "all";
  #failed: { readonly run: number; readonly failure: NonNullable<SimulatedRun["failure"]> } | undefined;
  #lastNews = 0;

  constructor(subject: NodesSubject, request: Request) {
    this.#subject = subject;
    this.#request = request;
    const { runs = DEFAULT_RUNS, steps = DEFAULT_STEPS, shard, part } = request.schedules;
    const [shards, parts] = [shard?.of ?? 1, part?.of ?? 1];
    this.#numbers = {
      first: (shard?.index ?? 1) - 1 + (part?.index ?? 0) * shards,
      every: shards * parts,
      end: runs,
    };
    this.#stepsPerRun = steps;
    const names = Object.keys(subject.source.limits);
    const speeds = SPEED_NAMES.filter((name): name is SpeedKind => names.includes(name));
    this.#kinds = faultKinds(subject.model.summary, speeds.length > 0 ? speeds : undefined);
    this.#mixes = new Map(this.#kinds.map((kind) => [kind, 0]));
  }

  make(): void {
    const { first, every, end } = this.#numbers;
    for (let run = first; run < end && this.#end === "all"; run += every) {
      if (this.#isStopped()) return;
      this.#renew();
      this.#make(run);
    }
    this.#verify();
  }

  #make(run: number): void {
    const { model } = this.#subject;
    const { seed, schedules } = this.#request;
    const nodes = model.summary.nodes.length;
    const strategy = schedules.strategy ?? "swarm";
    const swarm = new Swarm(this.#kinds, nodes, this.#stepsPerRun, seedOfRun(seed, run), strategy);
    for (const kind of swarm.kinds) this.#mixes.set(kind, (this.#mixes.get(kind) ?? 0) + 1);
    const made = simulateRun(model, swarm, {
      properties: this.#properties,
      steps: this.#stepsPerRun,
      guides: this.#guides,
      reached: this.#reached,
      ownerOf: (site) => ownerOf(nth(model.sites, site), model.properties),
      isStopped: () => this.#isStopped(),
    });
    this.#runs++;
    this.#steps += made.steps;
    this.#stepsOfModel += made.steps;
    this.#longest = Math.max(this.#longest, made.steps);
    if (!made.failure) return;
    this.#failed = { run, failure: made.failure };
    this.#end = "failed";
  }

  /** The requested properties, as the current model has them. */
  get #properties(): readonly Property[] {
    return this.#subject.model.properties.filter(({ name, kind }) =>
      this.#request.properties.some((p) => p.name === name && p.kind === kind),
    );
  }

  #renew(): void {
    if (this.#subject.model.local.runs < MOST_LOCAL_STEPS && this.#stepsOfModel < MOST_STEPS) return;
    this.#verify();
    this.#subject = this.#subject.again();
    this.#stepsOfModel = 0;
  }

  #verify(): void {
    for (const node of this.#subject.model.nodes) node.verify();
  }

  #isStopped(): boolean {
    const now = performance.now();
    const { control, budget } = this.#request;
    if (now - this.#lastNews > NEWS_MS) {
      this.#lastNews = now;
      control.onProgress?.({
        ...{ states: this.#steps, transitions: this.#steps, depth: this.#longest, frontier: 0, bytes: 0 },
        seconds: (now - this.#started) / 1000,
        schedules: this.#runs,
        steps: this.#steps,
      });
    }
    if (control.isStopped?.()) this.#end = "stopped";
    else if (budget.timeMs !== undefined && now - this.#started > budget.timeMs) this.#end = "time";
    return this.#end !== "all";
  }

  result(): EngineResult {
    const figures = this.#figures();
    const stats = {
      ...noStats,
      states: this.#steps + this.#runs,
      transitions: this.#steps,
      depth: this.#longest,
      seconds: (performance.now() - this.#started) / 1000,
    };
    const properties = this.#properties;
    const names = properties.map(({ name }) => name);
    const result: EngineResult = {
      findings: properties.map((property) => this.#finding(property, figures)),
      scope: { kind: "partial", by: "random runs", notes: [] },
      end: ENDS[this.#end],
      runs: [{ properties: names, reductions: [], stats, method: "random runs", simulation: figures }],
      stats,
      coversAll: false,
      notices: [],
    };
    const { control } = this.#request;
    // The trace was shortened from named steps; an interrupted one stays as it was found.
    return annotated(result, this.#subject, { ...this.#request, minimises: false, control });
  }

  #finding(property: Property, figures: SimulationFigures): EngineFinding {
    const { name, kind } = property;
    const { failure } = this.#failed ?? {};
    if (failure?.property === property) return this.#violated(failure);
    if (kind === "cover" && this.#reached.has(name))
      return {
        property,
        verdict: { kind: "holds", scope: { kind: "complete", by: "witness", notes: [] } },
        occurrences: 1,
      };
    const needsAll = kind === "ltl" || kind === "agef";
    const verdict: Verdict = {
      kind: "unknown",
      reason: needsAll ? OF_ALL : simulationReason(kind, figures),
      advice: needsAll
        ? "everypath check decides it within the bounds of the file"
        : "raise --runs or --steps, or take this for an answer with --accept probabilistic",
    };
    return { property, verdict, occurrences: 0 };
  }

  #violated(failure: NonNullable<SimulatedRun["failure"]>): EngineFinding {
    const { property, reason } = failure;
    const isStopped = (): boolean => this.#request.control.isStopped?.() === true;
    const shortens = this.#request.minimises !== false;
    const trace = traceOfRun(this.#subject.model, failure, shortens, isStopped);
    const foundSteps = failure.steps.length;
    const isShorter = trace.choices.length < foundSteps;
    const verdict: Verdict = { kind: "violated", reason, trace };
    return { property, verdict, occurrences: 1, ...(isShorter ? { foundSteps } : {}) };
  }

  #figures(): SimulationFigures {
    const { seed, schedules } = this.#request;
    const { first, every, end } = this.#numbers;
    const { user, system } = process.cpuUsage(this.#processor);
    const failed = this.#failed && { run: this.#failed.run, steps: this.#failed.failure.steps.length };
    return {
      seed,
      runs: this.#runs,
      planned: Math.max(0, Math.ceil((end - first) / every)),
      steps: this.#steps,
      stepsPerRun: this.#stepsPerRun,
      shard: schedules.shard ?? null,
      faults: Object.fromEntries(this.#mixes),
      guideStates: this.#subject.model.summary.hasGuide ? this.#guides.size : null,
      failed: failed ?? null,
      processorSeconds: (user + system) / 1e6,
      options: optionsOf(this.#subject.source),
    };
  }
}

function optionsOf({ parameters, limits }: NodesSubject["source"]): string[] {
  const given = Object.entries(JSON.parse(parameters) as Record<string, string | number | true>);
  const faults = Object.entries(limits).map(([name, limit]) => (limit === null ? name : `${name}=${limit}`));
  return [
    ...given.flatMap(([name, value]) => ["-D", value === true ? name : `${name}=${value}`]),
    ...(faults.length > 0 ? ["--faults", faults.join()] : []),
  ];
}

const OF_ALL = "it is about all executions, and some of them alone cannot decide it";

/** A clean result is what the runs were to show, with some probability. */
const ENDS = { all: "probable", failed: "errors", time: "budget", stopped: "stopped" } as const;

/** A local step is remembered in some kilobytes. */
const MOST_LOCAL_STEPS = 50_000;
const MOST_STEPS = 1_000_000;
const NEWS_MS = 100;
