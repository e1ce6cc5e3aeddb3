/** Output of a failed test: the error and its position, the chart, the replay command, the extent of the search. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Place, SourceMapped } from "../../code/bundle/index.js";
import { Relied, type WorldReport } from "../../code/realm/index.js";
import type { SearchResult, Strategy } from "../../engines/schedules/index.js";
import { renderLanes } from "../../report/index.js";
import { scheduleText } from "./schedule-text.js";
import { narrativeOf, placeOf } from "./story.js";
import type { Replayed } from "./job.js";

export interface FailureParts {
  readonly failing: Replayed;
  readonly result: SearchResult | undefined;
  readonly strategy: Strategy;
  readonly places: SourceMapped | undefined;
  /** Lines that limit the scope of the verdict. */
  readonly scope: readonly string[];
  /** Note about a stale schedule. */
  readonly stale: readonly string[];
}

export function failureMessage({ failing, result, strategy, places, scope, stale }: FailureParts): string {
  const { report } = failing;
  const failure = report.failure!;
  const place = placeOf(failure.stack, places);
  const where = [
    headline(failure),
    ...(place ? [`  at ${placeText(place)}`, ...sourceLine(place)] : []),
    ...stale,
  ];
  // The same in every schedule: the test must be changed, and there is no chart.
  if (failure.kind === "unsupported") return where.join("\n");
  const lines = [
    ...where,
    "",
    renderLanes(narrativeOf(report, places)),
    ...printed(report),
    ...(failure.kind === "deadlock" ? waitingFor(report) : []),
    ...(place ? [] : lastCall(report, places)),
    `replay('${scheduleText(failing)}')`,
    "",
    ...(result ? [explored(result, strategy), ...wholeNotice(result)] : ["Only this schedule was run."]),
    ...scope,
  ];
  return lines.join("\n");
}

/** Extent of the search. */
export function explored(result: SearchResult, strategy: Strategy): string {
  const { schedules, isExhausted, failing, spent, longest, seconds } = result;
  const count = `${schedules.toLocaleString("en-US")} ${schedules === 1 ? "schedule" : "schedules"}`;
  const figures = `${count}, up to ${longest} ${longest === 1 ? "turn" : "turns"}, in ${seconds.toFixed(2)} s`;
  const within = boundText(result, strategy);
  const why = spent.map(spentText).join(", ");
  const late = (result.relied & Relied.late) !== 0 ? " within the lateness of requests" : "";
  if (failing && isExhausted) return `No schedule${late} that fails is shorter than this one (${figures}).`;
  if (failing && isBoundAlone(result))
    return `No schedule ${within} that fails is shorter than this one (${figures}).`;
  if (failing) return `The shortest that was found (${figures}; ${why}).`;
  if (isExhausted) return `${everyText(result)}: ${figures}.`;
  if (isBoundAlone(result))
    return `Every schedule ${within} was run: ${figures}; there are others with more.`;
  const least = within === undefined ? [] : [`Every one ${within} was.`];
  return [`Not every schedule was run: ${figures}; ${why}.`, ...least, ...chanceText(result)].join("\n");
}

/** Did every schedule within the requested bound run? */
export const isBoundAlone = ({ spent }: SearchResult): boolean => spent.length === 1 && spent[0] === "bound"; // sound: test/testing/conditions.test.ts

function everyText({ isReduced, relied }: SearchResult): string {
  if ((relied & Relied.late) !== 0) return "Every schedule within the lateness of requests was run"; // sound: test/code/world/late.test.ts
  return isReduced === true
    ? "Every schedule was run or differs from one only in turns that do not race"
    : "Every schedule was run";
}

/** `with at most 2 delays`; undefined: no exhausted bound. */
export function boundText({ exhaustedBound }: SearchResult, strategy: Strategy): string | undefined {
  const units = { deviations: "departure", delays: "delay", preemptions: "preemption" } as const;
  if (exhaustedBound === undefined || !(strategy in units)) return undefined;
  const unit = units[strategy as keyof typeof units];
  const rest = unit === "departure" ? " from the default order" : "";
  return exhaustedBound === 0
    ? `without ${unit}s${rest}`
    : `with at most ${exhaustedBound} ${unit}${exhaustedBound === 1 ? "" : "s"}${rest}`;
}

function chanceText({ chances }: SearchResult): string[] {
  if (!chances) return [];
  const { tasks, turns, of } = chances;
  const each = of.map(({ depth, chance }) => `${depth}: ${percent(chance)}`).join(", ");
  const count = tasks === 1 ? "1 task" : `${tasks} tasks`;
  return [
    `Chance to have seen a failure, at least, by the orderings it needs: ${each} (${count}, ${turns} turns).`,
  ];
}

/** Rounded down, because it is a promise. */
const percent = (chance: number): string =>
  `${(Math.floor(chance * 1000) / 10).toFixed(chance < 0.1 ? 1 : 0)} %`;

/** Notes that the requested reduction had no effect. */
export const wholeNotice = ({ isReduced }: SearchResult): string[] =>
  typeof isReduced === "string" ? [`The reduction by races is off: ${isReduced}.`] : [];

const spentText = (what: SearchResult["spent"][number]): string =>
  ({
    schedules: "the number of schedules is spent",
    time: "the time is spent",
    processor: "the processor time is spent",
    turns: "some schedule was given up after its last turn",
    bound: "the bound leaves some out",
    random: "they were drawn at random",
  })[what];

type Failure = NonNullable<WorldReport["failure"]>;

export function headline({ kind, name, message }: Failure): string {
  switch (kind) {
    case "assertion":
    case "exception":
      return `${name || "Error"}: ${message}`;
    case "rejection":
      return `Unhandled rejection: ${name ? `${name}: ` : ""}${message}`;
    case "deadlock":
      return `Deadlock: ${message}`;
    case "livelock":
      return `Livelock: ${message}`;
    case "unsupported":
      return `code/unsupported: ${message}`;
  }
}

export const placeText = ({ file, line, column }: Place): string =>
  `${relative(process.cwd(), file) || file}:${line}:${column}`;

export function sourceLine({ file, line, column }: Place): string[] {
  try {
    const text = readFileSync(file, "utf8").split("\n")[line - 1];
    if (text === undefined) return [];
    return [`  ${String(line).padStart(5)} | ${text}`, `        | ${" ".repeat(Math.max(0, column - 1))}^`];
  } catch {
    return [];
  }
}

/** Output that the chart omits or shortens: printed before the first turn, or too long for a line. */
function printed({ output }: WorldReport): string[] {
  const isInChart = output.every(({ turn, text }) => turn > 0 && text.length <= LONGEST_IN_CHART);
  if (output.length === 0 || isInChart) return [];
  return [
    "console output of this schedule:",
    ...output.map(({ turn, text }) => `  [${turn === 0 ? "start" : `turn ${turn}`}] ${text}`),
    "",
  ];
}

const LONGEST_IN_CHART = 80;

const waitingFor = ({ pending }: WorldReport): string[] =>
  pending.length > 0 ? [`still pending: ${pending.join(", ")}`, ""] : [];

/** Without a line of the error: the last call of the code. */
function lastCall({ events }: WorldReport, places: SourceMapped | undefined): string[] {
  for (const { kind, lane, label, stack } of events.toReversed()) {
    const place = kind === "call" ? placeOf(stack, places) : undefined;
    if (place) return [`last call: ${lane} ${label}`, `  at ${placeText(place)}`, ...sourceLine(place), ""];
  }
  return [];
}
