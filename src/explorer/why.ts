/**
 * Helps to understand a counterexample: finds another one, and the nearest execution that does not fail.
 *
 * Both look at states of `model.steps`, up to a limit, and say so if the limit ends them. They judge what a state or a step shows:
 * assertions, invariants, deadlocks, run-time errors. Properties of infinite executions are not judged.
 */
import { formatSchedule, type Model } from "../model/index.js";
import { lastOf, nth } from "../model/known.js";
import type { Ending } from "../session/replay/ending.js";
import type { AnotherView, PassingView } from "./protocol.js";
import { firstState, keyOf, reachedFrom, statesAlong, type Reached } from "./reach.js";

/** A shortest counterexample unlike the known ones; an error of another kind is preferred, then the same error in another state. */
export function another(
  model: Model,
  known: readonly (readonly number[])[],
  most = MOST_STATES,
): AnotherView {
  const ends = known.map((choices) => endOf(model, choices));
  const errors = new Set(ends.map(({ error }) => error));
  const states = new Set(ends.map(({ state }) => state));
  const ways = new Set(ends.map(({ way }) => way));
  const first = firstState(model);
  const nodes: Node[] = [{ words: first, key: keyOf(first, model.steps), parent: -1, choice: -1 }];
  const seen = new Set(nodes.map(({ key }) => key));
  const found: Partial<Record<"state" | "way", readonly [node: number, choice: number, ending: Ending]>> = {};
  const clock = new Clock(most);
  for (let index = 0; index < nodes.length && !clock.isSpent(nodes.length); index++)
    for (const next of reachedFrom(model, nth(nodes, index).words)) {
      const { choice, words, key, ending } = next;
      if (ending.kind === "failed") {
        const end = named(ending, key, nth(nodes, index).key, choice);
        if (!errors.has(end.error)) return answer(nodes, index, choice, "error", ending);
        if (!states.has(end.state)) found.state ??= [index, choice, ending];
        else if (!ways.has(end.way)) found.way ??= [index, choice, ending];
      } else if (!seen.has(key)) {
        seen.add(key);
        nodes.push({ words, key, parent: index, choice });
      }
    }
  if (found.state) return answer(nodes, found.state[0], found.state[1], "state", found.state[2]);
  if (found.way) return answer(nodes, found.way[0], found.way[1], "way", found.way[2]);
  // sound: test/explorer/why.test.ts
  return { kind: "none", states: nodes.length, isComplete: !clock.hasEnded };
}

interface Node {
  readonly words: Reached["words"];
  readonly key: string;
  readonly parent: number;
  readonly choice: number;
}

/** What distinguishes counterexamples. */
interface End {
  readonly error: string;
  readonly state: string;
  /** The last step, from its state. */
  readonly way: string;
}

function endOf(model: Model, choices: readonly number[]): End {
  const along = statesAlong(model, choices);
  const { key, ending, choice } = lastOf(along);
  return named(ending, key, along.at(-2)?.key ?? "", choice);
}

function named(ending: Ending, state: string, before: string, choice: number): End {
  const error = ending.kind === "failed" ? `${ending.property.name}: ${ending.reason}` : "";
  return { error, state: `${error} in ${state}`, way: `${before} by ${choice}` };
}

function answer(
  nodes: readonly Node[],
  from: number,
  choice: number,
  differs: "error" | "state" | "way",
  ending: Ending,
): AnotherView {
  const choices = [choice];
  for (let index = from; index > 0; index = nth(nodes, index).parent)
    choices.unshift(nth(nodes, index).choice);
  const text = ending.kind === "failed" ? ending.reason : "";
  return { kind: "found", schedule: formatSchedule(choices), length: choices.length, differs, text };
}

/**
 * The execution that shares most steps with a failing one and does not fail: it comes to a valid end or into a loop. After the
 * first step that differs it repeats steps of the failing one where it can.
 */
