/**
 * Choices of code whose states cannot be stored: a run is determined by the answers to its choices.
 *
 * Every choice goes through `choose`. A `Plan` says the answers before the run: some given ones, then a rule for
 * the rest; so code in a separate realm needs no dialogue. The run returns its choices as a list of `Made`,
 * and its values are a schedule that repeats the run.
 *
 * Invariants: a choice with a single option is not listed. Option 0 is the default.
 */

/** One of the things that may happen next. */
import { nth } from "./known.js";
export interface Offer {
  readonly id: number;
  /** The task that it continues. Events of one task are sequential: each was requested by its predecessor. */
  readonly task: number;
}

export interface Chooser {
  /** 0 up to `options - 1`. `offers`: the events among which a scheduling choice selects. */
  choose(options: number, offers?: readonly Offer[]): number;
}

export interface Plan {
  readonly prefix: readonly number[];
  /** The rule for choices after the prefix. */
  readonly tail: Tail;
}

export type Tail =
  | { readonly kind: "first" }
  /** Enabled events form a queue, in the default order; a delay moves the first behind all others. */
  | { readonly kind: "queue" }
  /** The task of the last turn continues while it is enabled. */
  | { readonly kind: "stay" }
  | { readonly kind: "random"; readonly seed: number }
  /** Probabilistic concurrency testing: tasks have random priorities, which fall in `changes` of `length` turns. */
  | { readonly kind: "pct"; readonly seed: number; readonly changes: number; readonly length: number };

/** A choice as it was made. */
export interface Made {
  readonly options: number;
  readonly value: number;
  /** Whether it selected the next event; otherwise it selected a value. */
  readonly isTurn: boolean;
  /** Delays or preemptions that each option takes, where the rest of the plan counts them. */
  readonly costs?: readonly number[] | undefined;
  /** Number of earlier turns. */
  readonly turn: number;
}

/** Code that runs once for every plan. */
export interface ScheduleRequest {
  readonly plan: Plan;
  /** Maximum number of turns of a run. */
  readonly maxTurns: number;
}

export interface ScheduleRun {
  readonly made: readonly Made[];
  readonly turns: number;
  /** Number of tasks. */
  readonly tasks: number;
  /**
   * `spent`: stopped after `maxTurns`. `stuck`: the plan selects a missing option. `refused`: the code used
   * an unsupported feature, so the run proves nothing.
   */
  readonly end: "passed" | "failed" | "spent" | "stuck" | "refused";
  /** Bits for assumptions that the run relied on; the runner defines their meaning. */
  readonly relied?: number;
  /** Equal for equal runs: repeating a plan must give the same value. */
  readonly fingerprint: number;
  /** Choices that might matter, if accesses were recorded; absent: all may. */
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

/** Follows a plan and records its choices. */
export class PlannedChooser implements Chooser {
  readonly made: Made[] = [];
  /** The first choice of the plan whose option is missing. */
  diverged: number | undefined;
  /** Updated by the counter of turns. */
  turn = 0;
  readonly #prefix: readonly number[];
  readonly #rule: Rule;

  constructor({ prefix, tail }: Plan) {
    this.#prefix = prefix;
    this.#rule = ruleOf(tail);
  }

  /** Also receives turns without an alternative, as the only option. */
  choose(options: number, offers?: readonly Offer[]): number {
    if (options <= 1) {
      if (offers) this.#rule.forced?.(nth(offers, 0));
      return 0;
    }
    const index = this.made.length;
    const costs = offers && this.#rule.costs?.(offers);
    let value = this.#prefix[index];
    if (value === undefined) value = costs ? costs.indexOf(0) : this.#rule.choose(options, offers);
    else if (value >= options) {
      this.diverged ??= index;
      value = 0;
    }
    if (offers) this.#rule.follow?.(value, offers);
    this.made.push({ options, value, isTurn: offers !== undefined, costs, turn: this.turn });
    return value;
  }

