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

/** Milliseconds since the start of the world, with marks and measures; states of nodes do not contain these, so nodes cannot read them. */
function virtualPerformance(world: World): object {
  const start = world.options.epochMs;
  const now = (): number => world.readClock() - start;
  let entries: Entry[] = [];
  const stored = (): readonly Entry[] =>
    world.options.isRestored // sound: test/code/system/conditions.test.ts
      ? refuse("performance.getEntries", "states of nodes do not contain marks and measures")
      : entries;
  const only = (type: string, name?: string): Entry[] =>
    stored().filter((entry) => entry.entryType === type && (name === undefined || entry.name === name));
  const timeOf = (mark: unknown, otherwise: () => number): number => {
    if (mark === undefined) return otherwise();
    if (typeof mark === "number") return mark;
    const found = only("mark", String(mark)).at(-1);
    if (found) return found.startTime;
    throw new SyntaxError(`The "${String(mark)}" performance mark has not been set`);
  };
  const keep = (entry: Entry): Entry => {
    if (!world.options.isRestored) entries.push(entry);
    return entry;
  };
  const clear = (type: string, name?: string): void => {
    if (!world.options.isRestored) entries = entries.filter((entry) => !only(type, name).includes(entry));
  };
  return Object.freeze({
    now,
    timeOrigin: start,
    mark: (name: string, options: MarkOptions = {}) =>
      keep(entryOf("mark", name, options.startTime ?? now(), 0, options.detail)),
    measure: (name: string, first?: string | MeasureOptions, last?: string) => {
      const options = typeof first === "object" ? first : { start: first, end: last };
      const end = timeOf(options.end, now);
      const begin = timeOf(options.start, () => 0);
      const from =
        options.start === undefined && options.duration !== undefined ? end - options.duration : begin;
      return keep(entryOf("measure", name, from, options.duration ?? end - from, options.detail));
    },
    getEntries: () => byTime(stored()),
    getEntriesByName: (name: string, type?: string) =>
      byTime(
        stored().filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)),
      ),
    getEntriesByType: (type: string) => byTime(only(type)),
    clearMarks: (name?: string) => clear("mark", name),
    clearMeasures: (name?: string) => clear("measure", name),
    timerify: <F>(fn: F): F => fn,
    eventLoopUtilization: () => refuse("performance.eventLoopUtilization"),
    toJSON: () => ({ timeOrigin: start }),
  });
}

interface Entry {
  readonly name: string;
  readonly entryType: string;
  readonly startTime: number;
  readonly duration: number;
  readonly detail: unknown;
}

interface MarkOptions {
  readonly startTime?: number;
  readonly detail?: unknown;
}

interface MeasureOptions {
  readonly start?: string | number | undefined;
  readonly end?: string | number | undefined;
  readonly duration?: number;
  readonly detail?: unknown;
}

const entryOf = (
  entryType: string,
  name: string,
  startTime: number,
  duration: number,
  detail: unknown,
): Entry => {
  const fields = { name: String(name), entryType, startTime, duration, detail: detail ?? null };
  return Object.freeze(Object.defineProperty(fields, "toJSON", { value: () => ({ ...fields }) }));
};

const byTime = (entries: readonly Entry[]): Entry[] => entries.toSorted((a, b) => a.startTime - b.startTime);

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
