/**
 * All errors at once, without stopping at the first: the reports of `--errors all`, each attributed to its error.
 *
 * An error is masked if another one ends the run before it shows, changes the run, or has the same report.
 */
import { endOf, singleCauseOf } from "./cause.js";
import { check, errorsIn, figures } from "./checking.js";
import { aodvEnvironments, aodvFile, aodvRows, presets } from "./matrix-errors.js";
import type { Results } from "./table.js";

/** `chosen`: an implementation, whose errors are used; otherwise all. */
export async function batch(results: Results, chosen: string | undefined): Promise<void> {
  results.heading("AODV: all errors of the implementations at once, the search goes on after each");
  const all = [...new Set(Object.values(presets).flat())];
  // Everything begins with sending: an error in every send masks all others.
  const sets = { ...presets, "all 36": all, "all but UF2": all.filter((error) => error !== "UF2") };
  for (const [name, errors] of Object.entries(sets))
    if (chosen === undefined ? name.startsWith("all") : name === chosen) await compare(name, errors, results);
}

async function compare(name: string, errors: readonly string[], results: Results): Promise<void> {
  const reports = await reported(name, errors, results);
  const found = new Set(reports.flatMap(({ cause }) => cause ?? []));
  const shown = await shownAmong(errors);
  const expected = shown.filter(
    ({ error, end }) => found.has(error) || !reports.some((report) => report.end === end),
  );
  const isComplete = expected.every(({ error }) => found.has(error));
  const text = (list: readonly string[]): string => `${list.length}: ${list.join(" ")}`;
  const unmasked = text(expected.map(({ error }) => error));
  results.row(`${name}: not masked, found`, unmasked, text(errors.filter((e) => found.has(e))), isComplete);
  const hidden = errors.filter((e) => !found.has(e) && !expected.some(({ error }) => error === e));
  results.figure(name, `masked: ${hidden.join(" ") || "none"}`);
}

interface Shown {
  readonly error: string;
  /** Result of the error's trace, in words. */
  readonly end: string;
}

/** Errors whose shortest trace has the same result with all others enabled, and not without the error. */
async function shownAmong(errors: readonly string[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const error of errors) {
    const { environment, property } = aodvRows.find(({ name }) => name === error)!;
    const schedule = await ownTrace(error, environment, property);
    const end = await endOf(schedule, environment, [error]);
    const others = errors.filter((other) => other !== error);
    if ((await endOf(schedule, environment, errors)) !== end) continue;
    if ((await endOf(schedule, environment, others)) !== end) shown.push({ error, end });
  }
  return shown;
}

const traces = new Map<string, string>();

/** Shortest trace of the error alone, cached. */
async function ownTrace(error: string, environment: string, property: string): Promise<string> {
  const known = traces.get(error);
  if (known !== undefined) return known;
  const report = await check(aodvFile, `${environment} ${error}`, { properties: [property] });
  const { schedule } = errorsIn(report)[0]!;
  traces.set(error, schedule);
  return schedule;
}

interface Reported {
  readonly end: string;
  /** Undefined: several errors cause it. */
  readonly cause: string | undefined;
}

/** Reports of one check per environment, without duplicates. */
async function reported(name: string, errors: readonly string[], results: Results): Promise<Reported[]> {
  const all: Reported[] = [];
  for (const { name: environment, defines, property } of aodvEnvironments) {
    const report = await check(aodvFile, `${defines} ${errors.join(" ")}`, {
      maxErrors: Infinity,
      budget: { maxStates: MOST_STATES },
      ...(property === undefined ? {} : { properties: [property] }),
    });
    const reports = errorsIn(report);
    for (const { schedule } of reports) {
      const end = await endOf(schedule, defines, errors);
      if (all.some((known) => known.end === end)) continue;
      all.push({ end, cause: await singleCauseOf(schedule, defines, errors) });
    }
    const causes = all.map(({ cause }) => cause ?? "(several)");
    const text = `${figures(report)}, ${reports.length} reports, by now: ${[...new Set(causes)].join(" ")}`;
    results.figure(`${name}, ${environment}`, text);
  }
  return all;
}

const MOST_STATES = 200_000;
