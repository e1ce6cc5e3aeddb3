/**
 * Shortens traces of systems of nodes that a deep search found.
 *
 * Delta debugging (Zeller, Hildebrandt 2002) over steps: removes some, executes the others as far as they are enabled,
 * and keeps the shorter run if it shows the same violation. A step is identified by its event, not by its position;
 * failing that, by its event up to numbers, since a shorter run may have smaller numbers in messages. Then choices are
 * replaced by defaults (no failure, the first value) if the violation remains, and a local search finds short cuts to
 * later states of the run.
 *
 * Always true: every kept run was executed and shows the original violation. The result is deterministic.
 */
import {
  Entry,
  Status,
  Successors,
  faultSite,
  type Property,
  type Trace,
  type Words,
} from "../../model/index.js";
import type { Event } from "./events.js";
import type { Outcome } from "./local-steps.js";
import type { SystemModel } from "./model.js";
import { choicesOf, nameOf, shapeOf, type NamedStep } from "./step-names.js";
import { Nondeterminism } from "./node-process.js";
import { nth } from "../../model/known.js";

/** Returns the trace itself if it cannot be shortened, or shows a liveness violation. */
export function minimise(
  model: SystemModel,
  property: Property,
  trace: Trace,
  isStopped: () => boolean,
): Trace {
  if (trace.loopStart !== undefined) return trace;
  const goal = goalOf(model, property, trace.fault, () => endOf(model, trace.choices));
  if (!goal) return trace;
  const runs = new Runs(model, goal, isStopped);
  const found = runs.along(trace.choices);
  return found ? runs.traceOf(shortened(runs, found), trace.fault) : trace;
}

/** A run given by its steps, as a simulation finds it. */
export interface NamedRun {
  readonly property: Property;
  readonly fault: number;
  readonly steps: readonly NamedStep[];
  /** The last state. */
  readonly last: Words;
}

/** The trace of the run, shortened on request. Throws if the run cannot be repeated. */
export function traceOfRun(
  model: SystemModel,
  { property, fault, steps, last }: NamedRun,
  shortens: boolean,
  isStopped: () => boolean,
): Trace {
  const goal = goalOf(model, property, fault, () => last);
  const runs = goal && new Runs(model, goal, isStopped);
  const found = runs?.with(steps);
  if (!found) throw new Nondeterminism("the system", "a run cannot be repeated");
  return runs!.traceOf(shortens ? shortened(runs!, withoutSteps(runs!, found)) : found, fault);
}

function shortened(runs: Runs, found: readonly Taken[]): readonly Taken[] {
  let best = found;
  for (let before = Infinity; best.length < before && !runs.isSpent;) {
    before = best.length;
    if (best.length <= LONG) best = withShortCuts(runs, best);
    best = withoutSteps(runs, best);
    best = withPlainChoices(runs, best);
  }
  return best;
}

/** Local searches around each state of a longer run take too long. */
const LONG = 200;
const MOST_STATES = 60_000;
/** Limit of single steps. */
const MOST_STEPS = 400_000;
/** Limit per state of the run. */
const NEARBY_STATES = 3_000;

/** An executed step, with a position-independent description. */
interface Taken extends Option {
  readonly from: Words;
}

interface Option extends NamedStep {
  readonly next: Words;
  readonly flags: number;
}

/** Whether the run ends here with the violation. */
type Goal = (flags: number, words: Words) => boolean;

function goalOf(model: SystemModel, property: Property, fault: number, last: () => Words): Goal | undefined {
  if (fault >= 0) return (flags) => faultSite(flags) === fault;
  if (property.kind === "invariant") {
    const index = model.invariants.findIndex(({ name }) => name === property.name);
    const kind = model.violationClass(index, last(), 0);
    return (flags, words) =>
      (flags & Entry.dead) === 0 &&
      !model.holds(index, words, 0) &&
      model.violationClass(index, words, 0) === kind;
  }
  if (property.kind !== "deadlock") return undefined;
  const out = new Successors(model.system.width);
  return (flags, words) => {
    if ((flags & Entry.dead) !== 0) return false;
    out.clear();
    model.system.successors(words, 0, out);
    return out.count === 0 && (model.system.status(words, 0) & Status.validEnd) === 0;
  };
}

