/**
 * Describes a trace: replays its choices in the system and describes each step.
 *
 * A trace can have millions of steps. All are run, but only the first and the last `keep` of them are
 * described; the rest is counted and can be reproduced from the schedule, which is always complete.
 */
import {
  Entry,
  Successors,
  faultSite,
  formatSchedule,
  type Explainer,
  type ProcessView,
  type Shown,
  type Step,
  type System,
  type Trace,
  type Words,
} from "../model/index.js";
import { nth } from "../model/known.js";

export interface Narrative {
  readonly schedule: string;
  /** The test whose schedule it is, of a file that has tests. */
  readonly test?: string;
  /** Steps of the trace, told or not. */
  readonly length: number;
  readonly initial: readonly Shown[];
  readonly steps: readonly NarratedStep[];
  /** The site of the final error, including errors before the first step; or -1. */
  readonly fault: number;
  readonly loopStart: number | undefined;
  /** Of a system that takes integers from outside: `Trace.inputs`. */
  readonly inputs?: readonly string[];
  readonly final: FinalState;
}

export interface NarratedStep extends Step {
  /** Counted from 1; numbers of omitted steps are missing. */
  readonly number: number;
  /** Inside an atomic sequence after this step. */
  readonly isIntermediate: boolean;
  /** The site of the error in this step, or -1. */
  readonly fault: number;
  /** Values that the step changed, by name; `null` for removed ones. After a gap: since the last described step. */
  readonly changes: ReadonlyMap<string, string | null>;
}

/** The state at the end; of a step that failed without a successor, the state before it. */
export interface FinalState {
  readonly words: Words;
  readonly values: readonly Shown[];
  readonly processes: readonly ProcessView[];
}

export type Narration =
  | { readonly kind: "narrated"; readonly narrative: Narrative }
  /** The system does not offer the choice at step `step` (counted from 1); `narrative` ends before it. */
  | {
      readonly kind: "diverged";
      readonly narrative: Narrative;
      readonly step: number;
      readonly offered: number;
    };

export interface NarrationOptions {
  readonly keep?: number;
  /** Also describes the steps around the one with this number. */
  readonly around?: number;
  /** Describes every step, and passes it on instead of keeping it. */
  readonly onStep?: (step: NarratedStep) => void;
  /** Called with the initial state, and with the state after each described step. */
  readonly onState?: (state: Words) => void;
}

export function narrate(
  system: System & Explainer,
  trace: Pick<Trace, "choices" | "loopStart">,
  options: NarrationOptions = {},
): Narration {
  const { choices, loopStart } = trace;
  const { keep = 20_000, around = -Infinity, onState, onStep } = options;
  const teller = new Teller(system, onStep);
  teller.show(onState);
  const finish = (length: number): Narrative =>
    teller.finish(choices.slice(0, length), length < choices.length ? undefined : loopStart);
  for (const [index, choice] of choices.entries()) {
    const isNear = Math.abs(index + 1 - around) <= AROUND;
    const isTold = isNear || index < keep || index >= choices.length - keep || onStep !== undefined;
    const offered = teller.take(choice, isTold);
    if (offered !== undefined)
      return { kind: "diverged", narrative: finish(index), step: index + 1, offered };
    if (isTold) teller.show(onState);
  }
  return { kind: "narrated", narrative: finish(choices.length) };
}

const AROUND = 1000;

/** The values after a described step, for the selection on a page. */
export function valuesAfter(narrative: Narrative, steps: number): ReadonlyMap<string, string> {
  const values = new Map(narrative.initial.map(({ name, value }) => [name, value]));
  for (const { changes } of narrative.steps.slice(0, steps))
    for (const [name, value] of changes)
      if (value === null) values.delete(name);
      else values.set(name, value);
  return values;
}

/** Changes between two snapshots: new and different values, and `null` for removed ones. */
export function changesBetween(
  before: readonly Shown[],
  after: readonly Shown[],
): ReadonlyMap<string, string | null> {
  const old = new Map(before.map((shown) => [shown.name, shown.value]));
  const changes = new Map<string, string | null>();
  for (const { name, value } of after) {
    if (old.get(name) !== value) changes.set(name, value);
    old.delete(name);
  }
  for (const name of old.keys()) changes.set(name, null);
  return changes;
}

class Teller {
  readonly #system: System & Explainer;
  readonly #out: Successors;
  readonly #steps: NarratedStep[] = [];
  readonly #onStep: (step: NarratedStep) => void;
  readonly #initial: readonly Shown[];
  #state: Words;
  #shown: readonly Shown[];
  #taken = 0;
  #fault: number;
  #isDead: boolean;

  constructor(system: System & Explainer, onStep: ((step: NarratedStep) => void) | undefined) {
    this.#system = system;
    this.#onStep = onStep ?? ((step) => this.#steps.push(step));
    this.#out = new Successors(system.width);
    system.initial(this.#out);
    this.#fault = this.#out.faultAt(0);
    this.#isDead = this.#out.isDead(0);
    this.#state = this.#entry(0);
    this.#initial = this.#shown = this.#isDead ? [] : system.snapshot(this.#state, 0);
  }

  /** Takes the choice; if it is missing, returns the number of choices. */
  take(choice: number, isTold: boolean): number | undefined {
    const out = this.#out;
    out.clear();
    if (this.#isDead) return 0;
    this.#system.successors(this.#state, 0, out);
    if (choice >= out.count) return out.count;
    const flags = nth(out.flags, choice);
    this.#widen();
    const step = isTold ? this.#system.describe(this.#state, 0, choice) : undefined;
    this.#fault = faultSite(flags);
    this.#isDead = (flags & Entry.dead) !== 0;
    if (!this.#isDead) this.#state = this.#entry(choice);
    this.#taken++;
    if (step) this.#narrate(step, flags);
    return undefined;
  }

  show(onState: NarrationOptions["onState"]): void {
    // A system that fails before its first state has no state to show.
    if (this.#hasState) onState?.(this.#state);
  }

  finish(choices: readonly number[], loopStart: number | undefined): Narrative {
    const hasState = this.#hasState;
    return {
      schedule: formatSchedule(choices, loopStart),
      length: choices.length,
      initial: this.#initial,
      steps: this.#steps,
      fault: this.#fault,
      loopStart,
      final: {
        words: this.#state,
        values: hasState ? this.#system.snapshot(this.#state, 0) : [],
        processes: hasState ? this.#system.processes(this.#state, 0) : [],
      },
    };
  }

  get #hasState(): boolean {
    return this.#taken > 0 || !this.#isDead;
  }

  #narrate(step: Step, flags: number): void {
    const shown = this.#isDead ? this.#shown : this.#system.snapshot(this.#state, 0);
    this.#onStep({
      ...step,
      number: this.#taken,
      isIntermediate: (flags & Entry.intermediate) !== 0,
      fault: this.#fault,
      changes: changesBetween(this.#shown, shown),
    });
    this.#shown = shown;
  }

  /** Computing the successors may have widened states; this one counts as padded with zeros. */
  #widen(): void {
    if (this.#state.length >= this.#system.width) return;
    const wider = new Int32Array(this.#system.width);
    wider.set(this.#state);
    this.#state = wider;
  }

  #entry(index: number): Words {
    const { words, stride } = this.#out;
    return words.slice(index * stride, (index + 1) * stride);
  }
}
