/**
 * The schedules still to be run, cheapest first.
 *
 * Each other option of each choice that a run made after its prefix is a new prefix. So every schedule is reached from
 * exactly one other, and none is run twice. The strategy sets the costs: with a cost of one for every option but the
 * first, schedules come in order of their deviations from the default.
 *
 * With races, choices between turns contribute only the options that a race requires (tracked by `ChoiceTree`); `release`
 * adds all others.
 */
import type { Made, Race } from "../../model/index.js";
import { ChoiceTree } from "./choice-tree.js";

export interface Candidate {
  readonly prefix: readonly number[];
  readonly cost: number;
}

/** Cost of an option relative to the rule's option. */
export type Cost = (made: Made, value: number) => number;

export class Frontier {
  readonly #cost: Cost;
  readonly #isDepthFirst: boolean;
  readonly #bound: number;
  #tree: ChoiceTree | undefined;
  /** By cost. */
  readonly #buckets: Branches[][] = [];
  /** Some option was dropped for its cost. */
  isCut = false;

  constructor(cost: Cost, bound: number, isDepthFirst: boolean, isReduced: boolean) {
    this.#cost = cost;
    this.#bound = bound;
    this.#isDepthFirst = isDepthFirst;
    if (isReduced) this.#tree = new ChoiceTree(cost);
  }

  /** Does the frontier omit options that no race requires? */
  get isReduced(): boolean {
    return this.#tree !== undefined;
  }

  /** Adds options required by races, and every option of choices not between turns. */
  addRaces(made: readonly Made[], candidate: Candidate, races: readonly Race[]): void {
    for (const { cost, branches } of this.#tree!.grow(made, candidate, races)) this.#put(cost, branches);
  }

  /** Estimate of the number of schedules that the run stands for. */
  weight(made: readonly Made[]): number {
    return this.#tree?.weight(made) ?? 1;
  }

  /** Adds all omitted options, and omits none from now on. */
  release(): void {
    for (const { cost, branches } of this.#tree?.untried() ?? []) this.#put(cost, branches); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    this.#tree = undefined;
  }

  /** Adds the other options of the choices that a run made after its prefix. */
  add(made: readonly Made[], { prefix, cost }: Candidate): void {
    const byDelta = new Map<number, Branch[]>();
    for (const [index, choice] of made.entries()) {
      if (index >= prefix.length)
        // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
        for (let value = 0; value < choice.options; value++) {
          if (value === choice.value) continue; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
          const delta = this.#cost(choice, value);
          const branches = byDelta.get(delta);
          if (branches) branches.push({ index, value });
          else byDelta.set(delta, [{ index, value }]);
        }
    }
    const values = made.map(({ value }) => value);
    const turns = made.map(({ turn }) => turn);
    for (const [delta, branches] of byDelta) this.#put(cost + delta, { values, turns, branches });
  }

  /** The next prefix whose last choice is made by turn `maxTurns`. */
  take(maxTurns: number): Candidate | undefined {
    for (let cost = 0; cost < this.#buckets.length; cost++) {
      const bucket = this.#buckets[cost];
      while (bucket && bucket.length > 0) {
        const group = this.#isDepthFirst ? bucket.at(-1)! : bucket[0]!;
        const branch = group.branches.pop();
        if (!branch) {
          if (this.#isDepthFirst) bucket.pop();
          else bucket.shift();
        } else if (group.turns[branch.index]! <= maxTurns)
          // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
          return { prefix: [...group.values.slice(0, branch.index), branch.value], cost };
      }
    }
    return undefined;
  }

  #put(cost: number, branches: Branches): void {
    // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    if (cost > this.#bound) this.isCut = true;
    else (this.#buckets[cost] ??= []).push(branches);
  }
}

export interface Branch {
  readonly index: number;
  readonly value: number;
}

/** Other options of one run, all of the same cost. */
export interface Branches {
  readonly values: readonly number[];
  readonly turns: readonly number[];
  readonly branches: Branch[];
}
