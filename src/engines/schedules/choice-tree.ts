/**
 * Tree of the choices made by runs, with the options tried, for dynamic partial-order reduction: a run may request another
 * option of an earlier run's choice.
 */
import type { Made, Race } from "../../model/index.js";
import type { Branches, Candidate, Cost } from "./frontier.js";

interface Choice {
  readonly made: Made;
  /** Cost of the choices before it. */
  readonly cost: number;
  readonly tried: Set<number>;
  readonly next: Map<number, Choice>;
}

/** An option to try, with its cost. */
export interface Asked {
  readonly cost: number;
  readonly branches: Branches;
}

export class ChoiceTree {
  readonly #cost: Cost;
  #root: Choice | undefined;

  constructor(cost: Cost) {
    this.#cost = cost;
  }

  /** Inserts a run; returns the options it requires. */
  grow(made: readonly Made[], candidate: Candidate, races: readonly Race[]): Asked[] {
    const path = this.#path(made, candidate);
    const values = made.map(({ value }) => value);
    const turns = made.map(({ turn }) => turn);
    const asked: Asked[] = [];
    const ask = (index: number, value: number): void => {
      const choice = path[index]!;
      choice.tried.add(value);
      const cost = choice.cost + this.#cost(choice.made, value);
      asked.push({ cost, branches: { values, turns, branches: [{ index, value }] } });
    };
    made.forEach(({ options, isTurn }, index) => {
      if (isTurn || index < candidate.prefix.length) return; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
      for (let value = 0; value < options; value++) if (!path[index]!.tried.has(value)) ask(index, value); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    });
    for (const { choice, options } of races)
      if (!options.some((option) => path[choice]!.tried.has(option))) ask(choice, options[0]!); // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
    return asked;
  }

  /** Estimate of the number of schedules that a run stands for: options of its turns over options tried. */
  weight(made: readonly Made[]): number {
    let weight = 1;
    let choice = this.#root;
    for (const { isTurn, options, value } of made) {
      if (!choice) break;
      if (isTurn) weight *= options / choice.tried.size;
      choice = choice.next.get(value);
    }
    return weight;
  }

  /** Every option that has not been tried. */
  untried(): Asked[] {
    const asked: Asked[] = [];
    const waiting: { choice: Choice; values: number[]; turns: number[] }[] = [];
    if (this.#root) waiting.push({ choice: this.#root, values: [], turns: [] });
    for (const { choice, values, turns } of waiting) {
      const { made, tried, next } = choice;
      const ofThis = [...turns, made.turn];
      for (let value = 0; value < made.options; value++) {
        const below = next.get(value);
        if (below) waiting.push({ choice: below, values: [...values, value], turns: ofThis });
        if (tried.has(value)) continue; // sound: test/engines/schedules/search.test.ts test/engines/schedules/races.test.ts
        const cost = choice.cost + this.#cost(made, value);
        asked.push({
          cost,
          branches: { values: [...values, 0], turns: ofThis, branches: [{ index: values.length, value }] },
        });
      }
    }
    return asked;
  }

  #path(made: readonly Made[], { cost }: Candidate): Choice[] {
    const path: Choice[] = [];
    let above: Choice | undefined;
    for (const one of made) {
      let choice = above ? above.next.get(made[path.length - 1]!.value) : this.#root;
      if (!choice) {
        choice = { made: one, cost, tried: new Set([one.value]), next: new Map() };
        if (above) above.next.set(made[path.length - 1]!.value, choice);
        else this.#root = choice;
      }
      path.push(choice);
      above = choice;
    }
    return path;
  }
}
