/**
 * Labelled transition systems: graphs that are known by their visible actions.
 *
 * Transitions are sorted by source: the transitions of state `s` are `firsts[s] … firsts[s + 1] - 1`, transition `t` has the label
 * `labels[actions[t]]` and leads to `targets[t]`. Label 0 is τ, the internal action.
 *
 * Always true: the error state, if there is one, has exactly one transition, `ERROR` to itself, and no other state has a
 * transition of that label. So every relation tells it from a deadlock without a special case. Successful termination is
 * a transition `√` to itself, for the same reason.
 */
import type { Span } from "./diagnostic.js";

export interface Lts {
  readonly states: number;
  readonly initial: readonly number[];
  /** The error state, or -1. */
  readonly error: number;
  /** By number; different numbers have different names. */
  readonly labels: readonly string[];
  readonly firsts: Int32Array;
  readonly actions: Int32Array;
  readonly targets: Int32Array;
  /** Positions of each transition in its source; absent: unknown. */
  readonly origins?: Origins;
  /** What is seen of the states themselves; absent: nothing. */
  readonly observed?: Observed;
}

/** By state the number of its observation, which `names` describes. */
export interface Observed {
  readonly numbers: Int32Array;
  readonly names: readonly string[];
  /** Is the label an action with the environment? */
  isInteraction(label: string): boolean;
}

/** Transitions share positions: transition `t` comes from `spansOf(numbers[t])`. */
export interface Origins {
  readonly numbers: Int32Array;
  spansOf(number: number): readonly Span[];
}

/** Systems that run together: each vector is a step of all parts that it names, at once. τ of a part is a separate step. */
export interface LtsNetwork {
  readonly name: string;
  readonly parts: readonly NetworkPart[];
  readonly vectors: readonly SyncVector[];
  /** Of the whole, for messages. */
  readonly span: Span;
}

export interface NetworkPart {
  readonly name: string;
  readonly lts: Lts;
  /** Names of its states; absent: their numbers. */
  readonly states?: readonly string[];
  /** The participant that it belongs to, in traces; empty: none; absent: itself. */
  readonly owner?: string;
  /** A part that watches the others: entering `state` violates the property, and the run goes on. */
  readonly watches?: { readonly state: number; readonly property: string; readonly span: Span };
}

export interface SyncVector {
  readonly label: string;
  /** By part: its label in the step; undefined: idle. At least one is not. */
  readonly labels: readonly (string | undefined)[];
}

/** A system alone: each label is a step. */
export const networkOf = (name: string, lts: Lts, span: Span): LtsNetwork => ({
  name,
  parts: [{ name, lts }],
  vectors: lts.labels.slice(1).map((label) => ({ label, labels: [label] })),
  span,
});

/** The number and the name of the internal action. */
export const TAU = 0;
export const TAU_NAME = "tau";
/** The only label of the error state. */
export const ERROR_NAME = "ERROR";
/** The label by which a state without successors that is a valid end leads to itself. */
export const END_NAME = "√";

export const transitionCount = ({ targets }: Lts): number => targets.length;

/** Numbers labels in the order in which they are found, after τ. */
export class LabelNumbers {
  readonly names: string[] = [TAU_NAME];
  readonly #numbers = new Map([[TAU_NAME, TAU]]);

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.length;
    this.#numbers.set(name, number);
    this.names.push(name);
    return number;
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}

/** Collects transitions in any order. */
export class LtsBuilder {
  readonly labels = new LabelNumbers();
  #sources = new Int32Array(64);
  #actions = new Int32Array(64);
  #targets = new Int32Array(64);
  #count = 0;

  get transitions(): number {
    return this.#count;
  }

  add(source: number, action: number, target: number): void {
    if (this.#count === this.#sources.length) {
      this.#sources = doubled(this.#sources);
      this.#actions = doubled(this.#actions);
      this.#targets = doubled(this.#targets);
    }
    this.#sources[this.#count] = source;
    this.#actions[this.#count] = action;
    this.#targets[this.#count++] = target;
  }

