/** Violations found before and after a search on disk was resumed, in a form that a manifest can hold. */
import type { Words } from "../../../model/index.js";
import type { Path, Violation } from "../monitor.js";
import type { DiskSighting } from "./folder.js";

/** Earlier sightings together with the results of this run, whose paths are `NumberedPath`s. */
export function sightingsOf(
  before: readonly DiskSighting[],
  violations: readonly Violation[],
): readonly DiskSighting[] {
  const all = new Map<string, DiskSighting>();
  for (const sighting of before) all.set(JSON.stringify(sighting.cause), sighting);
  for (const { cause, path, stuckAt, occurrences } of violations) {
    const key = JSON.stringify(cause);
    const known = all.get(key);
    all.set(
      key,
      known
        ? { ...known, occurrences: known.occurrences + occurrences }
        : { cause, path: (path as NumberedPath).ids, stuckAt: stuckAt && [...stuckAt], occurrences },
    );
  }
  return [...all.values()];
}

/** The files are closed when a trace is made: the states are fetched now. */
export function violationOf(
  { cause, path: ids, stuckAt, occurrences }: DiskSighting,
  stateOf: (id: number) => Words,
): Violation {
  const states = ids.map(stateOf);
  const path: Path = { length: states.length, state: (index) => states[index]! };
  return { cause, path, stuckAt: stuckAt && Int32Array.from(stuckAt), occurrences };
}

/** Counts violations that are errors; violations of sought properties are not. */
export function countErrors(sightings: readonly DiskSighting[], sought: readonly number[] = []): number {
  let errors = 0;
  for (const { cause, occurrences } of sightings)
    if (cause.kind !== "invariant" || !sought.includes(cause.index)) errors += occurrences;
  return errors;
}

/** A path that can be written to a manifest. */
export class NumberedPath implements Path {
  readonly ids: readonly number[];
  readonly #stateOf: (id: number) => Words;

  constructor(ids: readonly number[], stateOf: (id: number) => Words) {
    this.ids = ids;
    this.#stateOf = stateOf;
  }

  get length(): number {
    return this.ids.length;
  }

  state(index: number): Words {
    return this.#stateOf(this.ids[index]!);
  }
}
