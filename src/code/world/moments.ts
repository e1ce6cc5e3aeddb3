/**
 * The clock of a world whose requests take any time: which timer may fire next, and what the clock may say.
 *
 * Timers fire as Node fires them: those of one delay in the order of their setting, others by deadline, at most `latenessMs` late;
 * of two with one deadline either. While one turn lasts no time passes.
 */
import type { Pending } from "./world.js";
import { Zone } from "./zone.js";

/** What is said of the clock when nothing bounds it: longer than any deadline that a test is likely to compare with. */
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
  /** The timer that this turn is of; those of its delay that are due follow it at once. */
  #fired: Timer | undefined;

  constructor(latenessMs: number) {
    this.#latenessMs = latenessMs;
  }

  /** The least that may have passed since the start. */
  get earliest(): number {
    return this.#zone.range(this.#zone.now)[0];
  }

  /** Something that is due after so long, from now on. */
  set(item: Pending, delayMs: number): void {
    this.#timers.push({ item, delayMs, moment: this.#zone.now });
  }

  remove(item: Pending): void {
    const index = this.#timers.findIndex((timer) => timer.item === item);
    if (index >= 0) this.#timers.splice(index, 1);
  }

  /** Do deadlines that were set at different moments have to be compared? */
  get isCompared(): boolean {
    return this.#timers.some(({ moment }) => moment !== this.#timers[0]!.moment); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  /** Was a timer set behind one of the same turn that is due later? If the turn takes long enough, that one fires first. */
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

  /** The timers of which each may be the next to fire, the likeliest first. */
  next(isTimer: (item: Pending) => boolean): Pending[] {
    const first = this.#timers
      .filter((timer) => isTimer(timer.item) && this.#isFirstOfDelay(timer)) // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
      .sort((a, b) => this.#dueFrom(a) - this.#dueFrom(b));
    return first.filter((timer) => this.#after(timer) !== undefined).map(({ item }) => item); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  /** A turn begins: of a timer, or of anything else. */
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

  /** What the clock may say now: the least, and the most if that is something else. */
  readings(): readonly number[] {
    const [least, most] = this.#zone.range(this.#zone.now);
    if (least === most) return [least]; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    return [least, most === Infinity ? least + farMs : most]; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }

  /** From now on it has said that. */
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

  /** What is known when that timer has fired; undefined: another one must come before. */
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

  /** Node goes through all timers of one delay that are due before it looks at others that are due earlier. */
  #inOneGo(timer: Timer): Zone | undefined {
    if (this.#fired?.delayMs !== timer.delayMs) return undefined; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    const zone = this.#zone.copy();
    const before = zone.now;
    if (!zone.limit(timer.moment, before, -timer.delayMs)) return undefined; // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    zone.elapse();
    zone.limit(zone.now, before, 0); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
    return this.#keepLate(zone) ? zone : undefined;
  }

  /** Nothing that is set is later than it may be. */
  #keepLate(zone: Zone): boolean {
    return this.#timers.every(({ moment, delayMs }) =>
      zone.limit(zone.now, moment, delayMs + this.#latenessMs),
    ); // sound: test/code/world/moments.test.ts test/code/world/conditions.test.ts
  }
}
