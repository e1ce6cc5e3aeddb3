/**
 * A run with random access: computes values and locations after any step from the changes since the last kept state.
 * Position 0 is the first state, position `n` the state after the n-th listed step.
 */
import { formatSchedule, parseSchedule } from "../../src/model/trace.js";
import type {
  ChoiceView,
  EndingView,
  Place,
  StepView,
  TraceView,
  Value,
  WalkView,
} from "../../src/explorer/protocol.js";
import { parseExpression, vocabularyOf, type Values, type Vocabulary } from "./expression.js";
import type { NarratedStep, Narrative } from "../../src/report/narrative.js";

export class Path {
  readonly view: TraceView;
  readonly #choices: readonly number[];
  readonly #kept = new Map<number, Snapshot>();
  #vocabulary: Vocabulary | undefined;
  #changing: readonly string[] | undefined;

  constructor(view: TraceView) {
    this.view = view;
    this.#choices = parseSchedule(view.schedule)?.choices ?? [];
    this.#kept.set(0, { values: new Map(view.initial), places: new Map(view.places) });
  }

  get steps(): readonly StepView[] {
    return this.view.steps;
  }

  get last(): number {
    return this.view.steps.length;
  }

  /** Position of the listed step with this number, or of the nearest before it. */
  positionOf(number: number): number {
    let low = 0;
    let high = this.last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.steps[middle - 1]!.number <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Some steps are counted and not listed. */
  get hasGap(): boolean {
    return this.last < this.view.length;
  }

  /** Is the step with this number listed? The first state, 0, always is. */
  lists(number: number): boolean {
    return this.numberAt(this.positionOf(number)) === number;
  }

  /** Number of the run's steps before a position. */
  numberAt(position: number): number {
    return position === 0 ? 0 : this.steps[position - 1]!.number;
  }

  /** The schedule that leads to a position. */
  scheduleTo(position: number): string {
    return formatSchedule(this.#choices.slice(0, this.numberAt(position)));
  }

  valuesAt(position: number): ReadonlyMap<string, string> {
    return this.#at(position).values;
  }

  /** Values at the positions `from` to `to - 1`. */
  statesBetween(from: number, to: number): ReadonlyMap<number, Values> {
    const states = new Map<number, Values>();
    let values = new Map(this.valuesAt(from));
    for (let position = from; position < to; position++) {
      if (position > from) values = applied(new Map(values), this.steps[position - 1]!.changes);
      states.set(position, values);
    }
    return states;
  }

  /** The value of an expression at every position; undefined where it has none. */
  watch(source: string): readonly (string | undefined)[] {
    const parsed = parseExpression(source, this.vocabulary);
    if ("problem" in parsed) return [];
    const values = new Map(this.valuesAt(0));
    const first = parsed.expression.evaluate(values);
    return [first, ...this.steps.map(({ changes }) => parsed.expression.evaluate(applied(values, changes)))];
  }

  /** Names and values that occur anywhere on the path. */
  get vocabulary(): Vocabulary {
    return (this.#vocabulary ??= vocabularyOf([
      this.valuesAt(0),
      ...this.steps.map(({ changes }) => new Map(changes.filter((change) => change[1] !== null) as Value[])),
    ]));
  }

