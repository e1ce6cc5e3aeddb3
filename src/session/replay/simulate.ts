/** A single run of a model, stepwise and with undo, for `everypath simulate` and programs. */
import {
  Entry,
  Successors,
  faultSite,
  type Model,
  type ProcessView,
  type Shown,
  type Standing,
  type Step,
  type Words,
} from "../../model/index.js";
import { lastOf, nth } from "../../model/known.js";
import { changesBetween, narrate, type NarratedStep, type Narrative } from "../../report/index.js";
import { endingOf, type Ending } from "./ending.js";
import type { SteppedRun } from "./stepped-run.js";

export class Simulation implements SteppedRun {
  readonly usualSteps = 10_000;
  readonly endReason = "every process is at a valid end";
  readonly #model: Model;
  readonly #successors: Successors;
  /** States of the run; the last is the current one. */
  readonly #visited: Words[];
  readonly #choices: number[] = [];
  #fault: number;
  #isDead: boolean;

  constructor(model: Model) {
    this.#model = model;
    this.#successors = new Successors(model.steps.width);
    model.steps.initial(this.#successors);
    const flags = nth(this.#successors.flags, 0);
    this.#fault = faultSite(flags);
    this.#isDead = (flags & Entry.dead) !== 0;
    this.#visited = [this.#entry(0)];
    if (!this.#isDead) this.#expand();
  }

  /** The choices taken so far. */
  get choices(): readonly number[] {
    return this.#choices;
  }

  /** Number of possible steps. */
  get count(): number {
    return this.#isDead ? 0 : this.#successors.count;
  }

  /** The current state; undefined if the run failed before its first state. */
  get words(): Words | undefined {
    return this.#hasState ? this.#state : undefined;
  }

  /** Values of the current state for display; none if the run failed before its first state. */
  values(): readonly Shown[] {
    return this.#hasState ? this.#model.steps.snapshot(this.#state, 0) : [];
  }

  /** Locations of live processes. */
  processes(): readonly ProcessView[] {
    return this.#hasState ? this.#model.steps.processes(this.#state, 0) : [];
  }

  /** Where live processes stand in their automata; none without automata. */
  standing(): readonly Standing[] {
    return (this.#hasState ? this.#model.control?.standing(this.#state, 0) : undefined) ?? [];
  }

  /** The reason why the run stops; `open` if it can continue. */
  ending(checksDeadlock = true): Ending {
    return endingOf(this.#model, this.#state, this.#fault, checksDeadlock);
  }

  describe(choice: number): Step {
    return this.#model.steps.describe(this.#state, 0, choice);
  }

  /** Steps are numbered from 1. */
  take(choice: number): NarratedStep {
    if (choice >= this.count) throw new RangeError(`choice ${choice} of ${this.count}`);
    const { steps } = this.#model;
    const before = steps.snapshot(this.#state, 0);
    const step = this.describe(choice);
    const flags = nth(this.#successors.flags, choice);
    this.#fault = faultSite(flags);
    this.#isDead = (flags & Entry.dead) !== 0;
    this.#visited.push(this.#isDead ? this.#state : this.#entry(choice));
    this.#choices.push(choice);
    const changes = changesBetween(before, steps.snapshot(this.#state, 0));
    const isIntermediate = (flags & Entry.intermediate) !== 0;
    if (!this.#isDead) this.#expand();
    return { ...step, number: this.#choices.length, isIntermediate, fault: this.#fault, changes };
  }

  /** Undoes the last step; false at the initial state. */
  undo(): boolean {
    if (this.#choices.pop() === undefined) return false;
    this.#visited.pop();
    this.#fault = -1;
    this.#isDead = false;
    this.#expand();
    return true;
  }

  narrative(): Narrative {
    return narrate(this.#model.steps, { choices: this.#choices, loopStart: undefined }).narrative;
  }

  get #hasState(): boolean {
    return !this.#isDead || this.#choices.length > 0;
  }

  get #state(): Words {
    return lastOf(this.#visited);
  }

  #expand(): void {
    this.#successors.clear();
    this.#model.steps.successors(this.#state, 0, this.#successors);
    const { width } = this.#model.steps;
    if (this.#state.length >= width) return;
    const wider = new Int32Array(width);
    wider.set(this.#state);
    this.#visited[this.#visited.length - 1] = wider;
  }

  #entry(index: number): Words {
    const { words, stride } = this.#successors;
    return words.slice(index * stride, (index + 1) * stride);
  }
}

/** Seeded random numbers, equal on all machines: splitmix32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 up to `n - 1`. */
  below(n: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return Math.floor((((z ^ (z >>> 15)) >>> 0) / 2 ** 32) * n);
  }
}

/** A random seed, short enough to be typed again. */
export const freshSeed = (): number => Math.floor(Math.random() * 1e6);
