/** One test under every schedule, for all frameworks: loads, runs, and reports the result. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { HostProgram, type ScheduleWorld } from "../../code/schedule/index.js";
import { ScheduleSearch, type SearchResult, type Strategy } from "../../engines/schedules/index.js";
import { processorMs, Sources, type CodeCoverage, type Diagnostic, type Plan } from "../../model/index.js";
import { renderChart } from "../../report/chart.js";
import { renderDiagnostics } from "../../report/index.js";
import { countingOf, coverageText } from "./coverage.js";
import { locked, type Replayed, type SearchJob, type Tracked } from "./job.js";
import {
  boundText,
  explored,
  failureMessage,
  isBoundAlone,
  placeText,
  sourceLine,
  wholeNotice,
} from "./message.js";
import { defaultStrategy, limitsOf, type ScheduleOptions } from "./options.js";
import { runJob, type Ending, type Watch } from "./run-job.js";
import { scopeLines } from "./scope.js";
import { isStale, parseScheduleText, type ParsedSchedule } from "./schedule-text.js";
import { framesOf, narrativeOf, placeOf, userFrames, type Frame } from "./story.js";
import { trackedScript } from "./tracked.js";
import { loadTestFile, type TestFile, type TestFileRequest } from "./test-file.js";

export type Body = (world: ScheduleWorld) => unknown;

/** The outcome; `message` is for people. */
export interface Exploration {
  readonly verdict: "holds" | "violated" | "unknown";
  readonly message: string;
  readonly result: SearchResult | undefined;
  readonly failing: Replayed | undefined;
  /** The individually run schedule (`only`), passed or failed. */
  readonly replayed?: Replayed | undefined;
  /** The user's stack, innermost first: `name (file:line:column)`. */
  readonly stack: readonly string[];
  /** Coverage of the code under test, over all schedules of the search, if requested. */
  readonly coverage?: CodeCoverage;
  /** Output of individually run schedules. */
  readonly scope: readonly string[];
}

export interface ExploreRequest extends TestFileRequest {
  readonly names: readonly string[];
  readonly body: Body;
  /** The stack of the call that declares the test. */
  readonly declaredAt?: string;
}

export async function explore(
  request: ExploreRequest,
  options: ScheduleOptions,
  watch: Watch = {},
): Promise<Exploration> {
  const exploration = await exploreSchedules(request, options, watch);
  return exploration.verdict === "holds" ? exploration : placed(exploration, request.declaredAt ?? "");
}

/** Findings without a line in the user's code, such as a deadlock or a spent budget, point at the test. */
function placed(exploration: Exploration, declaredAt: string): Exploration {
  const [frame] = userFrames(declaredAt, undefined);
  if (!frame || exploration.stack.length > 0) return exploration;
  const { name, place } = frame;
  const message = [exploration.message, "", `The test: ${placeText(place)}`, ...sourceLine(place)].join("\n");
  return { ...exploration, message, stack: [frameText({ name: name || "test", place })] };
}

async function exploreSchedules(
  request: ExploreRequest,
  options: ScheduleOptions,
  watch: Watch,
): Promise<Exploration> {
  const firstTexts = options.only === undefined ? (options.regressions ?? []) : [options.only];
  const first = firstTexts.map(parseScheduleText);
  if (first.includes(undefined))
    // sound: test/testing/conditions.test.ts
    return unknown(
      `${JSON.stringify(firstTexts[first.indexOf(undefined)])} is no schedule; a test that fails prints one, such as replay('1.0.2#eukl')`,
    );
  const plans = first as ParsedSchedule[];
  const { late } = options;
  if (late !== undefined && !(Number.isInteger(late) && late >= 0))
    return unknown(`late must be a number of firings, 0 or more, not ${JSON.stringify(late)}`);
  if (options.realm === "host") return exploreInHost(request.body, plans, options);
  const file = await loadTestFile(request);
  if ("diagnostics" in file) return unknown(diagnosticsText(file.diagnostics));
  return exploreInRealms(file, request.names, plans, options, watch);
}

