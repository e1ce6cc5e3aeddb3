/**
 * One random run of a system of nodes, without storing its states. Only the code of the chosen event is run, unlike in
 * a search, which needs every successor.
 */
import { Status, Successors, faultSite, type Property, type Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Event } from "./events.js";
import type { Outcome } from "./local-steps.js";
import type { NamedRun } from "./minimise.js";
import type { SystemModel } from "./model.js";
import { choicesOf, nameOf, type NamedStep } from "./step-names.js";
import type { Swarm } from "./swarm.js";

export interface SimulationOptions {
  readonly properties: readonly Property[];
  readonly steps: number;
  /** Abstract states seen so far, by the system's `guide`; new ones are added. */
  readonly guides: Set<string>;
  /** Names of `sometimes` conditions that some run has reached; new ones are added. */
  readonly reached: Set<string>;
  /** The property to which the fault at a site belongs. */
  ownerOf(site: number): Property;
  /** Polled from time to time. */
  isStopped(): boolean;
}

export interface SimulatedRun {
  readonly steps: number;
  /** `ended`: nothing can happen; `spent`: all steps were made; `stopped`: on request. */
  readonly end: "failed" | "ended" | "spent" | "stopped";
  readonly failure?: NamedRun & { readonly reason: string };
}

export function simulateRun(model: SystemModel, swarm: Swarm, options: SimulationOptions): SimulatedRun {
  return new Run(model, swarm, options).whole();
}

class Run {
  readonly #model: SystemModel;
  readonly #swarm: Swarm;
  readonly #options: SimulationOptions;
  readonly #taken: { readonly event: Event; readonly outcome: Outcome | undefined }[] = [];
  readonly #invariants: readonly number[];
  readonly #covers: readonly number[];
  #state: Words;

  constructor(model: SystemModel, swarm: Swarm, options: SimulationOptions) {
    this.#model = model;
    this.#swarm = swarm;
    this.#options = options;
    const wanted = (kind: Property["kind"]): number[] =>
      model.invariants.flatMap((property, index) =>
        property.kind === kind && options.properties.includes(property) ? [index] : [],
      );
    this.#invariants = wanted("invariant");
    this.#covers = wanted("cover");
    this.#state = new Int32Array(model.system.width);
  }

  whole(): SimulatedRun {
    const first = new Successors(this.#model.system.width);
    this.#model.system.initial(first);
    const site = faultSite(nth(first.flags, 0));
    if (first.isDead(0)) return this.#atSite(site) ?? this.#ending("ended");
    this.#state = first.stateAt(0);
    const failed = (site >= 0 ? this.#atSite(site) : undefined) ?? this.#inState();
    if (failed) return failed;
    while (this.#taken.length < this.#options.steps) {
      const end = this.#step();
      if (end) return end;
      if (this.#taken.length % POLL === 0 && this.#options.isStopped()) return this.#ending("stopped");
    }
    return this.#ending("spent");
  }

  /** Takes a step; undefined: the run goes on. */
  #step(): SimulatedRun | undefined {
    const { nodeSystem } = this.#model;
    const events: Event[] = [];
    nodeSystem.eachEvent(this.#state, 0, (event) => events.push(event));
    while (events.length > 0) {
      const place = this.#swarm.choose(events);
      if (place < 0) break;
      const followers = this.#followers(nth(events, place));
      if (followers.length > 0) return this.#take(nth(events, place), followers);
      // All outcomes lie beyond a declared bound.
      events.splice(place, 1);
    }
    return this.#stuck();
  }

  #followers(event: Event): Follower[] {
    const followers: Follower[] = [];
    const left = this.#model.nodeSystem.failuresLeft(this.#state, 0);
    this.#model.nodeSystem.eachOutcome(
      this.#state,
      0,
      event,
      (_, outcome, fault) => {
        const isKnown = followers.some((other) => other.outcome === outcome);
        if (!isKnown) followers.push({ outcome, fault });
      },
      Math.min(left, FAILURES_A_STEP),
    );
    return followers;
  }

  #take(event: Event, followers: readonly Follower[]): SimulatedRun | undefined {
    const { outcome, fault } = nth(followers, this.#swarm.outcome(followers.map((each) => each.outcome)));
    this.#taken.push({ event, outcome });
    if (fault !== undefined) return this.#atSite(fault) ?? this.#ending("ended");
    const { words, site } = this.#model.nodeSystem.after(this.#state, 0, event, outcome);
    const isMoved = words.some((word, place) => word !== this.#state[place]);
    this.#state = words;
    if (site >= 0) {
      const failed = this.#atSite(site);
      if (failed) return failed;
    }
    // A system in which nothing changes any more has no successors (`NodeSystem.successors`).
    return isMoved ? this.#inState() : this.#model.summary.hasFinished ? this.#ifStill() : undefined;
  }

  /** Tests the conditions on states. */
  #inState(): SimulatedRun | undefined {
    const { holds, invariants, guide, nodeSystem } = this.#model;
    if (nodeSystem.isRoot(this.#state, 0)) return undefined;
    const { reached, guides } = this.#options;
    for (const index of this.#covers)
      if (!reached.has(nth(invariants, index).name) && !holds(index, this.#state, 0))
        reached.add(nth(invariants, index).name);
    if (guide && guides.size < MOST_GUIDES) guides.add(String(guide.abstract(this.#state, 0)));
    for (const index of this.#invariants)
      if (!holds(index, this.#state, 0)) {
        const property = nth(invariants, index);
        return this.#failing(property, `invariant violated: ${property.name}`, -1);
      }
    return undefined;
  }

  #ifStill(): SimulatedRun | undefined {
    const out = new Successors(this.#model.system.width);
    this.#model.system.successors(this.#state, 0, out);
    return out.count === 0 ? this.#stuck() : undefined;
  }

  #stuck(): SimulatedRun {
    const deadlock = this.#options.properties.find(({ kind }) => kind === "deadlock");
    const { system } = this.#model;
    if (!deadlock || (system.status(this.#state, 0) & Status.validEnd) !== 0) return this.#ending("ended");
    const out = new Successors(system.width);
    system.successors(this.#state, 0, out);
    return out.count === 0 ? this.#failing(deadlock, "deadlock", -1) : this.#ending("ended");
  }

  #atSite(site: number): SimulatedRun | undefined {
    const property = this.#options.ownerOf(site);
    if (!this.#options.properties.includes(property)) return undefined;
    return this.#failing(property, nth(this.#model.sites, site).message, site);
  }

  #failing(property: Property, reason: string, fault: number): SimulatedRun {
    const steps = this.#taken.map(({ event, outcome }): NamedStep => ({
      event: nameOf(event, this.#model),
      choices: choicesOf(outcome),
    }));
    const failure = { property, reason, fault, steps, last: this.#state };
    return { ...this.#ending("failed"), failure };
  }

  #ending(end: SimulatedRun["end"]): SimulatedRun {
    return { steps: this.#taken.length, end };
  }
}

interface Follower {
  readonly outcome: Outcome | undefined;
  readonly fault: number | undefined;
}

/** More failures in one step are left to searches: every number of remaining failures would run the code again. */
const FAILURES_A_STEP = 2;
const POLL = 256;
/** Beyond this the number is a lower bound. */
const MOST_GUIDES = 1_000_000;
