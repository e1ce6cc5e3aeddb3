/**
 * Chooses the events of a random run. Each run draws a mix (swarm testing, Groce et al. 2012): a subset of the kinds of
 * fault, with a rate for each, and speeds of nodes, timers, actions and restarts over orders of magnitude. A run that
 * may do everything rarely does one thing often enough. Phases with faults and quiet ones take turns, so that the
 * system also recovers.
 *
 * Always true: all choices derive from the seed of the run, and from events in their order, which does not depend on
 * earlier runs.
 */
import { randomBelow } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Event } from "./events.js";
import type { SPEED_NAMES } from "./limits.js";
import type { Outcome } from "./local-steps.js";
import type { SystemSummary } from "./summary.js";

export type FaultKind =
  "loss" | "duplicates" | "crashes" | "failures" | "partitions" | "torn" | "corruptions" | SpeedKind;
export type SpeedKind = (typeof SPEED_NAMES)[number];

/** The kinds of fault that the system may have; `speeds`: the requested ones, absent: all. */
export function faultKinds(
  { network, faults }: SystemSummary,
  speeds: readonly SpeedKind[] = ["slow", "flapping", "skew"],
): readonly FaultKind[] {
  const limits: readonly (readonly [FaultKind, number])[] = [
    ["loss", Number(network.loss ?? 0)],
    ["duplicates", network.duplicates ?? 0],
    ["crashes", faults.crashes ?? 0],
    ["failures", faults.failures ?? 0],
    ["partitions", faults.partitions ?? 0],
    ["torn", faults.torn ?? 0],
    ["corruptions", faults.corruptions ?? 0],
  ];
  const hasCrashes = (faults.crashes ?? 0) > 0;
  return [
    ...limits.filter(([, limit]) => limit > 0).map(([kind]) => kind),
    ...speeds.filter((kind) => kind !== "flapping" || hasCrashes),
  ];
}

/** Uniform choices among all events: the baseline of measurements. */
export type Strategy = "swarm" | "plain";

export class Swarm {
  /** The kinds of this run. */
  readonly kinds: ReadonlySet<FaultKind>;
  readonly #below: (options: number) => number;
  readonly #strategy: Strategy;
  readonly #steps: number;
  readonly #rates = new Map<FaultKind, number>();
  readonly #weights: { readonly timers: number; readonly actions: number; readonly restarts: number };
  readonly #heals: number;
  readonly #flapping: number;
  /** By node: the rates of clocks. */
  readonly #clocks: readonly number[];
  readonly #count: number;
  #speeds: readonly number[] = [];
  #isStormy = true;
  #phaseEnd = 0;
  #step = 0;

