/**
 * Explores the paths of a program: execution-generated testing. Inputs are symbolic, a branch on them forks, and the end of every path has a
 * model: inputs that lead there.
 *
 * Always true: an error is reported only after a run of the program with its concrete inputs has shown the same error.
 */
import type { Solver } from "../../model/solver.js";
import { Bits } from "./bits.js";
import { Distances } from "./distances.js";
import { Executor } from "./execute.js";
import { Findings, valuesOf, type FoundError, type GapKind } from "./findings.js";
import { Ended, Machine, type Runnable } from "./machine.js";
import { startOf } from "./start.js";
import type { PathEnd, PathState } from "./state.js";

export interface ExploreOptions {
  /** `fork`: the newest and a random path in turns; `cfg`: the path that is nearest to code which no path has reached. */
  readonly order: "fork" | "dfs" | "bfs" | "random" | "cfg";
  readonly seed: number;
  /** Largest number of decisions on a path. */
  readonly maxDepth: number;
  readonly maxPaths: number;
}

export interface Exploration {
  readonly errors: readonly FoundError[];
  /** Reasons why a search without errors proves nothing; empty: all paths were explored. */
  readonly gaps: ReadonlyMap<GapKind, string>;
  /** Bounds of the search itself, such as rounds of loops. */
  readonly bounds?: readonly string[];
  /** Of the engine. */
  readonly figures?: Readonly<Record<string, number>>;
  readonly paths: number;
  readonly instructions: number;
  readonly depth: number;
  readonly pending: number;
  /** Some path reads standard input. */
  readonly readsInput: boolean;
}

/** A generator: control returns to the caller after each slice of work. */
export function* explore(
  program: Runnable,
  solver: Solver,
  options: ExploreOptions,
  onError: (error: FoundError) => "continue" | "stop",
  onPath?: (inputs: readonly bigint[], end: PathEnd) => void,
): Generator<Exploration, Exploration> {
  const search = new Search(program, solver, options, onError, onPath);
  while (search.advance()) yield search.result();
  return search.result();
}

const SLICE = 20_000;

class Search {
  readonly #options: ExploreOptions;
  readonly #onPath: ((inputs: readonly bigint[], end: PathEnd) => void) | undefined;
  readonly #distances = new Distances();
  readonly #executor: Executor;
  readonly #waiting: PathState[] = [];
  readonly #findings: Findings;
  #random: number;
  #turn = 0;
  #paths = 0;
  #instructions = 0;
  #depth = 0;
  #isStopped = false;
  #readsInput = false;

  constructor(
    program: Runnable,
    solver: Solver,
    options: ExploreOptions,
    onError: (error: FoundError) => "continue" | "stop",
    onPath: ((inputs: readonly bigint[], end: PathEnd) => void) | undefined,
  ) {
    this.#findings = new Findings(program, onError);
    this.#options = options;
    this.#onPath = onPath;
    this.#random = options.seed;
    const machine = new Machine(
      {
        ...program,
        solver,
        given: undefined,
        maxDepth: options.maxDepth,
        onFork: (state) => this.#waiting.push(state),
        onGap: (gap, detail) => this.#findings.note(gap, detail),
        onInput: () => (this.#readsInput = true),
      },
      new Bits(solver.terms),
    );
    this.#executor = new Executor(machine);
    try {
      this.#waiting.push(startOf(this.#executor));
    } catch (ended) {
      if (!(ended instanceof Ended)) throw ended;
      this.#finish(undefined, ended.end);
    }
  }

  /** Runs one path for a while. False: nothing is left. */
  advance(): boolean {
    if (this.#isStopped || this.#findings.isStopped) return false;
    const state = this.#next();
    if (!state) return false;
    const before = state.steps;
    const end = this.#executor.run(
      state,
      SLICE,
      this.#options.order === "cfg" ? (each) => this.#distances.visit(each) : undefined,
    );
    this.#instructions += state.steps - before;
    this.#depth = Math.max(this.#depth, state.decisions);
    if (end) this.#finish(state, end);
    else this.#waiting.push(state);
    return !this.#isStopped && !this.#findings.isStopped;
  }

  /** Alternates between the newest path, which goes deep, and a random one, which no endless path can starve. */
  #next(): PathState | undefined {
    if (this.#waiting.length === 0) return undefined;
    const { order } = this.#options;
    if (order === "cfg") return this.#waiting.splice(this.#nearest(), 1)[0];
    const isNewest = order === "dfs" || (order === "fork" && this.#turn++ % 2 === 0);
    if (isNewest) return this.#waiting.pop();
    const index = order === "bfs" ? 0 : this.#below(this.#waiting.length);
    return this.#waiting.splice(index, 1)[0];
  }

  /** Of several, the newest; if none can reach new code, a random one. */
  #nearest(): number {
    let best = -1;
    let least = Infinity;
    this.#waiting.forEach((state, index) => {
      const distance = this.#distances.of(state);
      if (distance < Infinity && distance <= least) [best, least] = [index, distance];
    });
    return best < 0 ? this.#below(this.#waiting.length) : best;
  }

  #below(most: number): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * most);
  }

  #finish(state: PathState | undefined, end: PathEnd): void {
    if (end.kind !== "dropped") this.#paths++;
    if (state && (end.kind === "exit" || end.kind === "error")) this.#onPath?.(valuesOf(state), end);
    if (end.kind === "cut")
      this.#findings.note("depth", `a path has more than ${this.#options.maxDepth} decisions`); // sound: test/engines/programs/gaps.test.ts
    this.#findings.finish(state, end);
    if (this.#paths >= this.#options.maxPaths && this.#waiting.length > 0) {
      this.#findings.note("paths", `${this.#paths} paths were explored, and more are left`);
      this.#isStopped = true;
    }
  }

  result(): Exploration {
    return {
      errors: [...this.#findings.errors.values()],
      gaps: this.#findings.gaps,
      paths: this.#paths,
      instructions: this.#instructions,
      depth: this.#depth,
      pending: this.#waiting.length,
      readsInput: this.#readsInput,
    };
  }
}
