/** Comparisons for tests of the searches by several threads and on disk. */
import { expect } from "vitest";
import { compile } from "../../../src/compile/index.js";
import type { Violation } from "../../../src/engines/explicit/monitor.js";
import { search, type SearchOptions, type SearchResult } from "../../../src/engines/explicit/search.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { Sources, type Model } from "../../../src/model/index.js";
import { generateProgram } from "../../generators/promela.js";
import { renderProgram } from "../../generators/promela-tree.js";
import type { obviousSearch } from "../explicit/obvious.js";
import { SMALL_SIZES, type Threads } from "./crews.js";

export const figures = ({ stats }: SearchResult): number[] => [stats.states, stats.transitions, stats.depth];

export const summary = ({ violations }: SearchResult) =>
  violations
    .map((v) => ({ what: nameOf(v), steps: nameOf(v) === "deadlock" ? 0 : stepsTo(v), times: v.occurrences }))
    .sort((a, b) => a.what.localeCompare(b.what));

export function nameOf({ cause }: Violation): string {
  if (cause.kind === "deadlock") return "deadlock";
  return cause.kind === "fault" ? `${cause.site}` : `i${cause.index}`;
}

export const stepsTo = ({ cause, path, stuckAt }: Violation): number =>
  cause.kind === "fault" || stuckAt ? path.length : path.length - 1;

/** The results of the obvious search, with traces that replay and have the same length. */
export function expectFound(
  result: SearchResult & { readonly model: Model },
  expected: ReturnType<typeof obviousSearch>,
): void {
  expect(result.stop).toBeUndefined();
  expect(figures(result)).toEqual([expected.states, expected.transitions, expected.depth]);
  expect(new Map(result.violations.map((v) => [nameOf(v), v.occurrences]))).toEqual(expected.occurrences);
  for (const violation of result.violations) {
    const excess = stepsTo(violation) - expected.errors.get(nameOf(violation))!;
    expect(excess).toBeGreaterThanOrEqual(0);
    // As with one thread: a deadlock inside an atomic sequence may be found before a shorter one.
    expect(excess).toBeLessThanOrEqual(nameOf(violation) === "deadlock" ? 1 : 0);
    traceTo(violation, result.model); // throws unless it replays
  }
}

export function promela(text: string): Model | undefined {
  const sources = new Sources();
  const { program } = loadPromela({
    file: "random.pml",
    text,
    defines: [],
    readFile: () => undefined,
    sources,
    rules: {},
    invariants: [],
  });
  return program && compile(program, sources);
}

/** Two workers agree with one thread on the first random programs; returns the number small enough to be compared. */
export async function compareOnRandomPrograms(
  threads: Threads,
  options: SearchOptions,
  programs: number,
  maxStates: number,
): Promise<number> {
  let compared = 0;
  for (let seed = 1; seed <= programs; seed++) {
    const model = promela(renderProgram(generateProgram(seed)));
    if (!model) continue;
    const request = { ...options, checksSite: model.sites.map(() => true), invariants: [] };
    const one = await search(model, { ...request, budget: { maxStates } });
    if (one.stop !== undefined) continue;
    const two = await threads.search(model, request, { sizes: { ...SMALL_SIZES, chunkStates: 1024 } });
    expect(figures(two), `seed ${seed}`).toEqual(figures(one));
    expect(summary(two), `seed ${seed}`).toEqual(summary(one));
    for (const violation of two.violations) traceTo(violation, two.model);
    compared++;
  }
  return compared;
}