/** Continues past violations of the invariant: it may have been violated differently before. */
function endOf({ system }: SystemModel, choices: readonly number[]): Words {
  const out = new Successors(system.width);
  system.initial(out);
  let words = out.words.slice(0, system.width);
  for (const choice of choices) {
    out.clear();
    system.successors(words, 0, out);
    words = out.stateAt(choice);
  }
  return words;
}

/** Removes halves, quarters, … single steps, from the end: later steps depend on earlier ones. */
function withoutSteps(runs: Runs, run: readonly Taken[]): readonly Taken[] {
  let best = run;
  for (let size = best.length >> 1; size >= 1 && !runs.isSpent; size >>= 1)
    for (let start = best.length - size; start > -size && !runs.isSpent; start -= size) {
      const wanted = [...best.slice(0, Math.max(0, start)), ...best.slice(start + size)];
      const shorter = runs.with(wanted);
      if (shorter && shorter.length < best.length) best = shorter;
    }
  return best;
}

function withPlainChoices(runs: Runs, run: readonly Taken[]): readonly Taken[] {
  let best = run;
  for (let i = 0; i < best.length && !runs.isSpent; i++) {
    const choices = nth(best, i).choices.replace(/\d+/g, "0");
    if (choices === nth(best, i).choices) continue;
    const plainer = runs.with(best.with(i, { ...nth(best, i), choices }));
    if (plainer && plainer.length <= best.length) best = plainer;
  }
  return best;
}

/** Replaces parts of the run by shorter paths found near each state. */
function withShortCuts(runs: Runs, run: readonly Taken[]): readonly Taken[] {
  let best = run;
  for (let i = 0; i < best.length && !runs.isSpent; i++) {
    const cut = runs.shortCut(best, i);
    if (cut) best = cut;
  }
  return best;
}

class Runs {
  readonly #model: SystemModel;
  readonly #goal: Goal;
  readonly #isStopped: () => boolean;
  readonly #out: Successors;
  readonly #options = new Map<string, readonly Option[]>();
  #steps = 0;

  constructor(model: SystemModel, goal: Goal, isStopped: () => boolean) {
    this.#model = model;
    this.#goal = goal;
    this.#isStopped = isStopped;
    this.#out = new Successors(model.system.width);
  }

  get isSpent(): boolean {
    return this.#options.size > MOST_STATES || this.#steps > MOST_STEPS || this.#isStopped();
  }

  /** The positions of the steps among all successors. */
  traceOf(run: readonly Taken[], fault: number): Trace {
    const choices = run.map(({ from, event, choices: made, next, flags }) => {
      const isTaken = (option: Option): boolean =>
        option.event === event &&
        option.choices === made &&
        option.flags === flags &&
        isSame(option.next, next);
      return this.#find(from).findIndex(isTaken);
    });
    return { choices, fault, loopStart: undefined };
  }