  finish(states: number, initial: readonly number[], error = -1): Lts {
    return this.finishWithOrder(states, initial, error).lts;
  }

  /** Keeps the order of each state's transitions; the `i`-th added is transition `order[i]`. */
  finishWithOrder(
    states: number,
    initial: readonly number[],
    error = -1,
  ): { readonly lts: Lts; readonly order: Int32Array } {
    const count = this.#count;
    const { firsts, order } = bySource(this.#sources.subarray(0, count), states);
    const actions = new Int32Array(count);
    const targets = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      actions[order[i]] = this.#actions[i];
      targets[order[i]] = this.#targets[i];
    }
    return { lts: { states, initial, error, labels: this.labels.names, firsts, actions, targets }, order };
  }
}

/** A stable sort by source: transition `i` goes to position `order[i]`. */
export function bySource(
  sources: Int32Array,
  states: number,
): { readonly firsts: Int32Array; readonly order: Int32Array } {
  const firsts = new Int32Array(states + 1);
  for (let i = 0; i < sources.length; i++) firsts[sources[i] + 1]++;
  for (let s = 0; s < states; s++) firsts[s + 1] += firsts[s];
  const next = firsts.slice(0, states);
  const order = new Int32Array(sources.length);
  for (let i = 0; i < sources.length; i++) order[i] = next[sources[i]]++;
  return { firsts, order };
}

/** Both systems side by side, with one numbering of labels; the states of the second follow the first's. */
export function disjointUnion(first: Lts, second: Lts): Lts {
  const labels = new LabelNumbers();
  const numbers = [first, second].map(({ labels: names }) =>
    Int32Array.from(names, (name) => labels.of(name)),
  );
  const count = transitionCount(first) + transitionCount(second);
  const firsts = new Int32Array(first.states + second.states + 1);
  const actions = new Int32Array(count);
  const targets = new Int32Array(count);
  let at = 0;
  for (const [index, part] of [first, second].entries()) {
    const shift = index === 0 ? 0 : first.states;
    for (let s = 0; s < part.states; s++) {
      for (let t = part.firsts[s]; t < part.firsts[s + 1]; t++, at++) {
        actions[at] = numbers[index][part.actions[t]];
        targets[at] = part.targets[t] + shift;
      }
      firsts[shift + s + 1] = at;
    }
  }
  const initial = [...first.initial, ...second.initial.map((state) => state + first.states)];
  const observed = first.observed && second.observed && joined(first.observed, second.observed);
  // Two error states would violate the invariant of `Lts`; `ERROR` tells both from all other states.
  return {
    states: first.states + second.states,
    initial,
    error: -1,
    labels: labels.names,
    firsts,
    actions,
    targets,
    ...(observed ? { observed } : {}),
  };
}

/** Observations of equal names are equal. */
function joined(first: Observed, second: Observed): Observed {
  const names = [...new Set([...first.names, ...second.names])];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const renumbered = (own: Observed): number[] => {
    const map = own.names.map((name) => numbers.get(name) ?? 0);
    return Array.from(own.numbers, (number) => map[number]);
  };
  return {
    numbers: Int32Array.from([...renumbered(first), ...renumbered(second)]),
    names,
    isInteraction: (label) => first.isInteraction(label) || second.isInteraction(label),
  };
}

/** Hides every label that is not visible. `√` and `ERROR` stay. */
export function hide(lts: Lts, isVisible: (label: string) => boolean): Lts {
  const labels = new LabelNumbers();
  const numbers = Int32Array.from(lts.labels, (name) =>
    name === ERROR_NAME || name === END_NAME || isVisible(name) ? labels.of(name) : TAU,
  );
  return { ...lts, labels: labels.names, actions: lts.actions.map((action) => numbers[action]) };
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
