/** Strategies: which alternative of a decision the next run takes. Depth-first ones are exhaustive, the others sample. */
import type { Solver } from "../../../model/solver.js";
import { Coverage } from "../coverage.js";
import { explore, type Exploration } from "../explore.js";
import type { FoundError } from "../findings.js";
import type { Runnable } from "../machine.js";
import type { ConcolicOptions } from "./options.js";
import { ConcolicSearch, type Alternative, type Node } from "./search.js";

/** A generator: control returns to the caller after each block. */
export function* runConcolic(
  program: Runnable,
  solver: Solver,
  options: ConcolicOptions,
  onError: (error: FoundError) => "continue" | "stop",
  coverage: Coverage = new Coverage(program.module),
): Generator<Exploration, Exploration> {
  if (options.strategy === "fork") {
    const { seed, maxDepth, maxRuns } = options;
    const request = { order: "fork", seed, maxDepth, maxPaths: maxRuns } as const;
    return yield* explore(program, solver, request, onError);
  }
  const search = new ConcolicSearch(program, solver, options, coverage, onError);
  const steps = STRATEGIES[options.strategy](search);
  while (!search.isStopped && steps.next().done !== true) yield search.result();
  if (search.runs >= options.maxRuns && !search.isFinished)
    search.findings.note("paths", `${search.runs} runs were made, and more are left`); // sound: test/engines/programs/llsplat.test.ts
  return search.result();
}

type Steps = Generator<undefined>;

const STRATEGIES: Readonly<
  Record<Exclude<ConcolicOptions["strategy"], "fork">, (search: ConcolicSearch) => Steps>
> = {
  *dfs(search) {
    yield* depthFirst(search);
    if (search.isCut) search.findings.note("depth", `a run has more than ${search.depth} decisions`); // sound: test/engines/programs/llsplat.test.ts
    search.isFinished = true;
  },

  /** Runs with up to 10 decisions, then 20, … */
  *idfs(search) {
    const most = search.options.maxDepth;
    for (let depth = Math.min(10, most); ; depth = Math.min(most, 2 * depth)) {
      search.depth = depth;
      search.isCut = false;
      yield* depthFirst(search);
      if (!search.isCut || depth >= most) break;
    }
    if (search.isCut) search.findings.note("depth", `a run has more than ${search.depth} decisions`); // sound: test/engines/programs/llsplat.test.ts
    search.isFinished = true;
  },

  *cfg(search) {
    sampled(search);
    for (;;) {
      yield* search.fromStart(true);
      yield* towardsNewCode(search, BUDGET);
    }
  },

  *"uniform-random"(search) {
    sampled(search);
    for (;;) {
      yield* search.fromStart(true);
      for (let index = 0; index < search.path.length; index++) {
        const choice = search.inputs.below(2) === 0 ? undefined : otherOf(search, search.path[index]);
        yield;
        if (choice && search.solve(choice.alternative)) yield* search.from(index, choice.taken);
      }
    }
  },

  *"random-branch"(search) {
    sampled(search);
    for (;;) {
      yield* search.fromStart(true);
      for (let failures = 0; failures < 100 && search.path.length > 0;) {
        const index = search.inputs.below(search.path.length);
        const choice = otherOf(search, search.path[index]);
        yield;
        if (choice && search.solve(choice.alternative)) {
          failures = 0;
          yield* search.from(index, choice.taken);
        } else failures++;
      }
    }
  },

  *random(search) {
    sampled(search);
    for (;;) {
      search.observe([], 0, true);
      search.runs++;
      yield;
    }
  },
};

/** Runs by chance prove nothing, even if no other ones exist. */
function sampled({ findings, options }: ConcolicSearch): void {
  findings.note("strategy", `the strategy ${options.strategy} samples runs`); // sound: test/engines/programs/llsplat.test.ts
}

/** The deepest decision first. */
function* depthFirst(search: ConcolicSearch): Steps {
  yield* search.fromStart(false);
  for (let next = deepestOpen(search); next; next = deepestOpen(search)) {
    yield;
    if (search.solve(next.alternative)) yield* search.from(next.index, next.taken);
  }
}

function deepestOpen({
  path,
}: ConcolicSearch):
  { readonly index: number; readonly taken: number; readonly alternative: Alternative } | undefined {
  for (let index = path.length - 1; index >= 0; index--) {
    const alternatives = path[index]?.alternatives ?? [];
    const taken = alternatives.findIndex(({ status }) => status === "open");
    const alternative = alternatives[taken];
    if (alternative) return { index, taken, alternative };
  }
  return undefined;
}

/** A random alternative that the run has not taken. */
function otherOf(
  { inputs }: ConcolicSearch,
  node: Node | undefined,
): { readonly taken: number; readonly alternative: Alternative } | undefined {
  const others = (node?.alternatives ?? []).flatMap((alternative, taken) =>
    taken === node?.taken || !alternative.state ? [] : [{ taken, alternative }],
  );
  return others[inputs.below(Math.max(1, others.length))];
}

/** Queries of a search towards new code before it begins again with other inputs (CREST). */
const BUDGET = 100;

function* towardsNewCode(search: ConcolicSearch, budget: number): Steps {
  let left = budget;
  for (let isNew = true; isNew && left > 0;) {
    isNew = false;
    const choices = search.path
      .flatMap(({ alternatives, taken: current }, index) =>
        alternatives.flatMap((alternative, taken) =>
          taken === current || !alternative.state
            ? []
            : [{ index, taken, alternative, distance: search.distances.of(alternative.state) }],
        ),
      )
      .filter(({ distance }) => distance < Infinity)
      .sort((a, b) => a.distance - b.distance);
    for (const { index, taken, alternative, distance } of choices) {
      if (left-- <= 0) break;
      yield;
      if (!search.solve(alternative)) continue;
      const before = search.covered;
      yield* search.from(index, taken);
      isNew = true;
      if (search.covered > before) left = budget;
      else if (nearest(search, index + 1) >= distance) left = Math.floor(left / 2);
      break;
    }
  }
}

/** Least distance from new code behind a decision. */
const nearest = ({ path, distances }: ConcolicSearch, from: number): number =>
  Math.min(
    Infinity,
    ...path
      .slice(from)
      .flatMap(({ alternatives }) =>
        alternatives.flatMap(({ state }) => (state ? [distances.of(state)] : [])),
      ),
  );
