/**
 * Which lossy store to use for how many states in how much memory: settings from an estimate, and what they promise.
 *
 * A recommendation names the size to expect, not bits and functions, so that it stays good when the memory changes.
 */
import { bestFunctions, omissionsAmong, type Lossy, type Omissions } from "./omissions.js";

export interface Plan {
  readonly store: Lossy;
  readonly omissions: Omissions;
  /** `--store compact --expect-states 1.02e8` */
  readonly options: string;
}

/** With few bits a state: what to use while nobody knows how many states there are (Holzmann's supertrace). */
export const SUPERTRACE_FUNCTIONS = 3;

/** The store of that kind for `states` states in `bytes` bytes; none if compaction has no room for them. */
export function planned(kind: Lossy["kind"], states: number, bytes: number): Lossy | undefined {
  const bits = 8 * bytes;
  if (kind === "bitstate") return { kind, bits, functions: bestFunctions(bits, states) };
  const width = Math.min(64, Math.floor(bits / Math.max(1, states)));
  return width < NARROWEST ? undefined : { kind, width, cells: Math.floor(bits / width) };
}

/** All that would do, the most certain first. */
export function plans(states: number, bytes: number): readonly Plan[] {
  if (bytes < 1) return [];
  return (["compact", "bitstate"] as const)
    .flatMap((kind) => {
      const store = planned(kind, expectation(states), bytes);
      if (!store) return [];
      return [
        {
          store,
          omissions: omissionsAmong(store, states),
          options: `--store ${kind} --expect-states ${rounded(expectation(states))}`,
        },
      ];
    })
    .sort((a, b) => a.omissions.expected - b.omissions.expected);
}

/** The least memory in which the best store for `states` states omits none with all but `target` probability. */
export function bytesFor(states: number, target: number): number {
  let low = Math.ceil(Math.max(8, states) / 8);
  let high = low;
  const isEnough = (bytes: number): boolean =>
    (plans(states, bytes)[0]?.omissions.probability ?? 1) <= target;
  while (!isEnough(high)) high *= 2;
  while (high - low > Math.max(1, high / 1000)) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** A table that is just not full is the most certain; an estimate that is just too small is useless. */
const expectation = (states: number): number => Math.ceil(states * 1.01);

/** Two digits behind the point, rounded up: `1.02e8`, `4.14e5`, `950`. */
export function rounded(states: number): string {
  if (states < 1000) return `${Math.ceil(states)}`;
  const power = Math.floor(Math.log10(states));
  const mantissa = Math.ceil((states / 10 ** power) * 100 - 1e-9) / 100;
  return mantissa >= 10 ? `1e${power + 1}` : `${mantissa}e${power}`;
}

/** Signatures of fewer bits are not offered. */
const NARROWEST = 4;