async function exploreInRealms(
  file: TestFile,
  names: readonly string[],
  first: readonly ParsedSchedule[],
  options: ScheduleOptions,
  watch: Watch,
): Promise<Exploration> {
  const counting = options.coverage ? await countingOf(file) : undefined;
  const job: SearchJob = {
    kind: "schedules",
    lock: locked,
    base: file.base,
    script: file.script,
    tracked: options.reduction === "races" ? await trackedFor(file, options) : undefined,
    pausesAt: mayReduceLater(options) ? reducesPast : undefined,
    counted: counting?.script,
    names,
    limits: limitsOf(options),
    first: first.map(({ plan }) => plan),
    isReplay: options.only !== undefined,
  };
  const ending = await wholeEnding(file, job, options, watch);
  switch (ending.kind) {
    case "crashed":
      // The end of the process is not a finding about the code: memory is a budget.
      return unknown(`The process that ran the schedules is gone: ${ending.reason}.${atPlan(ending.plan)}`); // sound: test/code/refusals.test.ts
    case "hung":
      return unknown(
        `A schedule was given up because nothing was heard of it, and does not hang when it is run again; the machine may have been busy: raise \`hangMs\`.${atPlan(ending.plan)}`,
      );
    case "stopped":
      return unknown("The search was stopped.");
    case "outcome": {
      if (ending.found !== 1) return unknown(notFound(names, ending.found, ending.declared));
      const [replayed] = job.isReplay ? ending.replayed : [];
      const concluded = conclude({ ...ending, first, options, places: file.places, scope: [] });
      const exploration = { ...concluded, ...(replayed ? { replayed } : {}) };
      if (!counting || !ending.result) return exploration;
      const coverage = counting.found(ending.hits ?? []);
      return { ...exploration, coverage, message: `${exploration.message}\n\n${coverageText(coverage)}` };
    }
  }
}

/** Schedules after which the reduction begins by itself: about the time that instrumenting a small test takes. */
const reducesPast = 1000;

/** An instrumented schedule takes about six times as long (`npm run bench:schedules`). */
const leastGain = 8;

/** A search with a chosen strategy or bound makes claims about schedules in its order. */
const mayReduceLater = ({ reduction, strategy, bound, late, only }: ScheduleOptions): boolean =>
  reduction === "auto" &&
  (strategy ?? defaultStrategy) === defaultStrategy &&
  bound === undefined &&
  late === undefined &&
  only === undefined;

/** After a pause, searches again from the start with reduction by races, or without a pause where that is impossible. */
async function wholeEnding(
  file: TestFile,
  job: SearchJob,
  options: ScheduleOptions,
  watch: Watch,
): Promise<Ending> {
  const first = await runJob(job, watch);
  if (first.kind !== "outcome" || !first.isPaused || !first.result) return first;
  const tracked = await trackedFor(file, options);
  const canReduce = "script" in tracked;
  const second = await runJob(
    {
      ...job,
      pausesAt: undefined,
      ...(canReduce ? { tracked, leastGain } : {}),
      limits: { ...job.limits, search: limitsLeft(job.limits.search, first.result) },
    },
    watch,
  );
  if (second.kind !== "outcome" || !second.result) return second;
  return {
    ...second,
    result: joined(first.result, second.result),
    caught: first.caught ?? second.caught,
    hits: [...(first.hits ?? []), ...(second.hits ?? [])],
  };
}

function limitsLeft(
  search: SearchJob["limits"]["search"],
  used: SearchResult,
): SearchJob["limits"]["search"] {
  const left = (ms: number, usedMs: number): number => Math.max(1, ms - usedMs);
  return {
    ...search,
    maxSchedules: search.maxSchedules - used.schedules,
    timeMs: left(search.timeMs, used.seconds * 1000),
    ...(search.cpuMs === undefined ? {} : { cpuMs: left(search.cpuMs, used.cpuMs) }),
  };
}

/** Nobody required the reduction, so why it was abandoned is no news. */
function joined(first: SearchResult, { isReduced, ...second }: SearchResult): SearchResult {
  const { exhaustedBound = first.exhaustedBound } = second;
  const isBounded = !second.isExhausted && exhaustedBound !== undefined;
  return {
    ...second,
    seconds: first.seconds + second.seconds,
    longest: Math.max(first.longest, second.longest),
    relied: first.relied | second.relied,
    reliedAt: { ...second.reliedAt, ...first.reliedAt },
    ...(isReduced === true ? { isReduced } : {}),
    ...(isBounded ? { exhaustedBound: Math.max(exhaustedBound, first.exhaustedBound ?? 0) } : {}),
  };
}

