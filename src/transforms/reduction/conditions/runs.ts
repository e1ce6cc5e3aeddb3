/** Short runs of a program from a state: the outcomes of a statement executed there. */
import type { Move, Stepping, Taken, Words } from "../../../model/index.js";

/** The outcome of a statement, with all steps of its process that follow at once. */
export interface Outcome {
  /** The states in which others can move again. None: it fails, or cannot be executed. */
  readonly ends: readonly Words[];
  readonly faults: ReadonlySet<number>;
  readonly isPossible: boolean;
}

/** A state between two statements, and the statements that follow. */
export interface Between {
  readonly state: Words;
  readonly rest: readonly Move[];
}

/** Successive targets of statements. */
export interface Followed {
  /** Undefined: one of them fails, and nothing follows. */
  readonly end: Words | undefined;
  /** States in which others can move. */
  readonly between: readonly Between[];
  readonly faults: ReadonlySet<number>;
}

interface Known {
  readonly taken: readonly Taken[];
  readonly moves: readonly Taken[];
  readonly outcomes: { readonly move: Move; readonly outcome: Outcome }[];
}

/** An atomic sequence that branches into more states than these is not followed. */
const MOST_INSIDE = 200;

/** The limit on work is reached: the rest stays untested. */
export class TooManyStates extends Error {}

/** Limit on the steps examined for a tested state: programs with hundreds of processes have too many pairs. */
export class Allowance {
  left = 0;

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooManyStates();
  }
}

export class Runs {
  readonly steps: Stepping;
  /** States are known by identity: a state reached in another way is expanded again. */
  readonly #known = new WeakMap<Words, Known>();

  readonly #allowance: Allowance;

  constructor(steps: Stepping, allowance: Allowance) {
    this.steps = steps;
    this.#allowance = allowance;
  }

  at(state: Words): readonly Taken[] {
    return this.#knownOf(state).taken;
  }

  /** The same for equal states. */
  key(state: Words): string {
    const known = this.#keys.get(state) ?? state.subarray(this.steps.compareFrom).join();
    this.#keys.set(state, known);
    return known;
  }

  readonly #keys = new WeakMap<Words, string>();

  /** The statements that can be executed, each once. */
  moves(state: Words): readonly Taken[] {
    return this.#knownOf(state).moves;
  }

  /** Throws `TooManyStates`. */
  outcome(state: Words, move: Move): Outcome {
    const { outcomes } = this.#knownOf(state);
    const known = outcomes.find((one) => isSame(one.move, move));
    if (known) return known.outcome;
    const outcome = this.#outcome(state, move);
    outcomes.push({ move, outcome });
    return outcome;
  }

  #knownOf(state: Words): Known {
    const known = this.#known.get(state);
    if (known) return known;
    const taken = this.steps.takenAt(state);
    this.#allowance.spend(1 + taken.length);
    const moves = taken.filter((one, i) => taken.findIndex((other) => isSame(one, other)) === i);
    const found = { taken, moves, outcomes: [] };
    this.#known.set(state, found);
    return found;
  }

  #outcome(state: Words, move: Move): Outcome {
    const entries = this.at(state).filter((entry) => isSame(entry, move));
    const ends: Words[] = [];
    const faults = new Set<number>();
    const inside = [...entries];
    for (const { state: to, fault, isIntermediate } of inside) {
      if (fault >= 0) faults.add(fault);
      if (!to) continue;
      if (isIntermediate) inside.push(...this.at(to));
      else ends.push(to);
      if (inside.length > MOST_INSIDE) throw new TooManyStates();
    }
    return { ends, faults, isPossible: entries.length > 0 };
  }

  /** Undefined: they cannot be executed one after the other. */
  follow(state: Words, moves: readonly Move[]): Followed | undefined {
    const faults = new Set<number>();
    const between: Between[] = [];
    let here = state;
    for (const [i, move] of moves.entries()) {
      const entries = this.at(here).filter((entry) => isSame(entry, move));
      if (entries.length === 0) return undefined;
      for (const { fault } of entries) if (fault >= 0) faults.add(fault);
      const live = entries.find((entry) => entry.state);
      if (!live?.state) return { end: undefined, between, faults };
      here = live.state;
      const isOpen = i < moves.length - 1 && !live.isIntermediate;
      if (isOpen) between.push({ state: here, rest: moves.slice(i + 1) });
    }
    return { end: here, between, faults };
  }

  /** `P[0]: x = 1`. */
  text(state: Words, { process, edge }: Move): string {
    const name = this.steps.processes(state, 0)[process]?.name ?? `process ${process}`;
    return `'${name}: ${edge?.text ?? "provided"}'`;
  }
}

export const isSame = (a: Move, b: Move): boolean =>
  a.process === b.process &&
  a.edge === b.edge &&
  a.partner?.process === b.partner?.process &&
  a.partner?.edge === b.partner?.edge;

export const isEqual = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

/** The same number for the same state. */
export function seedOf(state: Words, salt = 1): number {
  let hash = salt;
  for (const word of state) hash = (Math.imul(hash ^ word ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
  return hash;
}

/** One of several, always the same for the same state. */
export const chosen = <T>(all: readonly T[], state: Words, salt: number): T | undefined =>
  all[(seedOf(state, salt) >>> 8) % all.length];
