/**
 * Clock of a world whose requests take any time: the timers that may fire next, and possible clock readings.
 *
 * Timers fire as in Node: timers with equal delays in the order of their creation, others by deadline, at most
 * `latenessMs` late; equal deadlines in either order. No time passes during a turn.
 */
import type { Pending } from "./world.js";
import { Zone } from "./zone.js";
import { nth } from "../../model/known.js";

/** Reading of an unbounded clock: later than any deadline that a test is likely to compare with. */
export const farMs = 86_400_000;

interface Timer {
  readonly item: Pending;
  readonly delayMs: number;
  moment: number;
}

export class Moments {
  readonly #latenessMs: number;
  #zone = new Zone();
  #timers: Timer[] = [];
  /** The timer of this turn; due timers with the same delay follow immediately. */
  #fired: Timer | undefined;

  constructor(latenessMs: number) {
    this.#latenessMs = latenessMs;
  }

  /** Lower bound of the time since the start. */
  get earliest(): number {
    return this.#zone.range(this.#zone.now)[0];
  }

  /** Adds a timer that starts now. */
  set(item: Pending, delayMs: number): void {
    this.#timers.push({ item, delayMs, moment: this.#zone.now });
  }

  remove(item: Pending): void {
    const index = this.#timers.findIndex((timer) => timer.item === item);
    if (index >= 0) this.#timers.splice(index, 1);
  }

  /** Whether deadlines set at different moments must be compared. */
  get isCompared(): boolean {
    return this.#timers.some(({ moment }) => moment !== nth(this.#timers, 0).moment); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  /** Whether a timer was set after one of the same turn with a later deadline, which a slow turn lets fire first. */
  get isOvertaken(): boolean {
    return this.#timers.some(({ item, moment, delayMs }, index) =>
      this.#timers.some(
        (later, at) =>
          at > index &&
          later.moment === moment &&
          later.delayMs < delayMs &&
          item.due !== undefined &&
          later.item.due !== undefined,
      ),
    );
  }

  /** Timers that may fire next, most likely first. */
  next(isTimer: (item: Pending) => boolean): Pending[] {
    const first = this.#timers
      .filter((timer) => isTimer(timer.item) && this.#isFirstOfDelay(timer)) // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
      .sort((a, b) => this.#dueFrom(a) - this.#dueFrom(b));
    return first.filter((timer) => this.#after(timer) !== undefined).map(({ item }) => item); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  /** Begins a turn of a timer or of another item. */
  begin(item: Pending): void {
    const timer = this.#timers.find((other) => other.item === item);
    const zone = timer && this.#after(timer);
    if (zone) this.#zone = zone;
    else {
      this.#zone.elapse();
      this.#keepLate(this.#zone); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    }
    this.#fired = zone && timer;
    this.remove(item);
    const renumbered = this.#zone.forget((moment) => this.#timers.some((other) => other.moment === moment));
    for (const other of this.#timers) other.moment = renumbered(other.moment);
  }

  /** Possible clock readings: the earliest and, if different, the latest. */
  readings(): readonly number[] {
    const [least, most] = this.#zone.range(this.#zone.now);
    if (least === most) return [least]; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    return [least, most === Infinity ? least + farMs : most]; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  fix(reading: number): void {
    const { now } = this.#zone;
    this.#zone.limit(now, 0, reading); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    this.#zone.limit(0, now, -reading); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  #isFirstOfDelay({ delayMs, item }: Timer): boolean {
    return this.#timers.find((other) => other.delayMs === delayMs)?.item === item; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  #dueFrom({ moment, delayMs }: Timer): number {
    return this.#zone.range(moment)[0] + delayMs;
  }

  /** The zone after `timer` fires; undefined if another timer must fire first. */
  #after(timer: Timer): Zone | undefined {
    return this.#inOrder(timer) ?? this.#inOneGo(timer);
  }

  #inOrder(timer: Timer): Zone | undefined {
    const zone = this.#zone.copy();
    for (const { item, moment, delayMs } of this.#timers)
      if (item.due !== undefined && !zone.limit(timer.moment, moment, delayMs - timer.delayMs))
        return undefined; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    zone.elapse();
    if (!zone.limit(timer.moment, zone.now, -timer.delayMs)) return undefined; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    return this.#keepLate(zone) ? zone : undefined;
  }

  /** Node runs all due timers of one delay before it considers others with earlier deadlines. */
  #inOneGo(timer: Timer): Zone | undefined {
    if (this.#fired?.delayMs !== timer.delayMs) return undefined; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    const zone = this.#zone.copy();
    const before = zone.now;
    if (!zone.limit(timer.moment, before, -timer.delayMs)) return undefined; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    zone.elapse();
    zone.limit(zone.now, before, 0); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    return this.#keepLate(zone) ? zone : undefined;
  }

  /** Bounds the lateness of every pending timer. */
  #keepLate(zone: Zone): boolean {
    return this.#timers.every(({ moment, delayMs }) =>
      zone.limit(zone.now, moment, delayMs + this.#latenessMs),
    ); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }
}
