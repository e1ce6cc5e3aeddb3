/**
 * Plans a lossy store for a number of states and an amount of memory: settings from an estimate, and their expected
 * omissions.
 *
 * A recommendation names the expected size, not bits and functions, so that it stays valid when the memory changes.
 */
import { bestFunctions, omissionsAmong, type Lossy, type Omissions } from "./omissions.js";

export interface Plan {
  readonly store: Lossy;
  readonly omissions: Omissions;
  /** `--store compact --expect-states 1.02e8` */
  readonly options: string;
}

/** Few bits per state, for an unknown number of states (Holzmann's supertrace). */
export const SUPERTRACE_FUNCTIONS = 3;

/** The store of that kind for `states` states in `bytes` bytes; none if compaction has no room for them. */
export function planned(kind: Lossy["kind"], states: number, bytes: number): Lossy | undefined {
  const bits = 8 * bytes;
  if (kind === "bitstate") return { kind, bits, functions: bestFunctions(bits, states) };
  const width = Math.min(64, Math.floor(bits / Math.max(1, states)));
  return width < NARROWEST ? undefined : { kind, width, cells: Math.floor(bits / width) };
}

/** All suitable plans, the most certain first. */
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

/** The memory for a compacting table in which `states` states are omitted with at most that probability. */
export function bytesFor(states: number, target: number): number {
  const cells = expectation(Math.max(1, states));
  let width = NARROWEST;
  while (width < 64 && omissionsAmong({ kind: "compact", cells, width }, states).probability > target)
    width++;
  return Math.ceil((cells * width) / 8);
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
