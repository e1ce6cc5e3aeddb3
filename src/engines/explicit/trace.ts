/**
 * Turns the stored states on the path to a violation into a `Trace`: choices in the fine-grained system.
 *
 * Between two stored states there may be several fine steps (an atomic sequence); a local search through intermediate states
 * finds them. The finished trace is then replayed from the start, and must end in the reported violation. Anything
 * else is an internal error and throws: a trace is never a guess.
 */
import {
  Entry,
  Status,
  Successors,
  faultSite,
  type Model,
  type System,
  type Trace,
  type Words,
} from "../../model/index.js";
import type { Violation } from "./monitor.js";

export function traceTo(violation: Violation, model: Model): Trace {
  const { cause, path, stuckAt } = violation;
  const walk = new Walk(model.steps);
  for (let i = 1; i < path.length; i++) {
    walk.advance({ kind: "state", words: path.state(i) }, `state ${i} of the path`);
  }
  if (cause.kind === "fault" && path.length > 0)
    walk.advance({ kind: "fault", site: cause.site }, `the fault at site ${cause.site}`);
  if (stuckAt)
    walk.advance({ kind: "intermediate", words: stuckAt }, "the deadlock inside an atomic sequence");
  const trace: Trace = {
    choices: walk.choices,
    fault: cause.kind === "fault" ? cause.site : -1,
    loopStart: undefined,
  };
  confirm(trace, violation, model);
  return trace;
}

/**
 * The trace through these nominal states, the initial one first, and then round the cycle forever. In a deadlock a state is
 * followed by itself, without a step. Without a cycle the trace ends.
 */
export function traceThrough(model: Model, path: readonly Words[], cycle: readonly Words[]): Trace {
  const walk = new Walk(model.steps);
  const follow = (words: Words): void => {
    if (!walk.isStuck()) walk.advance({ kind: "state", words }, "the next state of the run");
  };
  path.slice(1).forEach(follow);
  if (cycle.length === 0) return { choices: walk.choices, fault: -1, loopStart: undefined };
  follow(cycle[0]!);
  const loopStart = walk.choices.length;
  [...cycle.slice(1), cycle[0]!].forEach(follow);
  return { choices: walk.choices, fault: -1, loopStart };
}

/** Target of the next stored step. */
type Goal =
  | { readonly kind: "state"; readonly words: Words }
  | { readonly kind: "intermediate"; readonly words: Words }
  | { readonly kind: "fault"; readonly site: number }
  /** A nominal state. */
  | { readonly kind: "any" };

/** A run of the fine-grained system that is prolonged goal by goal. */
class Walk {
  readonly choices: number[] = [];
  readonly #steps: System;
  readonly #offered: Successors;
  #state: Words;

  constructor(steps: System) {
    this.#steps = steps;
    this.#offered = new Successors(steps.width);
    steps.initial(this.#offered);
    this.#state = entryWords(this.#offered, 0);
  }

  advance(goal: Goal, what: string): void {
    if (this.#reachDirectly(goal) || this.#reachThroughIntermediates(goal)) return;
    throw new Error(
      `internal error: after ${this.choices.length} steps the fine-grained system does not lead to ${what}`,
    );
  }

  /** Can nothing move, or does every way through an atomic sequence end in a fault? */
  isStuck(): boolean {
    return this.#wayTo({ kind: "any" }) === undefined;
  }

  /** The common case, without allocation but for the state itself: some runs have millions of steps. */
  #reachDirectly(goal: Goal): boolean {
    this.#expand(this.#state);
    const choice = this.#choiceFor(goal);
    if (choice < 0) return false;
    this.#take(choice);
    return true;
  }

  #reachThroughIntermediates(goal: Goal): boolean {
    const way = this.#wayTo(goal);
    if (!way) return false;
    for (const step of way.slice(0, -1)) this.choices.push(step);
    this.#take(way.at(-1)!);
    return true;
  }

