/**
 * Searches systems of agents by iterative context bounding: no delay or preemption, then at most one, two, …, each bound to
 * completion; or by runs with random priorities (PCT).
 */
import { ownerOf } from "../../engines/explicit/index.js";
import { ScheduleSearch, type SearchResult } from "../../engines/schedules/index.js";
import {
  PlannedChooser,
  Status,
  Successors,
  faultSite,
  Entry,
  type Model,
  type Plan,
  type Property,
  type ScheduleRun,
  type Scope,
  type Verdict,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { noStats } from "../../report/index.js";
import { BoundedSwitches, agentOf, type SwitchKind } from "../../transforms/switches.js";
import { search } from "../engines/explicit.js";
import type { EngineFinding, EngineOptions, EngineResult } from "../contracts.js";
import type { SwitchRequest } from "../request.js";
import { remaining, total } from "../pipeline/totals.js";

export async function searchSwitches(
  model: Model,
  request: EngineOptions & { readonly schedules: SwitchRequest },
): Promise<EngineResult> {
  const temporal: readonly Property[] = model.temporal?.properties ?? [];
  const needsAll = (p: Property): boolean => temporal.includes(p) || p.kind === "agef";
  const properties = request.properties.filter((p) => !needsAll(p));
  const { by } = request.schedules;
  if (by === "swarm") throw new Error("random mixes of faults are made elsewhere");
  const result =
    by === "pct"
      ? priorities(model, { ...request, properties })
      : await deepening(model, { ...request, properties }, by);
  const rest = request.properties
    .filter(needsAll)
    .map((property) => undecided(property, wholeOnly, "leave --search out"));
  return {
    ...result,
    findings: [...result.findings, ...rest],
    ...(rest.length > 0 ? { end: "bound" } : {}),
  };
}

const wholeOnly = "it is about all executions, and some of them alone cannot decide it";

type Request = EngineOptions & { readonly schedules: SwitchRequest };

async function deepening(model: Model, request: Request, kind: SwitchKind): Promise<EngineResult> {
  const { bound: most = Infinity } = request.schedules;
  const started = performance.now();
  const runs: EngineResult["runs"][number][] = [];
  for (let bound = 0; ; bound++) {
    const bounded = new BoundedSwitches(model, kind, bound);
    const spent = runs.reduce((sum, { stats }) => sum + stats.states, 0);
    const budget = remaining(request.budget, spent, performance.now() - started);
    const found = await search(bounded.model, { ...request, search: "bfs", budget });
    runs.push(...found.runs.map((run) => ({ ...run, method: textOf(kind, bound) })));
    const isViolated = found.findings.some(
      ({ property, verdict }) => verdict.kind === "violated" && property.kind !== "cover",
    );
    const isLast = isViolated || found.end !== "complete" || !bounded.isCut || bound >= most;
    if (isLast) return concluded(found, bounded, runs, kind, bound);
  }
}

function concluded(
  found: EngineResult,
  bounded: BoundedSwitches,
  runs: EngineResult["runs"],
  kind: SwitchKind,
  bound: number,
): EngineResult {
  const stats = total(runs.map((run) => run.stats));
  const findings = found.findings.map((finding): EngineFinding => {
    const { verdict, property } = finding;
    if (verdict.kind === "violated" && verdict.trace)
      return { ...finding, verdict: { ...verdict, trace: bounded.concretise(verdict.trace) } };
    // Excluded schedules may reach the cover.
    const isOpen = verdict.kind === "holds" ? property.kind !== "cover" : verdict.kind === "violated";
    return isOpen && bounded.isCut ? { ...finding, verdict: within(kind, bound) } : finding;
  });
  const before =
    found.end === "complete" || bound === 0 ? [] : [`every execution ${textOf(kind, bound - 1)} was visited`];
  if (!bounded.isCut || found.end !== "complete")
    return {
      ...found,
      findings,
      runs,
      stats,
      scope: { ...found.scope, notes: [...found.scope.notes, ...before] },
    };
  const scope: Scope = { kind: "bounded", by: "exhaustion", notes: [`executions ${textOf(kind, bound)}`] };
  return { ...found, findings, runs, stats, scope, end: "bound", coversAll: false };
}

const within = (kind: SwitchKind, bound: number): Verdict => ({
  kind: "unknown",
  reason: `nothing was found in any execution ${textOf(kind, bound)}`,
  advice: "raise --bound or leave it out, or say --accept bounded if this is enough",
});

const textOf = (kind: SwitchKind, bound: number): string => {
  const unit = kind === "delays" ? "delay" : "preemption";
  return bound === 0 ? `without ${unit}s` : `with at most ${bound} ${unit}${bound === 1 ? "" : "s"}`;
};

/** Runs from the initial state to the end or to the depth limit; tests invariants in every state. */
function priorities(model: Model, request: Request): EngineResult {
  const { schedules, budget, seed, control } = request;
  const started = performance.now();
  const runner = new Runner(model, request.properties);
  const all = new ScheduleSearch({
    strategy: "pct",
    depth: Math.max(1, schedules.bound ?? 3),
    maxSchedules: schedules.runs ?? 1000,
    timeMs: budget.timeMs ?? Infinity,
    maxTurns: budget.maxDepth ?? 1000,
    bound: Infinity,
    seed,
    replayEvery: 0,
    maxShortening: 0,
    shorteningMs: 0,
    now: () => performance.now(),
  });
  let isStopped = false;
  for (let next = all.next(); next && !isStopped; next = all.next()) {
    all.record(runner.run(next.plan, next.maxTurns));
    isStopped = control.isStopped?.() ?? false;
  }
  const result = all.result();
  const stats = {
    ...noStats,
    ...runner.figures,
    depth: result.longest,
    seconds: (performance.now() - started) / 1000,
  };
  const names = request.properties.map(({ name }) => name);
  const notes = [`${result.schedules} runs with random priorities`, chanceText(result)];
  return {
    findings: request.properties.map((property) => findingOf(property, runner, result)),
    scope: { kind: "partial", by: "random runs", notes },
    end: runner.failed ? "errors" : isStopped ? "stopped" : "budget",
    runs: [{ properties: names, reductions: [], stats, method: "random priorities" }],
    stats,
    coversAll: false,
    notices: [],
  };
}

function findingOf(property: Property, { failed }: Runner, result: SearchResult): EngineFinding {
  if (failed?.property === property) return { property, verdict: failed.verdict, occurrences: 1 };
  const reason = `${result.schedules} runs with random priorities did not ${property.kind === "cover" ? "decide" : "violate"} it; ${chanceText(result)}`;
  return undecided(property, reason, "raise --runs, or search all states without --search");
}

const undecided = (property: Property, reason: string, advice: string): EngineFinding => ({
  property,
  verdict: { kind: "unknown", reason, advice },
  occurrences: 0,
});

function chanceText({ chances }: SearchResult): string {
  const { tasks, turns, of } = chances!;
  const each = of.map(({ depth, chance }) => `${depth}: ${(Math.floor(chance * 1000) / 10).toFixed(1)} %`);
  return `chance of an error, at least, by the orderings it needs: ${each.join(", ")} (${tasks} agents, ${turns} steps)`;
}

/** Executes plans: each choice selects an agent, then one of its steps. */
class Runner {
  failed: { readonly property: Property; readonly verdict: Verdict } | undefined;
  readonly figures = { states: 0, transitions: 0 };
  readonly #model: Model;
  readonly #properties: readonly Property[];
  readonly #out: Successors;
  readonly #agents = new Set<number>();

  constructor(model: Model, properties: readonly Property[]) {
    this.#model = model;
    this.#properties = properties;
    this.#out = new Successors(model.system.width);
  }

  run(plan: Plan, maxTurns: number): ScheduleRun {
    const { system } = this.#model;
    const chooser = new PlannedChooser(plan);
    const choices: number[] = [];
    this.#out.clear();
    system.initial(this.#out);
    let choice = 0;
    let end: ScheduleRun["end"] | undefined;
    for (;;) {
      const flags = nth(this.#out.flags, choice);
      const state = this.#out.stateAt(choice);
      this.figures.states++;
      if (this.#isBroken(flags, state, choices)) end = "failed";
      else if (flags & Entry.dead) end = "passed";
      else if (choices.length >= maxTurns) end = "spent";
      if (end) break;
      this.#out.clear();
      system.successors(state, 0, this.#out);
      if (this.#out.count === 0) {
        end = this.#isDeadlock(state, choices) ? "failed" : "passed";
        break;
      }
      choice = this.#choose(chooser);
      choices.push(choice);
      chooser.turn++;
      this.figures.transitions++;
    }
    return { made: chooser.made, turns: choices.length, tasks: this.#agents.size, end, fingerprint: 0 };
  }

  #choose(chooser: PlannedChooser): number {
    const byAgent = new Map<number, number[]>();
    for (let i = 0; i < this.#out.count; i++) {
      const agent = agentOf(nth(this.#out.labels, i));
      byAgent.set(agent, [...(byAgent.get(agent) ?? []), i]);
    }
    const agents = [...byAgent.keys()];
    for (const agent of agents) this.#agents.add(agent);
    const mover = nth(
      agents,
      chooser.choose(
        agents.length,
        agents.map((agent) => ({ id: agent, task: agent })),
      ),
    );
    const steps = entryOf(byAgent, mover);
    return nth(steps, chooser.choose(steps.length));
  }

  #isBroken(flags: number, state: Int32Array, choices: readonly number[]): boolean {
    const site = faultSite(flags);
    if (site >= 0) return this.#isFault(site, choices);
    return this.#properties.some((property) => {
      if (property.kind !== "invariant") return false;
      const index = this.#model.invariants.indexOf(property);
      return (
        index >= 0 &&
        !this.#model.holds(index, state, 0) &&
        this.#fail(property, `invariant violated: ${property.name}`, choices, -1)
      );
    });
  }

  #isFault(site: number, choices: readonly number[]): boolean {
    const { properties, sites } = this.#model;
    const property = ownerOf(nth(sites, site), properties);
    return (
      this.#properties.includes(property) && this.#fail(property, nth(sites, site).message, choices, site)
    );
  }

  #isDeadlock(state: Int32Array, choices: readonly number[]): boolean {
    const property = this.#properties.find(({ kind }) => kind === "deadlock");
    if (!property || this.#model.system.status(state, 0) & Status.validEnd) return false;
    return this.#fail(property, "deadlock", choices, -1);
  }

  #fail(property: Property, reason: string, choices: readonly number[], fault: number): true {
    const trace = { choices: [...choices], fault, loopStart: undefined };
    this.failed = { property, verdict: { kind: "violated", reason, trace } };
    return true;
  }
}
