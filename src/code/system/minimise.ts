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
import { nth } from "../../model/known.js";

/** Returns the trace itself if it cannot be shortened, or shows a liveness violation. */
export function minimise(
  model: SystemModel,
  property: Property,
  trace: Trace,
  isStopped: () => boolean,
): Trace {
  const goal = goalOf(model, property, trace);
  if (!goal || trace.loopStart !== undefined) return trace;
  const runs = new Runs(model, goal, isStopped);
  const found = runs.along(trace.choices);
  if (!found) return trace;
  let best = found;
  for (let before = Infinity; best.length < before && !runs.isSpent;) {
    before = best.length;
    best = withShortCuts(runs, best);
    best = withoutSteps(runs, best);
    best = withPlainChoices(runs, best);
  }
  return { choices: best.map(({ choice }) => choice), fault: trace.fault, loopStart: undefined };
}

const MOST_STATES = 60_000;
/** Limit per state of the run. */
const NEARBY_STATES = 3_000;

/** An executed step, with a position-independent description. */
interface Taken extends Option {
  readonly choice: number;
  readonly from: Words;
}

interface Option {
  readonly event: string;
  readonly choices: string;
  readonly next: Words;
  readonly flags: number;
}

/** Whether the run ends here with the violation. */
type Goal = (flags: number, words: Words) => boolean;

function goalOf(model: SystemModel, property: Property, { fault, choices }: Trace): Goal | undefined {
  if (fault >= 0) return (flags) => faultSite(flags) === fault;
  if (property.kind === "invariant") {
    const index = model.invariants.findIndex(({ name }) => name === property.name);
    const kind = model.violationClass(index, endOf(model, choices), 0);
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

  constructor(model: SystemModel, goal: Goal, isStopped: () => boolean) {
    this.#model = model;
    this.#goal = goal;
    this.#isStopped = isStopped;
    this.#out = new Successors(model.system.width);
  }

  get isSpent(): boolean {
    return this.#options.size > MOST_STATES || this.#isStopped();
  }

  /** The run of these choices; undefined if it does not show the violation. */
  along(choices: readonly number[]): readonly Taken[] | undefined {
    let state = this.#initial();
    const taken: Taken[] = [];
    for (const choice of choices) {
      const option = state && this.#optionsIn(state)[choice];
      if (!option) return undefined;
      taken.push({ ...option, choice, from: state! });
      if (this.#goal(option.flags, option.next)) return taken;
      state = (option.flags & Entry.dead) === 0 ? option.next : undefined;
    }
    return undefined;
  }

  /** Executes the enabled steps of `wanted`, up to the violation. */
  with(wanted: readonly Pick<Option, "event" | "choices">[]): readonly Taken[] | undefined {
    let state = this.#initial();
    const taken: Taken[] = [];
    for (const step of wanted) {
      if (!state) return undefined;
      const options = this.#optionsIn(state);
      const choice = positionOf(options, step);
      if (choice < 0) continue;
      const option = nth(options, choice);
      taken.push({ ...option, choice, from: state });
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
      for (const [choice, option] of this.#optionsIn(state).entries()) {
        const longer = [...path, { ...option, choice, from: state }];
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

  #find(state: Words): Option[] {
    const out = this.#out;
    out.clear();
    this.#model.system.successors(state, 0, out);
    const options: Option[] = [];
    this.#model.nodeSystem.eachFollower(state, 0, (event, outcome) => {
      const i = options.length;
      if (i >= out.count) return;
      options.push({
        event: this.#nameOf(event),
        choices: choicesOf(outcome),
        next: out.stateAt(i),
        flags: nth(out.flags, i),
      });
    });
    return options;
  }

  /** Description of an event that is the same in every state. */
  #nameOf(event: Event): string {
    const { network, local } = this.#model;
    const call = "call" in event ? JSON.stringify(local.call(event.call)) : "";
    const packet = "packet" in event ? JSON.stringify(network.packet(event.packet)) : "";
    const whose = "node" in event ? event.node : "";
    // The remaining receivers do not distinguish deliveries.
    const about = event.kind === "deliver" || event.kind === "miss" ? "" : packet;
    const rest = restOf(event);
    const keeps = event.kind === "deliver" && event.keeps;
    return `${event.kind} ${whose} ${keeps} ${rest} ${call} ${about}`;
  }
}

function restOf(event: Event): string | number {
  if (event.kind === "crash") return event.kept.join();
  if (event.kind === "start") return event.start.words.join();
  return event.kind === "partition" ? event.mask : "";
}

const choicesOf = (outcome: Outcome | undefined): string =>
  outcome ? outcome.choices.join() + (outcome.crash ? ` crash ${JSON.stringify(outcome.crash)}` : "") : "";

/** Position of the same step; otherwise of a step with other numbers in its messages, or other choices. */
function positionOf(
  options: readonly Option[],
  { event, choices }: Pick<Option, "event" | "choices">,
): number {
  const exact = options.findIndex((option) => option.event === event && option.choices === choices);
  if (exact >= 0) return exact;
  const [kind, whose, ...rest] = event.split(" ");
  const shape = rest.join(" ").replace(/\d+/g, "#");
  return options.findIndex((option) => {
    if (option.choices !== choices) return false;
    const [otherKind, other, ...more] = option.event.split(" ");
    return kind === otherKind && whose === other && more.join(" ").replace(/\d+/g, "#") === shape;
  });
}