async function trackedFor(file: TestFile, { late }: ScheduleOptions): Promise<Tracked> {
  // Turns of independent requests and timers are dependent if one delays the other too long.
  if (late !== undefined) return { refused: "the lateness of requests is bounded" }; // sound: test/code/world/late.test.ts
  return trackedScript(file);
}

async function exploreInHost(
  body: Body,
  first: readonly ParsedSchedule[],
  options: ScheduleOptions,
): Promise<Exploration> {
  const limits = limitsOf(options);
  const program = new HostProgram(body, limits.world);
  const replay = async (plan: Plan): Promise<Replayed> => {
    const { report, schedule } = await program.runRecorded({ plan, maxTurns: limits.search.maxTurns });
    return { plan, report, end: schedule.end, options: schedule.made.map((m) => m.options) };
  };
  const replayed: Replayed[] = [];
  for (const { plan } of first) replayed.push(await replay(plan));
  let failing = replayed.find(({ end }) => end === "failed");
  let refused = replayed.find(({ end }) => end === "refused");
  let result: SearchResult | undefined;
  if (!failing && options.only === undefined) {
    // sound: test/testing/conditions.test.ts
    const search = new ScheduleSearch({
      ...limits.search,
      now: () => performance.now(),
      cpuNow: processorMs,
    });
    for (let next = search.next(); next; next = search.next()) search.record(await program.run(next));
    result = search.result();
    if (result.failing)
      failing = await replay({
        prefix: result.failing.run.made.map((m) => m.value),
        tail: { kind: "first" },
      });
    if (result.refused) refused = await replay(result.refused); // sound: test/testing/conditions.test.ts
  }
  return conclude({
    replayed,
    result,
    failing,
    refused,
    first,
    options,
    places: undefined,
    scope: hostScope(options),
  });
}

const hostScope = ({ coverage }: ScheduleOptions): string[] => [
  "Scope: host realm. Modules keep their state from one schedule to the next; only timers, Date and Math.random are controlled.",
  ...(coverage ? ["Coverage is not measured in the host realm."] : []),
];

interface Conclusion {
  readonly replayed: readonly Replayed[];
  readonly result: SearchResult | undefined;
  readonly failing: Replayed | undefined;
  readonly refused?: Replayed | undefined;
  readonly caught?: Replayed | undefined;
  readonly endless?: Replayed | undefined;
  readonly first: readonly ParsedSchedule[];
  readonly options: ScheduleOptions;
  readonly places: TestFile["places"] | undefined;
  readonly scope: readonly string[];
}

function conclude(found: Conclusion): Exploration {
  const { replayed, result, failing, refused, first, options, places } = found;
  const strategy = options.strategy ?? defaultStrategy;
  const scope = [...found.scope, ...boundScope(result, strategy), ...reliedScope(found)];
  // It failed or timed out in the search, and passes now.
  if (failing && !failing.report.failure) return unknown(passesAgainText(failing, result, strategy), found); // sound: test/testing/conditions.test.ts
  if (failing) {
    // sound: test/testing/conditions.test.ts
    const { svg } = options;
    if (svg !== undefined) writeFileSync(svg, renderChart(narrativeOf(failing.report, places)));
    const stack = framesOf(failing.report.failure!.stack, places).map(frameText);
    return {
      verdict: "violated",
      message: failureMessage({ failing, result, strategy, places, scope, stale: staleNotice(found) }),
      result,
      failing,
      stack,
      scope,
    };
  }
  if (refused) {
    // sound: test/testing/conditions.test.ts
    const message = failureMessage({ failing: refused, result, strategy, places, scope, stale: [] });
    const stack = framesOf(refused.report.failure?.stack ?? "", places).map(frameText);
    // Without a result, so that no option lets it pass.
    return { ...unknown(message), failing: refused, stack, scope }; // sound: test/testing/conditions.test.ts
  }
  const stale = replayed.findIndex((run, i) => isStale(first[i]!.mark, run));
  if (stale >= 0) return unknown(staleText(found, stale), found); // sound: test/testing/conditions.test.ts
  if (result?.unstable) return unknown(`${unstableText}\n${explored(result, strategy)}`, found); // sound: test/testing/conditions.test.ts
  const notices = result ? wholeNotice(result) : [];
  const message = [result ? explored(result, strategy) : onlyText, ...notices, ...scope].join("\n");
  if (!result || result.isExhausted || isBoundAlone(result))
    // sound: test/testing/conditions.test.ts
    return { verdict: "holds", message, result, failing, stack: [], scope };
  return unknown([message, ...endlessText(found), spentAdvice].join("\n"), found);
}