  /** Unused choices of the plan. */
  get unused(): number {
    return Math.max(0, this.#prefix.length - this.made.length);
  }
}

/** Makes the choices that the prefix leaves open. */
interface Rule extends Chooser {
  /** Costs of the enabled events; the first event of cost 0 is chosen after the prefix. */
  costs?(offers: readonly Offer[]): readonly number[];
  /** Receives the next event, chosen by any rule. */
  follow?(value: number, offers: readonly Offer[]): void;
  /** Receives events without a choice. */
  forced?(offer: Offer): void;
}

function ruleOf(tail: Tail): Rule {
  switch (tail.kind) {
    case "first":
      return { choose: () => 0 };
    case "queue":
      return new Queue();
    case "stay":
      return new Staying();
    case "random": {
      const below = randomBelow(tail.seed);
      return { choose: (options) => below(options) };
    }
    case "pct":
      return new Priorities(tail);
  }
}

/**
 * Delays, after Emmi, Qadeer, Rakamarić: Delay-bounded scheduling (2011). The scheduler takes the first event of its queue; a delay
 * moves it behind all events that are enabled at that time, but not behind later ones.
 */
class Queue implements Rule {
  readonly #put = new Map<number, { readonly time: number; readonly behind: ReadonlySet<number> }>();
  #time = 0;

  choose = (): number => 0;

  /** One delay for each event before it. */
  costs(offers: readonly Offer[]): readonly number[] {
    const costs = new Array<number>(offers.length);
    this.#order(offers).forEach((index, place) => (costs[index] = place));
    return costs;
  }

  follow(value: number, offers: readonly Offer[]): void {
    const order = this.#order(offers);
    const behind = new Set(offers.map(({ id }) => id));
    for (const index of order.slice(0, order.indexOf(value)))
      this.#put.set(nth(offers, index).id, { time: ++this.#time, behind });
  }

  /** Indices of the offers that wait for none of the others, in the default order. */
  #order(offers: readonly Offer[]): number[] {
    const rest = offers.map((_, index) => index);
    if (!offers.some(({ id }) => this.#put.has(id))) return rest;
    const order: number[] = [];
    while (rest.length > 0) {
      const at = rest.findIndex((x) => !rest.some((y) => this.#waits(nth(offers, x).id, nth(offers, y).id)));
      order.push(...rest.splice(at, 1));
    }
    return order;
  }

  #waits(id: number, other: number): boolean {
    const put = this.#put.get(id);
    return put !== undefined && put.behind.has(other) && (this.#put.get(other)?.time ?? 0) < put.time;
  }
}

/**
 * Preemptions, after Musuvathi, Qadeer: Iterative context bounding (2007). Switching to another task costs one while the
 * task of the last turn is enabled, and nothing otherwise.
 */
class Staying implements Rule {
  #last = -1;

  choose = (): number => 0;

  costs(offers: readonly Offer[]): readonly number[] {
    const canGoOn = offers.some(({ task }) => task === this.#last);
    return offers.map(({ task }) => (canGoOn && task !== this.#last ? 1 : 0));
  }

  follow(value: number, offers: readonly Offer[]): void {
    this.forced(nth(offers, value));
  }

  forced({ task }: Offer): void {
    this.#last = task;
  }
}

/** Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of finding bugs (2010). */
class Priorities implements Rule {
  readonly #below: (options: number) => number;
  readonly #priorities = new Map<number, number>();
  /** By turn, the priorities to which its task falls. They are below all others, and in no order of time. */
  readonly #changes = new Map<number, number[]>();
  #turn = 0;

  constructor({ seed, changes, length }: Tail & { kind: "pct" }) {
    this.#below = randomBelow(seed);
    for (let priority = -changes; priority < 0; priority++) {
      const turn = this.#below(Math.max(1, length));
      this.#changes.set(turn, [...(this.#changes.get(turn) ?? []), priority]);
    }
  }

  choose(options: number, offers?: readonly Offer[]): number {
    if (!offers) return this.#below(options);
    for (const priority of this.#changes.get(this.#turn) ?? [])
      this.#priorities.set(nth(offers, this.#best(offers)).task, priority);
    this.#turn++;
    return this.#best(offers);
  }

  forced(offer: Offer): void {
    this.choose(1, [offer]);
  }

  #best(offers: readonly Offer[]): number {
    const priorities = offers.map(({ task }) => this.#priority(task));
    return priorities.indexOf(Math.max(...priorities));
  }

  #priority(task: number): number {
    let priority = this.#priorities.get(task);
    if (priority === undefined) this.#priorities.set(task, (priority = this.#below(0x40000000)));
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
