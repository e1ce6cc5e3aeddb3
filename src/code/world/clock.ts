/** Replaces `Date`, `performance` and the clock of `Intl` by virtual time. */
import { refuse } from "./failure.js";
import { put } from "./put.js";
import { Relied, type World } from "./world.js";

export function clockGlobals(world: World): Record<string, unknown> {
  return { Date: virtualDate(world), performance: virtualPerformance(world) };
}

function virtualDate(world: World): DateConstructor {
  const Real = Date;
  const now = (): number => readDate(world);
  // A function rather than a class, because `Date()` may be called without `new`. The property supplies its name.
  const { Date: VirtualDate } = {
    Date: function (this: unknown, ...args: unknown[]): unknown {
      if (!new.target) return new Real(now()).toString();
      return Reflect.construct(Real, args.length === 0 ? [now()] : args, new.target);
    },
  };
  put(VirtualDate, "length", 7, false);
  Object.defineProperty(VirtualDate, "prototype", { value: Real.prototype, writable: false });
  put(VirtualDate, "now", now);
  put(VirtualDate, "parse", Real.parse);
  put(VirtualDate, "UTC", Real.UTC);
  put(Real.prototype, "constructor", VirtualDate);
  return VirtualDate as unknown as DateConstructor;
}

/** Milliseconds since the start of the world. Marks and measures are not stored, so reading them is refused. */
function virtualPerformance(world: World): object {
  const start = world.options.epochMs;
  return Object.freeze({
    now: () => world.readClock() - start,
    timeOrigin: start,
    mark: () => unreadable("mark"),
    measure: () => unreadable("measure"),
    getEntries: () => refuse("performance.getEntries"),
    getEntriesByName: () => refuse("performance.getEntriesByName"),
    getEntriesByType: () => refuse("performance.getEntriesByType"),
    clearMarks: () => undefined,
    clearMeasures: () => undefined,
    toJSON: () => ({ timeOrigin: start }),
  });
}

function unreadable(call: string): object {
  const entry = {};
  for (const field of ["name", "entryType", "startTime", "duration", "detail", "toJSON"])
    Object.defineProperty(entry, field, { get: () => refuse(`performance.${call}().${field}`) });
  return entry;
}

/** Formatters called without a date would read the real clock. */
export function tameIntl(world: World): void {
  const prototype = Intl.DateTimeFormat.prototype;
  const format = Object.getOwnPropertyDescriptor(prototype, "format")!.get!;
  const formatToParts = prototype.formatToParts;
  Object.defineProperty(prototype, "format", {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const bound = format.call(this) as (date: number | Date) => string;
      return (date?: number | Date) => bound(date ?? readDate(world));
    },
  });
  prototype.formatToParts = function (date) {
    return formatToParts.call(this, date ?? readDate(world));
  };
}

/** Reads the date: the result depends on the epoch. */
function readDate(world: World): number {
  world.rely(Relied.date); // sound: test/code/world/conditions.test.ts
  return Math.floor(world.readClock());
}
