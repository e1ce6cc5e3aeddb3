/**
 * All paths through a governed region at once: its blocks run in a topological order, each once for all paths that have met there
 * (`merging/merge.ts`). No query is made: a path of the region is a condition.
 */
import { nth } from "../../../model/known.js";
import type { Term } from "../../../model/terms.js";
import type { Executor } from "../execute.js";
import { assume } from "../machine.js";
import { mergeAll } from "../merging/merge.js";
import type { Region } from "../merging/regions.js";
import type { PathEnd, PathState } from "../state.js";

/** A way out of a region: to a destination, or the end of the program inside. */
export interface Exit {
  /** The destination, or the kind and place of the end. */
  readonly key: string;
  readonly state: PathState;
  readonly end: PathEnd | undefined;
}

/** An outcome of a branch of the region, with its conditions: one of them leads there. */
export interface Outcome {
  readonly from: number;
  readonly to: number;
  readonly conditions: (readonly Term[])[];
}

/** The region has no exact summary here: a value of the current run would be needed. */
export class Inexact extends Error {}

/** Beyond, paths that cannot be merged make the summary pointless. */
const MOST_STATES = 40;

export class RegionRun {
  readonly exits: Exit[] = [];
  readonly outcomes = new Map<string, Outcome>();
  readonly #executor: Executor;
  readonly #region: Region;
  readonly #waiting = new Map<number, PathState[]>();
  readonly #forks: PathState[] = [];
  readonly #leaving = new Map<number, PathState[]>();
  #count = 0;

  constructor(executor: Executor, region: Region) {
    this.#executor = executor;
    this.#region = region;
  }

  /** From the governor's branch on. */
  run(state: PathState): void {
    this.#through([state]);
    for (const block of this.#region.blocks) {
      const states = this.#waiting.get(block);
      if (!states) continue;
      this.#waiting.delete(block);
      this.#through(mergeAll(states, this.#executor.machine.bits));
    }
    for (const [to, states] of this.#leaving)
      mergeAll(states, this.#executor.machine.bits).forEach((each, index) =>
        this.exits.push({ key: `${to} ${index}`, state: each, end: undefined }),
      );
  }

  /** Both answers are possible: one goes on, the other one waits at the same instruction. */
  decide(state: PathState, term: Term): boolean {
    const { terms } = this.#executor.machine.bits;
    const other = state.fork();
    assume(other, term, terms.not(term));
    assume(state, terms.not(term), term);
    this.#forks.push(other);
    return true;
  }

  #through(states: readonly PathState[]): void {
    this.#forks.push(...states);
    for (let state = this.#forks.pop(); state; state = this.#forks.pop()) {
      if (++this.#count > MOST_STATES + 4 * this.#region.blocks.length) throw new Inexact();
      this.#oneBlock(state);
    }
  }

  #oneBlock(state: PathState): void {
    const from = state.frame.block;
    const end = this.#executor.runToBlockEnd(state, Infinity) ?? this.#executor.run(state, 1);
    if (end) {
      const where = end.kind === "error" ? `${end.error.kind} ${end.error.span?.start}` : end.kind;
      this.exits.push({ key: `${where} ${this.exits.length}`, state, end });
      return;
    }
    const to = state.frame.block;
    const key = `${from} ${to}`;
    const outcome = this.outcomes.get(key) ?? { from, to, conditions: [] };
    this.outcomes.set(key, outcome);
    outcome.conditions.push(state.condition.slice());
    const lists = this.#region.blocks.includes(to) ? this.#waiting : this.#leaving;
    lists.set(to, [...(lists.get(to) ?? []), state]);
  }
}

/** The exit that inputs take. */
export const exitFor = (exits: readonly Exit[], holds: (term: Term) => boolean): Exit =>
  nth(
    exits.filter(({ state }) => state.condition.every(holds)),
    0,
  );