  /** The run of these choices; undefined if it does not show the violation. */
  along(choices: readonly number[]): readonly Taken[] | undefined {
    let state = this.#initial();
    const taken: Taken[] = [];
    for (const choice of choices) {
      const option = state && this.#optionsIn(state)[choice];
      if (!option) return undefined;
      taken.push({ ...option, from: state! });
      if (this.#goal(option.flags, option.next)) return taken;
      state = (option.flags & Entry.dead) === 0 ? option.next : undefined;
    }
    return undefined;
  }

  /** Executes the enabled steps of `wanted`, and no others, up to the violation. */
  with(wanted: readonly NamedStep[]): readonly Taken[] | undefined {
    let state = this.#initial();
    const taken: Taken[] = [];
    for (const step of wanted) {
      if (!state) return undefined;
      const option = this.#taking(state, step);
      if (!option) continue;
      taken.push({ ...option, from: state });
      if (this.#goal(option.flags, option.next)) return taken;
      state = (option.flags & Entry.dead) === 0 ? option.next : undefined;
    }
    return undefined;
  }

  /** The run with a shorter path from step `start` on, found by a local search. */
  shortCut(run: readonly Taken[], start: number): readonly Taken[] | undefined {
    const later = new Map(run.slice(start).map(({ from }, i) => [from.join(), start + i]));
    const queue: { readonly state: Words; readonly path: readonly Taken[] }[] = [
      { state: nth(run, start).from, path: [] },
    ];
    const seen = new Set([nth(run, start).from.join()]);
    let best: readonly Taken[] | undefined;
    let saved = 0;
    for (const { state, path } of queue) {
      if (seen.size > NEARBY_STATES || this.isSpent || start + path.length + 1 >= run.length - saved) break;
      for (const option of this.#optionsIn(state)) {
        const longer = [...path, { ...option, from: state }];
        if (this.#goal(option.flags, option.next)) return [...run.slice(0, start), ...longer];
        if ((option.flags & Entry.dead) !== 0) continue;
        const key = option.next.join();
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ state: option.next, path: longer });
        const place = later.get(key);
        if (place === undefined || place - start - longer.length <= saved) continue;
        saved = place - start - longer.length;
        best = [...run.slice(0, start), ...longer, ...run.slice(place)];
      }
    }
    return best;
  }

  #initial(): Words | undefined {
    this.#out.clear();
    this.#model.system.initial(this.#out);
    return !this.#out.isDead(0) ? this.#out.words.slice(0, this.#model.system.width) : undefined;
  }

  #optionsIn(state: Words): readonly Option[] {
    const key = state.join();
    let options = this.#options.get(key);
    if (!options) {
      options = this.#find(state);
      this.#options.set(key, options);
    }
    return options;
  }

  /** The same step; otherwise one with other numbers in its messages. Runs the code of no other event. */
  #taking(state: Words, { event: wanted, choices }: NamedStep): Option | undefined {
    this.#steps++;
    const { nodeSystem } = this.#model;
    const events: { readonly event: Event; readonly name: string }[] = [];
    nodeSystem.eachEvent(state, 0, (event) => events.push({ event, name: nameOf(event, this.#model) }));
    const shape = shapeOf(wanted);
    const alike = events.filter(({ name }) => name !== wanted && shapeOf(name) === shape);
    for (const { event, name } of [...events.filter((each) => each.name === wanted), ...alike]) {
      let found: Option | undefined;
      nodeSystem.eachOutcome(state, 0, event, (_, outcome, fault) => {
        if (!found && choicesOf(outcome) === choices)
          found = this.#option(state, event, name, outcome, fault);
      });
      if (found) return found;
    }
    return undefined;
  }

  #option(state: Words, event: Event, name: string, outcome: Outcome | undefined, fault?: number): Option {
    const named = { event: name, choices: choicesOf(outcome) };
    if (fault !== undefined)
      return { ...named, next: state, flags: ((fault + 1) << Entry.faultShift) | Entry.dead };
    const { words, site } = this.#model.nodeSystem.after(state, 0, event, outcome);
    return { ...named, next: words, flags: site < 0 ? 0 : (site + 1) << Entry.faultShift };
  }

  #find(state: Words): Option[] {
    const out = this.#out;
    out.clear();
    this.#model.system.successors(state, 0, out);
    const options: Option[] = [];
    this.#model.nodeSystem.eachFollower(state, 0, (event, outcome) => {
      const i = options.length;
      if (i >= out.count) return;
      const flags = nth(out.flags, i);
      options.push({
        event: nameOf(event, this.#model),
        choices: choicesOf(outcome),
        next: (flags & Entry.dead) === 0 ? out.stateAt(i) : state,
        flags,
      });
    });
    return options;
  }
}

function isSame(a: Words, b: Words): boolean {
  return a.every((word, place) => word === b[place]);
}
