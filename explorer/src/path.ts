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
import type { NarratedStep, Narrative } from "../../src/report/narrative.js";

export class Path {
  readonly view: TraceView;
  readonly #choices: readonly number[];
  readonly #kept = new Map<number, Snapshot>();

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
      for (const [name, value] of changes)
        if (value === null) values.delete(name);
        else values.set(name, value);
      for (const [name, place] of moves)
        if (place === null) places.delete(name);
        else places.set(name, place);
      if ((i + 1) % KEEP_EVERY === 0)
        this.#kept.set(i + 1, { values: new Map(values), places: new Map(places) });
    }
    return { values, places };
  }
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
  const { choice: _, leadsTo: __, ...told } = choice;
  const step: StepView = { ...told, number: walk.length, moves };
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

/** Converts to the input of the chart and log renderers. */
export function narrativeOf({ view }: Path): Narrative {
  const steps: NarratedStep[] = view.steps.map((step) => ({
    ...step,
    sources: [],
    fault: step.fault === null ? -1 : 0,
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
