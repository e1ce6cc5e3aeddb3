/**
 * Bounded model checking: all paths at once. Loops are unwound and calls are inlined as the paths reach them, and paths that meet at a
 * place of the unwound program become one, whose values are choices (`merging/merge.ts`).
 *
 * Decisions are made as in `machine.ts`: a path goes where its condition is satisfiable, so that a loop is unwound no further than it can
 * run. Always true: without a bound that cut a path and without gaps, all executions were covered.
 */
import type { Solver } from "../../model/solver.js";
import { Bits } from "./bits.js";
import { Executor, isAtEnd } from "./execute.js";
import type { Exploration } from "./explore.js";
import { Findings, type FoundError } from "./findings.js";
import { Ended, Machine, type Runnable } from "./machine.js";
import { mergeAll } from "./merging/merge.js";
import { comparePositions, positionOf, roundsAfter } from "./merging/unwinding.js";
import { startOf } from "./start.js";
import type { Frame, PathEnd, PathState } from "./state.js";

export interface BoundedOptions {
  /** Most rounds of a loop, and most nested calls of a function. */
  readonly unwind: number;
  readonly maxDepth: number;
  readonly maxPaths: number;
}

/** A generator: control returns to the caller after each block. */
export function* checkBounded(
  program: Runnable,
  solver: Solver,
  options: BoundedOptions,
  onError: (error: FoundError) => "continue" | "stop",
): Generator<Exploration, Exploration> {
  const unwinding = new Unwinding(program, solver, options, onError);
  while (unwinding.advance()) yield unwinding.result();
  return unwinding.result();
}

/** Instructions between two returns to the caller. */
const SLICE = 20_000;

interface Waiting {
  readonly state: PathState;
  /** For each frame its position in the unwound function and its instruction, in turns. */
  readonly position: readonly (readonly number[])[];
}

class Unwinding {
  readonly #options: BoundedOptions;
  readonly #findings: Findings;
  readonly #executor: Executor;
  #waiting: Waiting[] = [];
  #cut: string | undefined;
  #paths = 0;
  #blocks = 0;
  #merged = 0;
  #instructions = 0;
  #depth = 0;
  #readsInput = false;

  constructor(
    program: Runnable,
    solver: Solver,
    options: BoundedOptions,
    onError: (error: FoundError) => "continue" | "stop",
  ) {
    this.#options = options;
    this.#findings = new Findings(program, onError);
    const machine = new Machine(
      {
        ...program,
        solver,
        given: undefined,
        maxDepth: options.maxDepth,
        onFork: (state) => this.#add(state),
        onGap: (gap, detail) => this.#findings.note(gap, detail),
        onInput: () => (this.#readsInput = true),
      },
      new Bits(solver.terms),
    );
    this.#executor = new Executor(machine);
    try {
      this.#add(startOf(this.#executor));
    } catch (ended) {
      if (!(ended instanceof Ended)) throw ended;
      this.#finish(undefined, ended.end);
    }
  }

  #add(state: PathState): void {
    const position = state.frames.flatMap(({ fn, block, at, rounds = [] }) => [
      positionOf(fn, block, rounds),
      [at],
    ]);
    this.#waiting.push({ state, position });
  }

  /** Runs one merged path through one block. False: nothing is left. */
  advance(): boolean {
    if (this.#findings.isStopped) return false;
    const [state, ...apart] = this.#next();
    if (!state) return false;
    for (const each of apart) this.#add(each);
    this.#blocks++;
    const before = state.steps;
    const end = this.#throughBlock(state);
    this.#instructions += state.steps - before;
    this.#depth = Math.max(this.#depth, state.decisions);
    if (end) this.#finish(state, end);
    else if (this.#isWithin(state)) this.#add(state);
    return !this.#findings.isStopped;
  }

  /** Paths at the least position, merged as far as possible. */
  #next(): PathState[] {
    let least: Waiting[] = [];
    for (const each of this.#waiting) {
      const order = least[0] ? compareAll(each.position, least[0].position) : -1;
      if (order < 0) least = [each];
      else if (order === 0) least.push(each);
    }
    if (least.length === 0) return [];
    const taken = new Set(least);
    this.#waiting = this.#waiting.filter((each) => !taken.has(each));
    const states = least.map(({ state }) => state);
    if (states.length === 1 || states[0]?.frame.at !== 0) return states;
    const merged = mergeAll(states, this.#executor.machine.bits);
    this.#merged += states.length - merged.length;
    return merged;
  }

  #throughBlock(state: PathState): PathEnd | undefined {
    const end = this.#executor.runToBlockEnd(state, SLICE);
    if (end || !isAtEnd(state)) return end;
    const { frame } = state;
    const { fn, block, rounds = [] } = frame;
    const last = this.#executor.run(state, 1);
    if (!last && state.frame === frame) frame.rounds = roundsAfter(fn, block, frame.block, rounds);
    return last;
  }

  /** Does the path stay within the bounds? */
  #isWithin({ frames, frame }: PathState): boolean {
    const { unwind } = this.#options;
    // sound: test/engines/programs/bmc.test.ts
    if ((frame.rounds ?? []).some((rounds) => rounds > unwind))
      return this.#cutAt(`loops run at most ${times(unwind)}`);
    const nested = frames.filter(({ fn }: Frame) => fn === frame.fn).length - 1;
    if (nested > unwind) return this.#cutAt(`functions call themselves at most ${times(unwind)}`); // sound: test/engines/programs/bmc.test.ts
    return true;
  }

  #cutAt(bound: string): false {
    this.#cut ??= bound;
    return false;
  }

  #finish(state: PathState | undefined, end: PathEnd): void {
    if (end.kind !== "dropped") this.#paths++;
    if (end.kind === "cut")
      this.#findings.note("depth", `a path has more than ${this.#options.maxDepth} decisions`); // sound: test/engines/programs/bmc.test.ts
    this.#findings.finish(state, end);
    if (this.#paths >= this.#options.maxPaths && this.#waiting.length > 0) {
      this.#findings.note("paths", `${this.#paths} paths were explored, and more are left`); // sound: test/engines/programs/bmc.test.ts
      this.#findings.isStopped = true;
    }
  }

  result(): Exploration {
    return {
      errors: [...this.#findings.errors.values()],
      gaps: this.#findings.gaps,
      bounds: this.#cut === undefined ? [] : [this.#cut],
      paths: this.#paths,
      instructions: this.#instructions,
      depth: this.#depth,
      pending: this.#waiting.length,
      readsInput: this.#readsInput,
      figures: { blocks: this.#blocks, merges: this.#merged },
    };
  }
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

function compareAll(a: Waiting["position"], b: Waiting["position"]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = comparePositions(a[i] ?? [], b[i] ?? []);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
