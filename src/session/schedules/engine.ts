/**
 * The engine for tests of schedules: each test in a separate process, under every schedule, within its declared budgets.
 *
 * Always true: only a completed search holds. A single schedule chosen by `replay`, a spent budget, uncontrolled code, a dead
 * process: all are `unknown`.
 */
import type { Diagnostic, Scope, Verdict } from "../../model/index.js";
import { noStats, type RunReport } from "../../report/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import type { Exploration } from "./explore.js";
import { isSchedulesSubject, type Test } from "./subject.js";
import { headline, isBoundAlone } from "./message.js";
import { mistakeIn, type ScheduleOptions } from "./options.js";

export async function check({ subject }: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isSchedulesSubject(subject)) throw new Error("there are no tests of schedules to run");
  const clock = new Clock(request);
  const answers: Answer[] = [];
  for (const test of subject.tests)
    if (request.properties.some(({ name }) => name === test.property.name))
      answers.push(await answerOf(test, request, clock));
  const runs = answers.map(({ run }) => run);
  const scopes = answers.map(({ scope }) => scope);
  return {
    findings: answers.map(({ finding }) => finding),
    scope: scopeOf(scopes),
    end: endOf(answers.map(({ end }) => end)),
    runs,
    stats: {
      ...noStats,
      schedules: runs.reduce((sum, { stats }) => sum + (stats.schedules ?? 0), 0),
      depth: Math.max(0, ...runs.map(({ stats }) => stats.depth)),
      seconds: runs.reduce((sum, { stats }) => sum + stats.seconds, 0),
    },
    coversAll: false,
    notices: answers.flatMap(({ notices }) => notices),
  };
}

interface Answer {
  readonly finding: EngineFinding;
  readonly scope: Scope;
  readonly end: SearchEnd;
  readonly run: RunReport;
  readonly notices: readonly Diagnostic[];
}

async function answerOf(test: Test, request: EngineRequest, clock: Clock): Promise<Answer> {
  const refusal = refusalOf(test);
  if (refusal) return without(test, refusal.message, refusal.hint ?? "", "stopped", [refusal]);
  if (request.control.isStopped?.()) return without(test, "The search was stopped", "", "stopped");
  if (clock.isUp) return without(test, "the time is spent", "--time grants more", "budget");
  const exploration = await test.explore(clock.within(test.options), clock.watch());
  const verdict = verdictOf(exploration, test);
  const ran = exploration.failing;
  return {
    finding: {
      property: test.property,
      verdict,
      occurrences: 1,
      ...(ran && verdict.kind === "violated" ? { narrative: test.narrative(ran) } : {}),
    },
    scope: verdict.kind === "holds" ? verdict.scope : { kind: "partial", by: "exhaustion", notes: [] },
    end: verdict.kind === "holds" ? "complete" : isSpentAlone(exploration.result) ? "budget" : "stopped",
    run: runOf(test, exploration, clock),
    notices: [],
  };
}

/** Refuses impossible options before anything runs. */
function refusalOf({ property, options }: Test): Diagnostic | undefined {
  const { name, span = { file: "", start: 0, end: 0 } } = property;
  const common = { severity: "error", span } as const;
  const mistake = mistakeIn(options as Readonly<Record<string, unknown>>);
  if (mistake !== undefined)
    return { ...common, code: "code/bad-option", message: `'${name}' cannot be checked: ${mistake}` };
  // sound: test/session/schedules/check.test.ts
  if (options.realm !== "host") return undefined;
  return {
    ...common,
    code: "code/needs-framework",
    message: `'${name}' cannot be checked: { realm: 'host' } runs it in the process of its framework`,
    hint: "run it with the framework; --property chooses among the others",
  };
}

export function verdictOf(
  { verdict, result, failing, message, scope }: Exploration,
  { options }: Pick<Test, "options">,
): Verdict {
  const failure = failing?.report.failure;
  if (verdict === "violated" && failing && failure) {
    const choices = failing.report.made.map(({ value }) => value);
    return {
      kind: "violated",
      reason: headline(failure),
      trace: { choices, loopStart: undefined, fault: 0 },
    };
  }
  if (options.only !== undefined)
    // sound: test/session/schedules/verdicts.test.ts
    return {
      kind: "unknown",
      reason: "only the schedule that replay(…) names was run",
      advice: "take replay(…) out of the test",
    };
  if (verdict === "holds" && result)
    // sound: test/session/schedules/verdicts.test.ts
    return { kind: "holds", scope: scopeOfSearch(isBoundAlone(result), scope) };
  const [first = "", place = ""] = message.split("\n").map((line) => line.replace(/\.$/, ""));
  const advice = message.split("\n").find((line) => line.startsWith("Raise `")) ?? "";
  return { kind: "unknown", reason: place.startsWith("  at ") ? `${first}${place.slice(1)}` : first, advice };
}

