/**
 * Decides whether a trace violates a temporal property. Runs the trace through the fine-grained system, reads the propositions, and
 * evaluates the formula (or the claim's automaton) on the resulting word. Depends neither on the search nor on the translation of
 * formulas.
 */
import {
  Entry,
  Status,
  Successors,
  temporalOf,
  type Model,
  type TemporalProperty,
  type Trace,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { accepts, evaluate } from "../../transforms/ltl/index.js";
import { acceptingSinks } from "../../transforms/terminal.js";
import { soughtBy } from "../../transforms/ltl/sought.js";

export function violates(
  model: Model,
  property: TemporalProperty,
  trace: Pick<Trace, "choices" | "loopStart">,
): boolean {
  const word = wordOf(model, temporalOf(model).properties.indexOf(property), trace);
  // Propositions after a trace without a loop may be undefined; they do not count.
  // sound: test/session/endings.test.ts test/session/replay.test.ts
  if (!word) return trace.loopStart === undefined && violatesAlready(model, property, trace.choices);
  const { requirement } = property;
  return requirement.kind === "satisfies"
    ? !evaluate(requirement.formula, word.prefix, word.cycle)
    : accepts(requirement.claim.automaton, word);
}

/** Is the property violated by every continuation? True if the violation automaton is in a state that accepts everything. */
export function violatesAlready(
  model: Model,
  property: TemporalProperty,
  choices: readonly number[],
): boolean {
  const runner = new Runner(model, temporalOf(model).properties.indexOf(property));
  const automaton = soughtBy(property);
  if (!automaton) return false;
  // sound: test/session/endings.test.ts test/session/replay.test.ts
  if (!runner.hasBegun || !choices.every((choice) => runner.take(choice))) return false;
  const sinks = acceptingSinks(automaton);
  let states = new Set([automaton.initial]);
  for (const letter of runner.letters) {
    if (letter < 0) return false; // sound: test/session/replay.test.ts
    const edges = [...states].flatMap((state) => nth(automaton.states, state));
    const taken = edges.filter(({ guard }) => guard.some(({ care, value }) => (letter & care) === value));
    states = new Set(taken.map(({ to }) => to));
  }
  return [...states].some((state) => sinks.has(state)); // sound: test/session/replay.test.ts
}

/** Valuations of the nominal states, before the cycle and in it. */
export interface Word {
  readonly prefix: readonly number[];
  readonly cycle: readonly number[];
}

/**
 * The word of a trace; undefined if the trace cannot be followed, its loop does not close, or a condition cannot be evaluated. A
 * trace without a loop is extended until a state repeats: its verdict must not depend on the extension.
 */
function wordOf(
  model: Model,
  index: number,
  { choices, loopStart }: Pick<Trace, "choices" | "loopStart">,
): Word | undefined {
  const runner = new Runner(model, index);
  if (!runner.hasBegun) return undefined; // sound: test/session/endings.test.ts
  for (const [step, choice] of choices.entries()) {
    if (step === loopStart) runner.markLoop();
    // sound: test/session/endings.test.ts
    if (!runner.take(choice)) return undefined;
  }
  if (loopStart === undefined) return runner.goOn(MOST_EXTRA_STATES);
  return loopStart === choices.length ? runner.stay() : runner.close();
}

const MOST_EXTRA_STATES = 200_000;

class Runner {
  readonly #model: Model;
  readonly #index: number;
  readonly #out: Successors;
  /** Valuations of the nominal states so far. */
  readonly letters: number[] = [];
  readonly hasBegun: boolean;
  #state: Words;
  #loop: { readonly state: Words; readonly position: number } | undefined;

  constructor(model: Model, index: number) {
    this.#model = model;
    this.#index = index;
    this.#out = new Successors(model.steps.width);
    model.steps.initial(this.#out);
    this.#state = this.#entry(0);
    // A system that fails in its initialisation has no state to read.
    this.hasBegun = !this.#out.isDead(0); // sound: test/session/endings.test.ts
    if (this.hasBegun && !model.steps.hasRoot) this.#read();
  }

  take(choice: number): boolean {
    this.#expand();
    // sound: test/session/endings.test.ts
    const isOffered = choice < this.#out.count && !this.#out.isDead(choice);
    if (!isOffered) return false;
    this.#state = this.#entry(choice);
    this.#read();
    return true;
  }

  /** The loop starts in the last state read. */
  markLoop(): void {
    this.#loop = { state: this.#state, position: this.letters.length - 1 };
  }

  /** The loop ends in the state in which it started. */
  close(): Word | undefined {
    const loop = this.#loop;
    // sound: test/session/endings.test.ts
    if (!loop || !isEqual(loop.state, this.#state, this.#model.steps.compareFrom)) return undefined;
    // The last letter repeats the first letter of the loop.
    return this.#word(loop.position, this.letters.length - 1);
  }

  /** No step is possible, or only a fault: the last state stutters. */
  stay(): Word | undefined {
    // sound: test/session/endings.test.ts
    if (this.#nearest()) return undefined;
    return this.#word(this.letters.length - 1, this.letters.length);
  }

  /** Extends the run, always to the nearest nominal state, until a state repeats. */
  goOn(states: number): Word | undefined {
    const seen = new Map<string, number>();
    for (let taken = 0; taken < states; taken++) {
      if (this.#isNominal() && this.letters.length > 0) {
        const key = keyOf(this.#state, this.#model.steps.compareFrom);
        const before = seen.get(key);
        if (before !== undefined) return this.#word(before, this.letters.length - 1);
        seen.set(key, this.letters.length - 1);
      }
      const next = this.#nearest();
      // No step is possible, or an atomic sequence diverges: the last nominal state stutters.
      if (!next) return this.#word(this.letters.length - 1, this.letters.length);
      this.#state = next;
      this.#read();
    }
    return undefined;
  }

  /** The nearest nominal state reachable through intermediate ones. */
  #nearest(): Words | undefined {
    const queue = [this.#padded()];
    const seen = new Set<string>();
    for (const state of queue) {
      this.#state = state;
      this.#expand();
      for (let entry = 0; entry < this.#out.count; entry++) {
        const flags = nth(this.#out.flags, entry);
        if ((flags & Entry.dead) !== 0) continue;
        const words = this.#entry(entry);
        if ((flags & Entry.intermediate) === 0) return words;
        if (seen.has(words.join())) continue;
        seen.add(words.join());
        queue.push(words);
      }
    }
    this.#state = nth(queue, 0);
    return undefined;
  }

  /** Undefined if a condition cannot be evaluated. */
  #word(from: number, to: number): Word | undefined {
    if (this.letters.some((letter) => letter < 0)) return undefined; // sound: test/session/replay.test.ts
    return { prefix: this.letters.slice(0, from), cycle: this.letters.slice(from, to) };
  }

  #read(): void {
    // sound: test/session/endings.test.ts
    if (this.#isNominal())
      this.letters.push(temporalOf(this.#model).steps.valuation(this.#index, this.#padded(), 0));
  }

  #isNominal(): boolean {
    return (this.#model.steps.status(this.#padded(), 0) & Status.intermediate) === 0;
  }

  #expand(): void {
    this.#out.clear();
    this.#model.steps.successors(this.#padded(), 0, this.#out);
  }

  #padded(): Words {
    const { width } = this.#model.steps;
    if (this.#state.length >= width) return this.#state;
    const wide = new Int32Array(width);
    wide.set(this.#state);
    return (this.#state = wide);
  }

  #entry(index: number): Words {
    const { words, stride } = this.#out;
    return words.slice(index * stride, (index + 1) * stride);
  }
}

const keyOf = (state: Words, from: number): string =>
  state
    .slice(from)
    .join()
    .replace(/(,0)+$/, "");

const isEqual = (a: Words, b: Words, from: number): boolean => keyOf(a, from) === keyOf(b, from);
