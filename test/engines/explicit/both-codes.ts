/** The same search by JavaScript and by WebAssembly: everything it finds out must be the same. */
import { expect } from "vitest";
import { compile, type CompiledModel } from "../../../src/compile/index.js";
import {
  search,
  type Proviso,
  type SearchOptions,
  type SearchResult,
} from "../../../src/engines/explicit/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { LayoutExceeded, Sources, hasErrors, type Model, type Program } from "../../../src/model/index.js";
import { planReductions } from "../../../src/transforms/reduction/index.js";

export interface BothCodes {
  /** Searches that were compared, and those of them that ran as WebAssembly. */
  readonly compared: number;
  readonly asStepCode: number;
}

const MOST_STATES = 3000;

export interface Asked {
  readonly name: string;
  readonly text: string;
  readonly invariants?: readonly string[];
}

/** Both orders, both exact stores, with and without partial order, all errors or the first. */
export async function compareCodes(asked: Asked): Promise<BothCodes> {
  const tally = { compared: 0, asStepCode: 0 };
  const program = load(asked);
  for (const candidacy of program ? [undefined, candidacyOf(program)] : []) {
    const sources = new Sources();
    const model = compile(program!, sources, { candidacy });
    const compact = await compacted(model);
    for (const { order, store, maxErrors } of SEARCHES) {
      const proviso: Proviso | undefined = candidacy && (order === "bfs" ? "queue" : "stack");
      const options = { ...optionsFor(model), order, store, maxErrors, proviso };
      const one = await searchBy(compact, options, false);
      const other = await searchBy(compact, options, true);
      expect(other.seen, `${asked.name} ${order} ${store} ${maxErrors}`).toEqual(one.seen);
      tally.compared++;
      if (other.backend === "webassembly") tally.asStepCode++;
    }
  }
  return tally;
}

const SEARCHES = [
  { order: "bfs", store: "flat", maxErrors: Infinity },
  { order: "bfs", store: "tree", maxErrors: 1 },
  { order: "dfs", store: "flat", maxErrors: 1 },
  { order: "dfs", store: "tree", maxErrors: Infinity },
] as const;

function load({ text, invariants = [] }: Asked): Program | undefined {
  const sources = new Sources();
  const file = "m.pml";
  sources.add(file, text);
  const given = { file, text, sources, readFile: () => undefined, defines: [], invariants };
  const { program, diagnostics } = loadPromela(given);
  return hasErrors(diagnostics) || !program ? undefined : { ...program, temporal: [] };
}

const candidacyOf = (program: Program) =>
  planReductions(program, {
    wanted: ["por"],
    properties: [{ kind: "assertion", name: "assertions", span: undefined }],
    trustsClaims: false,
  }).candidacy;

const optionsFor = (model: Model): Omit<SearchOptions, "order"> => ({
  budget: { maxStates: MOST_STATES },
  control: {},
  maxErrors: 1,
  checksDeadlock: true,
  checksSite: model.sites.map(() => true),
  invariants: model.invariants.map((_, i) => i),
});

/** Makes the model in the layout that the states of a short search suggest: a model whose layout was exceeded is not used again. */
async function compacted(model: CompiledModel): Promise<() => Model> {
  const trial = await search(model, { ...optionsFor(model), order: "bfs", budget: { maxStates: 40 } });
  return () => model.compact!((i) => trial.store.numbered(i + 1, trial.store.width), trial.store.count);
}

/** In a wider layout as often as one is exceeded. */
async function searchBy(compact: () => Model, options: SearchOptions, usesStep: boolean) {
  let chosen = compact();
  chosen.coverage!.reached.fill(0);
  for (;;)
    try {
      const result = await search(chosen, { ...options, usesStep });
      return { seen: seenBy(result, chosen), backend: result.stats.backend };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
}

function seenBy({ stats, stop, violations }: SearchResult, model: Model): unknown {
  const { states, transitions, depth, matched, peakFrontier, stateBytes, partialOrder } = stats;
  return {
    ...{ states, transitions, depth, matched, peakFrontier, stateBytes, partialOrder, stop },
    violations: violations.map(({ cause, path, occurrences, stuckAt }) => ({
      cause,
      occurrences,
      path: Array.from({ length: path.length }, (_, i) => [...path.state(i)]),
      stuckAt: stuckAt && [...stuckAt],
    })),
    reached: [...model.coverage!.reached],
  };
}