/** Assumptions of schedules limit the scope of the answer. */
const scopeOfSearch = (isBounded: boolean, lines: readonly string[]): Scope => ({
  kind: isBounded || lines.length > 0 ? "bounded" : "complete", // sound: test/session/schedules/verdicts.test.ts
  by: "exhaustion",
  notes: lines.map((line) => line.replace(/^Scope: (?:bounded\. )?/, "").replace(/\.$/, "")),
});

function scopeOf(scopes: readonly Scope[]): Scope {
  const kinds = ["partial", "bounded"] as const;
  const kind = kinds.find((each) => scopes.some((scope) => scope.kind === each)) ?? "complete";
  return { kind, by: "exhaustion", notes: [...new Set(scopes.flatMap(({ notes }) => notes))] };
}

/** Only a budget ended the search. */
export const isSpentAlone = (result: Exploration["result"]): boolean =>
  result !== undefined && !result.unstable && !result.failing; // sound: test/session/schedules/verdicts.test.ts

export const endOf = (ends: readonly SearchEnd[]): SearchEnd =>
  (["stopped", "budget"] as const).find((end) => ends.includes(end)) ?? "complete"; // sound: test/session/schedules/verdicts.test.ts

function runOf({ property }: Test, { result }: Exploration, clock: Clock): RunReport {
  const { schedules = clock.begun, longest = 0, seconds = 0, isReduced } = result ?? {};
  return {
    properties: [property.name],
    reductions: isReduced === true ? ["races"] : [],
    stats: { ...noStats, schedules, depth: longest, seconds },
  };
}

function without(
  { property }: Test,
  reason: string,
  advice: string,
  end: SearchEnd,
  notices: readonly Diagnostic[] = [],
): Answer {
  return {
    finding: { property, verdict: { kind: "unknown", reason, advice }, occurrences: 0 },
    scope: { kind: "partial", by: "exhaustion", notes: [] },
    end,
    run: { properties: [property.name], reductions: [], stats: { ...noStats, schedules: 0 } },
    notices,
  };
}

/** Time budget shared by all tests, and progress of the search. */
class Clock {
  readonly #control: EngineRequest["control"];
  readonly #timeMs: number;
  readonly #isWhole: boolean;
  readonly #start = performance.now();
  #before = 0;
  /** Schedules of this test. */
  begun = 0;

  constructor({ control, budget, isPlain, reductions }: EngineRequest) {
    this.#control = control;
    this.#isWhole = isPlain || reductions?.length === 0;
    this.#timeMs = budget.timeMs ?? Infinity;
  }

  get #leftMs(): number {
    return this.#timeMs - (performance.now() - this.#start);
  }

  get isUp(): boolean {
    return this.#leftMs <= 0;
  }

  /** Options of the command override options of the test; `--time` replaces the default limit of processor time. */
  within(options: ScheduleOptions): ScheduleOptions {
    const timeMs = Math.min(options.timeMs ?? Infinity, Math.ceil(this.#leftMs));
    return {
      ...options,
      ...(timeMs === Infinity ? {} : { timeMs }),
      ...(this.#isWhole ? { reduction: "none" } : {}),
    };
  }

  watch(): Parameters<Test["explore"]>[1] {
    this.#before += this.begun;
    this.begun = 0;
    const { isStopped } = this.#control;
    return {
      ...(isStopped ? { isStopped: () => isStopped() } : {}),
      onNews: ({ plan }) => this.#reportProgress(plan.prefix.length),
    };
  }

  #reportProgress(depth: number): void {
    this.begun++;
    const seconds = (performance.now() - this.#start) / 1000;
    const schedules = this.#before + this.begun;
    this.#control.onProgress?.({
      states: 0,
      transitions: 0,
      depth,
      frontier: 0,
      bytes: 0,
      seconds,
      schedules,
    });
  }
}
