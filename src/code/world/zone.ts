/**
 * Which moments are possible, without naming them: difference bounds between the moments at which timers were set and now.
 *
 * A request may take any time, so the moment of a turn is not a number but a variable. What is known are differences: turns come
 * one after the other, a timer fires when its delay has passed and at most so much later, one that is due earlier fires first.
 * Such bounds are kept closed under addition (Dill: Timing assumptions and verification of finite-state concurrent systems,
 * 1989), so a set of them is possible if no moment comes before itself. Moments that no pending timer was set at are forgotten.
 *
 * Always true: `#bounds[i][j]` is the least upper bound of moment i minus moment j; moment 0 is the start of the world, and the
 * last is now.
 */
export class Zone {
  #bounds: number[][];

  constructor(bounds: number[][] = [[0]]) {
    this.#bounds = bounds;
  }

  /** The moment that is now: a number that stays valid until `forget`. */
  get now(): number {
    return this.#bounds.length - 1;
  }

  copy(): Zone {
    return new Zone(this.#bounds.map((row) => [...row]));
  }

  /** Time passes: a new moment, not before the last. */
  elapse(): void {
    const last = this.now;
    const bounds = this.#bounds;
    const row = new Array<number>(last + 2).fill(Infinity);
    row[last + 1] = 0;
    for (const other of bounds) other.push(other[last]!);
    bounds.push(row);
  }

  /** At most so much lies between two moments; false if that is impossible, and then the zone is of no more use. */
  limit(later: number, earlier: number, most: number): boolean {
    const bounds = this.#bounds;
    if (most + bounds[earlier]![later]! < 0) return false; // sound: test/code/world/zone.test.ts
    if (bounds[later]![earlier]! <= most) return true; // sound: test/code/world/zone.test.ts
    for (const row of bounds) {
      const through = row[later]! + most;
      if (through === Infinity) continue; // sound: test/code/world/zone.test.ts
      const next = bounds[earlier]!;
      for (let j = 0; j < row.length; j++) row[j] = Math.min(row[j]!, through + next[j]!);
    }
    return true;
  }

  /** The least and the most that may have passed since the start; Infinity: any time. */
  range(moment: number): readonly [number, number] {
    return [0 - this.#bounds[0]![moment]!, this.#bounds[moment]![0]!];
  }

  /** Keeps the start, now, and what is asked for; answers the new number of each moment. */
  forget(isKept: (moment: number) => boolean): (moment: number) => number {
    const kept: number[] = [];
    for (let moment = 0; moment <= this.now; moment++)
      if (moment === 0 || moment === this.now || isKept(moment)) kept.push(moment); // sound: test/code/world/zone.test.ts
    if (kept.length < this.#bounds.length)
      this.#bounds = kept.map((i) => kept.map((j) => this.#bounds[i]![j]!));
    return (moment) => kept.indexOf(moment);
  }
}
