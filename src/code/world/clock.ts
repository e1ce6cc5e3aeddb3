/** `Date`, `performance` and the clock of `Intl` by the virtual time. */
import type { World } from "./world.js";

export function clockGlobals(world: World): Record<string, unknown> {
  return { Date: virtualDate(world), performance: virtualPerformance(world) };
}

function virtualDate(world: World): DateConstructor {
  const Real = Date;
  const now = (): number => Math.floor(world.now);
  // A function rather than a class: `Date()` without `new` is allowed.
  function VirtualDate(this: unknown, ...args: unknown[]): unknown {
    if (!new.target) return new Real(now()).toString();
    return Reflect.construct(Real, args.length === 0 ? [now()] : args, new.target);
  }
  Object.defineProperties(VirtualDate, {
    length: { value: 7, configurable: true },
    name: { value: "Date", configurable: true },
    prototype: { value: Real.prototype, writable: false, enumerable: false },
    now: { value: now, writable: true, configurable: true },
    parse: { value: Real.parse, writable: true, configurable: true },
    UTC: { value: Real.UTC, writable: true, configurable: true },
  });
  Real.prototype.constructor = VirtualDate as unknown as DateConstructor;
  return VirtualDate as unknown as DateConstructor;
}

/** Time since the start of the world, in milliseconds; marks and measures are kept nowhere. */
function virtualPerformance(world: World): object {
  const start = world.options.epochMs;
  return Object.freeze({
    now: () => world.now - start,
    timeOrigin: start,
    mark: () => undefined,
    measure: () => undefined,
    getEntries: () => [],
    getEntriesByName: () => [],
    getEntriesByType: () => [],
    clearMarks: () => undefined,
    clearMeasures: () => undefined,
    toJSON: () => ({ timeOrigin: start }),
  });
}

/** The formatters read the real clock when they are given no date. */
export function tameIntl(world: World): void {
  const prototype = Intl.DateTimeFormat.prototype;
  const format = Object.getOwnPropertyDescriptor(prototype, "format")!.get!;
  const formatToParts = prototype.formatToParts;
  Object.defineProperty(prototype, "format", {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const bound = format.call(this) as (date: number | Date) => string;
      return (date?: number | Date) => bound(date ?? world.now);
    },
  });
  prototype.formatToParts = function (date) {
    return formatToParts.call(this, date ?? world.now);
  };
}
