/** What tests of the parallel search compare. */
import { compile } from "../../../src/compile/index.js";
import type { Violation } from "../../../src/engines/explicit/monitor.js";
import type { SearchResult } from "../../../src/engines/explicit/search.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Model } from "../../../src/model/index.js";

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