  /** Variables whose values differ between positions, in the order of the state. */
  get changingNames(): readonly string[] {
    if (this.#changing) return this.#changing;
    const changed = new Set(this.steps.flatMap(({ changes }) => changes.map(([name]) => name)));
    return (this.#changing = [...this.vocabulary.names].filter((name) => changed.has(name)));
  }

  /** What was judged in the state at a position. */
  truthsAt(position: number): readonly { readonly name: string; readonly isTrue: boolean }[] {
    return (this.view.truths ?? []).map(({ name, isTrueAtFirst, flips }) => {
      const count = flips.findIndex((flip) => flip > position);
      return { name, isTrue: isTrueAtFirst !== ((count < 0 ? flips.length : count) % 2 === 1) };
    });
  }

  placesAt(position: number): ReadonlyMap<string, Place> {
    return this.#at(position).places;
  }

  #at(position: number): Snapshot {
    let start = position;
    while (!this.#kept.has(start)) start--;
    const from = this.#kept.get(start)!;
    if (start === position) return from;
    const values = new Map(from.values);
    const places = new Map(from.places);
    for (let i = start; i < position; i++) {
      const { changes, moves } = this.steps[i]!;
      applied(values, changes);
      for (const [name, place] of moves)
        if (place === null) places.delete(name);
        else places.set(name, place);
      if ((i + 1) % KEEP_EVERY === 0)
        this.#kept.set(i + 1, { values: new Map(values), places: new Map(places) });
    }
    return { values, places };
  }
}

function applied(values: Map<string, string>, changes: StepView["changes"]): Map<string, string> {
  for (const [name, value] of changes)
    if (value === null) values.delete(name);
    else values.set(name, value);
  return values;
}

interface Snapshot {
  readonly values: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, Place>;
}

const KEEP_EVERY = 200;

/** Extends the path by one step to the state that the walk now shows. */
export function extended(path: Path, choice: ChoiceView, walk: WalkView): Path {
  const before = path.placesAt(path.last);
  const after = new Map(walk.places);
  const moves: [string, Place | null][] = walk.places
    .filter(([name, place]) => before.get(name)?.join() !== place.join())
    .map(([name, place]) => [name, place]);
  for (const name of before.keys()) if (!after.has(name)) moves.push([name, null]);
  const { choice: _, leadsTo: __, ...described } = choice;
  const step: StepView = { ...described, number: walk.length, moves };
  return new Path({
    ...path.view,
    schedule: walk.schedule,
    length: walk.length,
    loopStart: null,
    steps: [...path.steps, step],
    ending: walk.ending,
  });
}

/** The path up to a position. */
export function truncated(path: Path, position: number, ending: EndingView): Path {
  return new Path({
    ...path.view,
    schedule: path.scheduleTo(position),
    length: path.numberAt(position),
    loopStart: null,
    steps: path.steps.slice(0, position),
    ending,
  });
}

/** The last step of a run whose last state is an error: a violated invariant, a deadlock. */
export const isWhereItFails = ({ ending, length }: TraceView, number: number): boolean =>
  ending.kind === "failed" && number === length;

/** Converts to the input of the chart and log renderers. */
export function narrativeOf({ view }: Path): Narrative {
  const steps: NarratedStep[] = view.steps.map((step) => ({
    ...step,
    sources: [],
    fault: step.fault === null && !isWhereItFails(view, step.number) ? -1 : 0,
    changes: new Map(step.changes),
  }));
  const shown = (values: readonly Value[]): { name: string; value: string }[] =>
    values.map(([name, value]) => ({ name, value }));
  return {
    schedule: view.schedule,
    length: view.length,
    initial: shown(view.initial),
    steps,
    fault: -1,
    loopStart: view.loopStart ?? undefined,
    final: { words: new Int32Array(0), values: [], processes: [] },
  };
}

/** Is there anything to draw in lanes: messages, locations of processes, steps of several participants? */
export const hasLanes = ({ view, steps }: Path): boolean =>
  view.places.length > 0 ||
  steps.some(({ messages, participants }) => messages.length > 0 || participants.length > 1);

export const hasMessages = ({ steps }: Path): boolean => steps.some(({ messages }) => messages.length > 0);

/** All participating processes, in the order of their numbers. */
export function processesOf(path: Path): string[] {
  const names = new Set(path.view.places.map(([name]) => name));
  for (const { participants, moves } of path.steps) {
    for (const name of participants) names.add(name);
    for (const [name] of moves) names.add(name);
  }
  const numberOf = (name: string): number => Number(/\[(\d+)\]$/.exec(name)?.[1] ?? Infinity);
  return [...names].sort((a, b) => (numberOf(a) === numberOf(b) ? 0 : numberOf(a) - numberOf(b)));
}