const frameText = ({ name, place }: Frame): string =>
  `${name || "<anonymous>"} (${place.file}:${place.line}:${place.column})`;

const onlyText = "The schedule passes; no other schedule was run: remove replay(…) to run all.";

const unstableText =
  "code/nondeterminism: a schedule ran otherwise the second time, so something is not under control.";

/** Assumptions of the schedules. */
function reliedScope({ result, replayed, options, caught, places }: Conclusion): string[] {
  const relied = replayed.reduce((bits, { report }) => bits | (report.relied ?? 0), result?.relied ?? 0);
  const assertion = caught?.report.caught ?? replayed.find(({ report }) => report.caught)?.report.caught;
  const place = assertion && placeOf(assertion.stack, places);
  const where = place ? ` at ${placeText(place)}` : "";
  return scopeLines(relied, options, assertion ? `${assertion.message}${where}` : "");
}

/** A requested bound that excludes schedules. */
function boundScope(result: SearchResult | undefined, strategy: Strategy): string[] {
  if (!result || !isBoundAlone(result)) return []; // sound: test/testing/conditions.test.ts
  return [`Scope: bounded. It is about schedules ${boundText(result, strategy)}.`];
}

const passesAgainText = ({ plan }: Replayed, result: SearchResult | undefined, strategy: Strategy): string =>
  [
    `code/nondeterminism: the schedule ${plan.prefix.join(".") || "of the default order"} failed, and passes when it is run again, so something is not under control.`,
    "If it was given up because a turn took too long, the machine may have been busy: raise `hangMs`.",
    ...(result ? [explored(result, strategy)] : []),
  ].join("\n");

const spentAdvice =
  "Raise `schedules`, `cpuMs` or `turns`, make the test smaller, or say { onSpent: 'pass' } if this is enough.";

/** Names the timer that keeps a run from ending. */
function endlessText({ endless, places, options }: Conclusion): string[] {
  const repeating = endless?.report.repeating;
  if (!repeating) return [];
  const place = placeOf(repeating.stack, places);
  const advice =
    options.late === undefined
      ? "{ late: 3 } limits how often it does so while a request is pending."
      : "Clear it, or make the test smaller.";
  return [
    `In one schedule the timer "${repeating.label}" fired ${repeating.times} times in a row, each time leading to the next. ${advice}`,
    ...(place ? [`  at ${placeText(place)}`, ...sourceLine(place)] : []),
  ];
}

const staleText = ({ options }: Conclusion, index: number): string =>
  `The schedule ${JSON.stringify((options.only === undefined ? options.regressions : [options.only])![index])} is stale: the code offers other choices than when it was recorded. Remove it, or record it again.`;

/** A stale schedule that still fails. */
function staleNotice({ replayed, failing, first }: Conclusion): string[] {
  // Values from another process are copies.
  const index = replayed.findIndex(({ plan }) => plan.prefix.join() === failing?.plan.prefix.join());
  if (index < 0 || !isStale(first[index]!.mark, failing!)) return [];
  return [
    "This schedule is stale: the code offers other choices than when it was recorded. The result is from the current code.",
  ];
}

const unknown = (message: string, found?: Conclusion): Exploration => ({
  verdict: "unknown",
  message,
  result: found?.result,
  failing: undefined,
  stack: [],
  scope: found?.scope ?? [],
});

const atPlan = (plan: Plan | undefined): string =>
  plan ? ` It was at the schedule ${plan.prefix.join(".") || "of the default order"}.` : "";

function notFound(names: readonly string[], found: number, declared: readonly (readonly string[])[]): string {
  const name = JSON.stringify(names.join(" > "));
  if (found > 1)
    return `code/ambiguous-test: ${found} tests of this file are called ${name}; give them different names`;
  const others = declared.map((path) => JSON.stringify(path.join(" > "))).join(", ") || "none";
  return `code/lost-test: evaluated in a separate realm, the file does not declare ${name} (it declares ${others})`;
}

function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  const sources = new Sources();
  for (const { span } of diagnostics)
    if (existsSync(span.file)) sources.add(span.file, readFileSync(span.file, "utf8"));
  return renderDiagnostics(diagnostics, sources);
}
