/**
 * A zone: difference bounds between the moments at which timers were set and the present.
 *
 * A request may take any time, so the moment of a turn is a variable. Its constraints are differences: turns are
 * ordered, a timer fires after its delay and at most its lateness later, the earlier deadline fires first. Bounds are
 * kept closed under addition (Dill: Timing assumptions and verification of finite-state concurrent systems, 1989), so a
 * zone is empty if and only if some moment precedes itself. Moments without pending timers are removed.
 *
 * Always true: `#bounds[i][j]` is the least upper bound of moment i minus moment j; moment 0 is the start of the world,
 * the last moment is the present.
 */
import { nth } from "../../model/known.js";
export class Zone {
  #bounds: number[][];

  constructor(bounds: number[][] = [[0]]) {
    this.#bounds = bounds;
  }

  /** Index of the present, valid until `forget`. */
  get now(): number {
    return this.#bounds.length - 1;
  }

  copy(): Zone {
    return new Zone(this.#bounds.map((row) => [...row]));
  }

  /** Lets time pass: adds a moment that is not before the last. */
  elapse(): void {
    const last = this.now;
    const bounds = this.#bounds;
    const row = new Array<number>(last + 2).fill(Infinity);
    row[last + 1] = 0;
    for (const other of bounds) other.push(nth(other, last));
    bounds.push(row);
  }

  /** Bounds `later` minus `earlier` by `most`; false if the zone becomes empty, after which it must not be used. */
  limit(later: number, earlier: number, most: number): boolean {
    const bounds = this.#bounds;
    if (most + nth(nth(bounds, earlier), later) < 0) return false; // sound: test/code/world/zone.test.ts
    if (nth(nth(bounds, later), earlier) <= most) return true; // sound: test/code/world/zone.test.ts
    for (const row of bounds) {
      const through = nth(row, later) + most;
      if (through === Infinity) continue; // sound: test/code/world/zone.test.ts
      const next = nth(bounds, earlier);
      for (let j = 0; j < row.length; j++) row[j] = Math.min(nth(row, j), through + nth(next, j));
    }
    return true;
  }

  /** Bounds of the time since the start; Infinity: unbounded. */
  range(moment: number): readonly [number, number] {
    return [0 - nth(nth(this.#bounds, 0), moment), nth(nth(this.#bounds, moment), 0)];
  }

  /** Keeps the start, the present and the selected moments; returns the mapping to new indices. */
  forget(isKept: (moment: number) => boolean): (moment: number) => number {
    const kept: number[] = [];
    for (let moment = 0; moment <= this.now; moment++)
      if (moment === 0 || moment === this.now || isKept(moment)) kept.push(moment); // sound: test/code/world/zone.test.ts
    if (kept.length < this.#bounds.length)
      this.#bounds = kept.map((i) => kept.map((j) => nth(nth(this.#bounds, i), j)));
    return (moment) => kept.indexOf(moment);
  }
}