  /** The choices that lead to the goal through intermediate states; the last of them is still on offer. */
  #wayTo(goal: Goal): number[] | undefined {
    const nodes: { words: Words; from: number; choice: number }[] = [
      { words: this.#state, from: -1, choice: -1 },
    ];
    const seen = new Set<string>();
    for (let i = 0; i < nodes.length; i++) {
      this.#expand(nodes[i]!.words);
      const choice = this.#choiceFor(goal);
      if (choice >= 0) {
        const way: number[] = [choice];
        for (let at = i; at > 0; at = nodes[at]!.from) way.push(nodes[at]!.choice);
        return way.reverse();
      }
      for (let entry = 0; entry < this.#offered.count; entry++) {
        const flags = this.#offered.flags[entry]!;
        if ((flags & Entry.intermediate) === 0 || (flags & Entry.dead) !== 0) continue;
        const words = entryWords(this.#offered, entry);
        const key = words.join(",");
        if (seen.has(key)) continue;
        seen.add(key);
        nodes.push({ words, from: i, choice: entry });
      }
    }
    return undefined;
  }

  #expand(state: Words): void {
    const { width } = this.#steps;
    this.#offered.clear();
    if (this.#offered.stride < width) this.#offered.widen(width);
    this.#steps.successors(extended(state, width), 0, this.#offered);
  }

  #take(choice: number): void {
    this.choices.push(choice);
    if ((this.#offered.flags[choice]! & Entry.dead) === 0) this.#state = entryWords(this.#offered, choice);
  }

  /**
   * The offered entry that is the goal, or -1. Prefers an entry that also agrees in the words that do not distinguish states,
   * since later steps may depend on them.
   */
  #choiceFor(goal: Goal): number {
    let choice = -1;
    for (let entry = 0; entry < this.#offered.count; entry++) {
      const flags = this.#offered.flags[entry]!;
      if (goal.kind === "fault") {
        if (faultSite(flags) === goal.site) return entry;
        continue;
      }
      if ((flags & Entry.dead) !== 0) continue;
      if (goal.kind === "any") {
        if ((flags & Entry.intermediate) === 0) return entry;
        continue;
      }
      if ((goal.kind === "intermediate") !== ((flags & Entry.intermediate) !== 0)) continue;
      if (!agrees(this.#offered, entry, goal.words, this.#steps.compareFrom)) continue;
      if (agrees(this.#offered, entry, goal.words, 0)) return entry;
      if (choice < 0) choice = entry;
    }
    return choice;
  }
}

/** Runs the trace from the start and checks that it ends in the violation. */
function confirm(trace: Trace, violation: Violation, model: Model): void {
  const { steps } = model;
  const { cause } = violation;
  const out = new Successors(steps.width);
  steps.initial(out);
  let state = entryWords(out, 0);
  let flags = out.flags[0]!;
  trace.choices.forEach((choice, index) => {
    state = extended(state, steps.width);
    out.clear();
    if (out.stride < steps.width) out.widen(steps.width);
    steps.successors(state, 0, out);
    const isEarlyEnd = (flags & Entry.dead) !== 0;
    if (choice >= out.count || isEarlyEnd)
      throw new Error(`internal error: the trace does not replay: step ${index} has no choice ${choice}`);
    flags = out.flags[choice]!;
    if ((flags & Entry.dead) === 0) state = entryWords(out, choice);
  });
  if (!shows(cause, flags, extended(state, steps.width), model))
    throw new Error(
      `internal error: the trace of ${trace.choices.length} steps does not end in the ${cause.kind} that was found`,
    );
}

function shows(cause: Violation["cause"], flags: number, state: Words, model: Model): boolean {
  switch (cause.kind) {
    case "fault":
      return faultSite(flags) === cause.site;
    case "invariant":
      return !model.holds(cause.index, state, 0);
    case "deadlock": {
      const out = new Successors(model.steps.width);
      model.steps.successors(state, 0, out);
      return out.count === 0 && (model.steps.status(state, 0) & Status.validEnd) === 0;
    }
  }
}

const entryWords = (out: Successors, entry: number): Words =>
  out.words.slice(entry * out.stride, (entry + 1) * out.stride);

/** Is the entry that state? Surplus words of the longer one must be zero. */
function agrees(out: Successors, entry: number, words: Words, compareFrom: number): boolean {
  const at = entry * out.stride;
  const shared = Math.min(out.stride, words.length);
  for (let k = compareFrom; k < shared; k++) if (out.words[at + k] !== words[k]) return false;
  for (let k = shared; k < out.stride; k++) if (out.words[at + k] !== 0) return false;
  for (let k = shared; k < words.length; k++) if (words[k] !== 0) return false;
  return true;
}

function extended(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}
