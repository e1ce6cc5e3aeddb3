/**
 * Choices of code whose states cannot be stored: it asks for each, and a run is what it was told.
 *
 * Every choice goes through `choose`. A `Plan` says the answers before the run: some given ones, then a rule for
 * the rest; so code in a realm of its own needs nobody to ask. What was chosen comes back as a list of `Made`,
 * and its values are a schedule that repeats the run.
 *
 * Always true: a choice with a single option is none, and is not listed. Option 0 is what would happen by default.
 */

export interface Chooser {
  /** 0 up to `options - 1`. `lanes`: who each option belongs to, for rules that look at it. */
  choose(options: number, lanes?: readonly string[]): number;
  /** Is told what was chosen, by itself or by others before it. */
  follow?(value: number, lanes?: readonly string[]): void;
}

export interface Plan {
  readonly prefix: readonly number[];
  /** What is chosen after the prefix. */
  readonly tail: Tail;
}

export type Tail =
  | { readonly kind: "first" }
  /** The lane of the last choice goes on as long as it can. */
  | { readonly kind: "stay" }
  | { readonly kind: "random"; readonly seed: number }
  /** Probabilistic concurrency testing: lanes have random priorities, which fall at `changes` random choices. */
  | { readonly kind: "pct"; readonly seed: number; readonly changes: number; readonly length: number };

/** A choice as it was made. */
export interface Made {
  readonly options: number;
  readonly value: number;
  /** Who the options belonged to, where the choice was which of them goes on. */
  readonly lanes: readonly string[] | undefined;
  /** How many turns had happened before it. */
  readonly turn: number;
}

/** Code that runs once for every plan. */
export interface ScheduleRequest {
  readonly plan: Plan;
  /** The run is given up after so many turns. */
  readonly maxTurns: number;
}

export interface ScheduleRun {
  readonly made: readonly Made[];
  readonly turns: number;
  /** `spent`: given up after `maxTurns`. `stuck`: the plan asked for something that was not there. */
  readonly end: "passed" | "failed" | "spent" | "stuck";
  /** Equal for equal runs: whoever runs the same plan twice must see the same. */
  readonly fingerprint: number;
  /** Which choices might matter, where somebody watched; absent: all may. */
  readonly races?: Races;
}

export type Races =
  /** Not everything could be watched. */
  | { readonly incomplete: string }
  /** Other options of choices between turns: of each set one has to be tried. The other options lead to nothing new. */
  | { readonly found: readonly Race[] };

export interface Race {
  /** Its place among the choices of the run. */
  readonly choice: number;
  readonly options: readonly number[];
}

/** Follows a plan and keeps what was made of it. */
export class PlannedChooser implements Chooser {
  readonly made: Made[] = [];
  /** The first place where the plan asks for an option that is not there. */
  diverged: number | undefined;
  /** Kept up by whoever counts turns. */
  turn = 0;
  readonly #prefix: readonly number[];
  readonly #tail: Chooser;

  constructor({ prefix, tail }: Plan) {
    this.#prefix = prefix;
    this.#tail = tailChooser(tail);
  }

  choose(options: number, lanes?: readonly string[]): number {
    if (options <= 1) return 0;
    const index = this.made.length;
    let value = this.#prefix[index];
    if (value === undefined) value = this.#tail.choose(options, lanes);
    else if (value >= options) {
      this.diverged ??= index;
      value = 0;
    }
    this.#tail.follow?.(value, lanes);
    this.made.push({ options, value, lanes, turn: this.turn });
    return value;
  }

  /** Choices of the plan that the run did not come to. */
  get unused(): number {
    return Math.max(0, this.#prefix.length - this.made.length);
  }
}

function tailChooser(tail: Tail): Chooser {
  switch (tail.kind) {
    case "first":
      return { choose: () => 0 };
    case "stay":
      return new StayingChooser();
    case "random": {
      const below = randomBelow(tail.seed);
      return { choose: (options) => below(options) };
    }
    case "pct":
      return new PriorityChooser(tail);
  }
}

class StayingChooser implements Chooser {
  #last: string | undefined;

  choose(_options: number, lanes?: readonly string[]): number {
    if (!lanes) return 0;
    return this.#last === undefined ? 0 : Math.max(0, lanes.indexOf(this.#last));
  }

  follow(value: number, lanes?: readonly string[]): void {
    if (lanes) this.#last = lanes[value];
  }
}

/** Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of finding bugs (2010). */
class PriorityChooser implements Chooser {
  readonly #below: (options: number) => number;
  readonly #priorities = new Map<string, number>();
  readonly #changeAt: Set<number>;
  #count = 0;
  #lowest = 0;

  constructor({ seed, changes, length }: Tail & { kind: "pct" }) {
    this.#below = randomBelow(seed);
    this.#changeAt = new Set(Array.from({ length: changes }, () => this.#below(Math.max(1, length))));
  }

  choose(options: number, lanes?: readonly string[]): number {
    if (!lanes) return this.#below(options);
    let best = this.#best(lanes);
    if (this.#changeAt.has(this.#count++)) {
      this.#priorities.set(lanes[best]!, --this.#lowest);
      best = this.#best(lanes);
    }
    return best;
  }

  /** Of several options of the best lane any one. */
  #best(lanes: readonly string[]): number {
    const highest = Math.max(...lanes.map((lane) => this.#priority(lane)));
    const best = lanes.flatMap((lane, i) => (this.#priority(lane) === highest ? [i] : []));
    return best[this.#below(best.length)]!;
  }

  #priority(lane: string): number {
    let priority = this.#priorities.get(lane);
    if (priority === undefined) this.#priorities.set(lane, (priority = 1 + this.#below(0x40000000)));
    return priority;
  }
}

/** The same seed gives the same numbers, in every realm (mulberry32). */
export function randomBelow(seed: number): (options: number) => number {
  let state = seed | 0;
  return (options) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * options);
  };
}