export function passing(model: Model, failing: readonly number[], most = MOST_STATES): PassingView {
  const along = statesAlong(model, failing);
  const wanted = failing.map((choice, index) => stepName(model, nth(along, index).words, choice));
  const search = new PassingSearch(model, wanted, most);
  for (let shared = failing.length - 1; shared >= 0; shared--) {
    const state = nth(along, shared);
    const before = along.slice(0, shared + 1).map(({ key }) => key);
    const others = reachedFrom(model, state.words).filter(({ choice }) => choice !== failing[shared]);
    for (const next of search.inOrder(state.words, others, shared)) {
      const rest = search.from(next, before, shared);
      if (rest)
        return {
          kind: "found",
          schedule: formatSchedule([...failing.slice(0, shared), ...rest.choices]),
          shared,
          ends: rest.ends,
        };
    }
    search.failing.add(state.key);
  }
  return { kind: "none", states: search.visited, isComplete: !search.hasEnded };
}

type Passing = PassingView & { readonly kind: "found" };

interface Rest {
  readonly choices: readonly number[];
  readonly ends: Passing["ends"];
}

const stepName = (model: Model, words: Reached["words"], choice: number): string => {
  const { participants, action } = model.steps.describe(words, 0, choice);
  return `${participants.join("+")}: ${action}`;
};

/** Depth-first, with one set of states from which every execution fails. */
class PassingSearch {
  readonly #model: Model;
  readonly #wanted: readonly string[];
  readonly #clock: Clock;
  readonly failing = new Set<string>();
  visited = 0;

  constructor(model: Model, wanted: readonly string[], most: number) {
    this.#clock = new Clock(most);
    this.#model = model;
    this.#wanted = wanted;
  }

  get hasEnded(): boolean {
    return this.#clock.hasEnded;
  }

  /** Steps of the failing execution that are not yet repeated come first, the earliest before the others. */
  inOrder(words: Reached["words"], reached: readonly Reached[], shared: number): Reached[] {
    const rank = ({ choice }: Reached): number => {
      const at = this.#wanted.indexOf(stepName(this.#model, words, choice), shared);
      return at < 0 ? Infinity : at;
    };
    const ranks = new Map(reached.map((next) => [next, rank(next)]));
    return reached.toSorted((a, b) => Math.sign((ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)) || 0);
  }

  from(start: Reached, before: readonly string[], shared: number): Rest | undefined {
    const path = new Set(before);
    const stack: { readonly at: Reached; readonly todo: Reached[] }[] = [];
    const choices = (): number[] => stack.map(({ at }) => at.choice);
    const enter = (next: Reached): Rest | undefined => {
      if (next.ending.kind === "failed" || this.failing.has(next.key)) return undefined;
      if (next.ending.kind === "ended") return { choices: [...choices(), next.choice], ends: "end" };
      if (path.has(next.key)) return { choices: [...choices(), next.choice], ends: "loop" };
      this.visited++;
      path.add(next.key);
      const open = reachedFrom(this.#model, next.words);
      stack.push({ at: next, todo: this.inOrder(next.words, open, shared + stack.length).toReversed() });
      return stack.length > LONGEST || this.#clock.isSpent(this.visited)
        ? { choices: choices(), ends: "open" }
        : undefined;
    };
    let rest = enter(start);
    while (!rest && stack.length > 0) {
      const { at, todo } = lastOf(stack);
      const next = todo.pop();
      if (next) rest = enter(next);
      else {
        stack.pop();
        path.delete(at.key);
        this.failing.add(at.key);
      }
    }
    return rest;
  }
}

/** A longer execution that has not failed is shown as it is. */
const LONGEST = 300;

/** Ends a search that keeps its user waiting. */
class Clock {
  readonly #due = performance.now() + LONGEST_MS;
  readonly #most: number;
  hasEnded = false;

  constructor(most: number) {
    this.#most = most;
  }

  isSpent(states: number): boolean {
    this.hasEnded ||= states > this.#most || performance.now() > this.#due;
    return this.hasEnded;
  }
}

const MOST_STATES = 50_000;
const LONGEST_MS = 6000;