  constructor(kinds: readonly FaultKind[], nodes: number, steps: number, seed: number, strategy: Strategy) {
    this.#below = randomBelow(seed);
    // Seeds of neighbouring runs are close.
    this.#below(2);
    this.#strategy = strategy;
    this.#count = nodes;
    this.#steps = steps;
    this.kinds = new Set(kinds.filter(() => this.#below(2) === 0));
    for (const kind of kinds) this.#rates.set(kind, this.kinds.has(kind) ? this.#scale(1, 3) : 0);
    this.#weights = {
      timers: this.#scale(0, 2.5),
      actions: this.#scale(0, 2.5),
      restarts: this.#scale(0, 1.5),
    };
    this.#heals = this.#scale(0, 2);
    this.#flapping = this.kinds.has("flapping") ? this.#below(nodes) : -1;
    this.#clocks = this.#perNode(this.kinds.has("skew"), 3);
    this.#nextPhase();
  }

  /** The position of the next event; -1: only faults are left, which the mix excludes. */
  choose(events: readonly Event[]): number {
    if (this.#strategy === "plain") return this.#below(events.length);
    if (++this.#step > this.#phaseEnd) this.#nextPhase();
    const work: number[] = [];
    const faults = new Map<FaultKind, number[]>();
    for (const [place, event] of events.entries()) {
      const kind = kindOf(event);
      if (!kind) work.push(place);
      else if (this.kinds.has(kind)) (faults.get(kind) ?? setIn(faults, kind)).push(place);
    }
    for (const [kind, places] of faults)
      if (this.#isStormy && this.#happens(nth(events, nth(places, 0)), kind))
        return this.#among(places, events);
    if (work.length > 0) return this.#weighted(work, events);
    const left = [...faults.values()].flat();
    return left.length > 0 ? this.#among(left, events) : -1;
  }

  /** The position of the outcome of a step. */
  outcome(outcomes: readonly (Outcome | undefined)[]): number {
    if (outcomes.length === 1) return 0;
    const where = (has: (outcome: Outcome) => boolean): number[] =>
      outcomes.flatMap((outcome, place) => (outcome && has(outcome) ? [place] : []));
    const pick = (places: readonly number[]): number => nth(places, this.#below(places.length));
    if (this.#strategy === "plain") return this.#below(outcomes.length);
    const crashes = where(({ crash }) => crash !== undefined);
    if (crashes.length > 0 && this.#isDrawn("crashes", 8)) return pick(this.#sparing(crashes, outcomes));
    const failed = where(({ crash, failed: n }) => !crash && n > 0);
    if (failed.length > 0 && this.#isDrawn("failures", 5)) return pick(failed);
    const whole = where(({ crash, failed: n }) => !crash && n === 0);
    return whole.length > 0 ? pick(whole) : this.#below(outcomes.length);
  }

  /** Crashes without torn writes, unless the mix has these. */
  #sparing(places: readonly number[], outcomes: readonly (Outcome | undefined)[]): readonly number[] {
    const isTorn = (place: number): boolean => outcomes[place]?.crash?.torn !== undefined;
    const group = places.filter((place) => isTorn(place) === this.#isDrawn("torn", 5));
    return group.length > 0 ? group : places;
  }

  #isDrawn(kind: FaultKind, times = 1): boolean {
    return this.#isStormy && this.#below(FINE) < (this.#rates.get(kind) ?? 0) * times * FINE;
  }

  #happens(event: Event, kind: FaultKind): boolean {
    const isFlapping = kind === "crashes" && "node" in event && this.#flapping >= 0;
    // An entry can change only while its node is down, which may be for a step.
    return this.#isDrawn(kind, isFlapping ? 5 : kind === "corruptions" ? 8 : 1);
  }

  /** One of the faults of a kind; crashes prefer the flapping node. */
  #among(places: readonly number[], events: readonly Event[]): number {
    const ofFlapping = places.filter((place) => {
      const event = nth(events, place);
      return "node" in event && event.node === this.#flapping;
    });
    const group = ofFlapping.length > 0 && this.#below(4) > 0 ? ofFlapping : places;
    return nth(group, this.#below(group.length));
  }

  #weighted(places: readonly number[], events: readonly Event[]): number {
    const weights = places.map((place) => this.#weightOf(nth(events, place)));
    let rest = (this.#below(FINE) / FINE) * weights.reduce((sum, weight) => sum + weight, 0);
    const found = weights.findIndex((weight) => (rest -= weight) < 0);
    return nth(places, Math.max(0, found));
  }

  #weightOf(event: Event): number {
    if (event.kind === "heal") return this.#heals;
    if (!("node" in event)) return 1;
    const speed = nth(this.#speeds, event.node);
    switch (event.kind) {
      case "action":
        return this.#weights.actions * speed;
      case "timer":
      case "pending":
        return this.#weights.timers * speed * nth(this.#clocks, event.node);
      case "restart":
        return event.node === this.#flapping ? 3 : this.#weights.restarts * speed;
      default:
        return speed;
    }
  }

  #nextPhase(): void {
    const longest = Math.max(20, this.#steps >> 1);
    this.#phaseEnd = this.#step + 10 + Math.floor(longest * this.#scale(0, 3));
    this.#isStormy = this.#below(4) > 0;
    this.#speeds = this.#perNode(this.kinds.has("slow"), 3);
  }

  /** Between 1 and 10 ** -decades for about half of the nodes, 1 for the others. */
  #perNode(isVaried: boolean, decades: number): number[] {
    return Array.from({ length: this.#count }, () =>
      isVaried && this.#below(2) === 0 ? this.#scale(0, decades) : 1,
    );
  }

  /** Log-uniform between 10 ** -least and 10 ** -most. */
  #scale(least: number, most: number): number {
    return 10 ** -(least + ((most - least) * this.#below(FINE)) / FINE);
  }
}

const FINE = 1 << 20;

function setIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list: V[] = [];
  map.set(key, list);
  return list;
}

/** Undefined: the event is no fault. */
function kindOf(event: Event): FaultKind | undefined {
  switch (event.kind) {
    case "deliver":
      return event.keeps ? "duplicates" : undefined;
    case "lose":
      return event.isCut ? "partitions" : "loss";
    case "crash":
      return event.torn === undefined ? "crashes" : "torn";
    case "corrupt":
      return "corruptions";
    case "partition":
      return "partitions";
    default:
      return undefined;
  }
}

/** The seed of a run: the same in every process and shard. */
export function seedOfRun(seed: number, run: number): number {
  let mixed = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 12);
}
