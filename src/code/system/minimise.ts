/**
 * Shorter traces of systems of nodes: what a search that goes deep has found, with the steps left out that it does not need.
 *
 * Delta debugging (Zeller, Hildebrandt 2002) over steps: some are left out, the others are made as far as they are possible,
 * and if the same thing goes wrong the shorter run is kept. A step is found again by what happens in it, not by its
 * position; where a shorter run has smaller numbers in its messages, by what happens but for numbers. Then choices are
 * made the ordinary way (nothing fails, the first value) where that shows the same, and a search of the surroundings takes short cuts
 * to later states of the run.
 *
 * Always true: every run that is kept was made, and shows what the first one showed. The same trace gives the same result.
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

/** The trace itself where it cannot be made shorter, or shows what only an infinite run can. */
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

/** So many states are looked at, at most. */
const MOST_STATES = 60_000;
/** Around each state of the run. */
const NEARBY_STATES = 3_000;

/** A step that was made, and what can be told of it without its place in a list. */
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

/** Does the run end here, with what is to be shown? */
type Goal = (flags: number, words: Words) => boolean;

function goalOf(model: SystemModel, property: Property, { fault, choices }: Trace): Goal | undefined {
  if (fault >= 0) return (flags) => faultSite(flags) === fault;
  if (property.kind === "invariant") {
    const index = model.invariants.findIndex(({ name }) => name === property.name);
    const way = model.violationClass(index, endOf(model, choices), 0);
    return (flags, words) =>
      (flags & Entry.dead) === 0 &&
      !model.holds(index, words, 0) &&
      model.violationClass(index, words, 0) === way;
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

/** A run that violates an invariant goes on: it may have been violated in another way before. */
function endOf({ system }: SystemModel, choices: readonly number[]): Words {
  const out = new Successors(system.width);
  system.initial(out);
  let words = out.words.slice(0, system.width);
  for (const choice of choices) {
    out.clear();
    system.successors(words, 0, out);
    words = out.words.slice(choice * out.stride, (choice + 1) * out.stride);
  }
  return words;
}

/** Halves, quarters, … single steps are left out, from the end on: what comes last depends on what came before. */
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
    const choices = best[i]!.choices.replace(/\d+/g, "0");
    if (choices === best[i]!.choices) continue;
    const plainer = runs.with(best.with(i, { ...best[i]!, choices }));
    if (plainer && plainer.length <= best.length) best = plainer;
  }
  return best;
}

/** From each state the shortest way to the end, or to a later state of the run, if there is one nearby. */
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

  /** The run of these choices; undefined if it does not show it. */
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

  /** The run that makes those of the steps that are possible, up to where it shows it. */
  with(wanted: readonly Pick<Option, "event" | "choices">[]): readonly Taken[] | undefined {
    let state = this.#initial();
    const taken: Taken[] = [];
    for (const step of wanted) {
      if (!state) return undefined;
      const options = this.#optionsIn(state);
      const choice = positionOf(options, step);
      if (choice < 0) continue;
      const option = options[choice]!;
      taken.push({ ...option, choice, from: state });
      if (this.#goal(option.flags, option.next)) return taken;
      state = (option.flags & Entry.dead) === 0 ? option.next : undefined;
    }
    return undefined;
  }

  /** The run with a shorter way from its step `start` on, by what is found nearby. */
  shortCut(run: readonly Taken[], start: number): readonly Taken[] | undefined {
    const later = new Map(run.slice(start).map(({ from }, i) => [from.join(), start + i]));
    const queue: { readonly state: Words; readonly way: readonly Taken[] }[] = [
      { state: run[start]!.from, way: [] },
    ];
    const seen = new Set([run[start]!.from.join()]);
    let best: readonly Taken[] | undefined;
    let saved = 0;
    for (const { state, way } of queue) {
      if (seen.size > NEARBY_STATES || this.isSpent || start + way.length + 1 >= run.length - saved) break;
      for (const [choice, option] of this.#optionsIn(state).entries()) {
        const longer = [...way, { ...option, choice, from: state }];
        if (this.#goal(option.flags, option.next)) return [...run.slice(0, start), ...longer];
        if ((option.flags & Entry.dead) !== 0) continue;
        const key = option.next.join();
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ state: option.next, way: longer });
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
    return (this.#out.flags[0]! & Entry.dead) === 0
      ? this.#out.words.slice(0, this.#model.system.width)
      : undefined;
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
        next: out.words.slice(i * out.stride, (i + 1) * out.stride),
        flags: out.flags[i]!,
      });
    });
    return options;
  }

  /** What happens, in words that mean the same in every state. */
  #nameOf(event: Event): string {
    const { network, local } = this.#model;
    const call = "call" in event ? JSON.stringify(local.call(event.call)) : "";
    const packet = "packet" in event ? JSON.stringify(network.packet(event.packet)) : "";
    const whose = "node" in event ? event.node : "";
    // Who else has not got a message yet makes it no other.
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

/** The same step; otherwise one that differs in numbers of its messages only, or in how it chooses. */
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
