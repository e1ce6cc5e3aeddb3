/**
 * Canonical form of timers and disk: equal if no program can distinguish them. Runs inside realms.
 *
 * Timers: with `any`, their order and delays are unobservable; otherwise the order of equal delays matters. Disk: keys
 * are sorted. Unsynced writes: the order of different keys matters only on a disk that loses writes in order, and for
 * one key only the last value and the set of earlier ones.
 */
import type { Change } from "../devices/storage.js";
import type { Side } from "./node-runtime.js";
import { nth, lastOf } from "../../model/known.js";

export function canonicalSide(
  { timers, disk, unsynced }: Side,
  order: "any" | "in-order",
  losesInOrder: boolean,
): Side {
  return {
    timers:
      order === "any" // sound: test/code/system/canonical-side.test.ts
        ? timers.map(({ name }) => ({ name, leftMs: 0 })).sort((a, b) => compare(a.name, b.name))
        : [...timers].sort((a, b) => a.leftMs - b.leftMs),
    disk: canonicalDisk(disk),
    // sound: test/code/system/canonical-side.test.ts
    unsynced:
      losesInOrder || unsynced.some((changes) => !isWhole(changes)) ? unsynced : byKey(unsynced, disk),
  };
}

/** A single change that replaces the whole value. */
const isWhole = (changes: readonly Change[]): boolean =>
  changes.length === 1 && nth(changes, 0).at === undefined; // sound: test/code/system/canonical-side.test.ts

/** Sorts keys: a node cannot observe the order of its writes. */
export const canonicalDisk = (disk: Side["disk"]): Side["disk"] =>
  Object.fromEntries(Object.entries(disk).sort(([a], [b]) => compare(a, b)));

/** By key: the values that a crash may leave, the last write at the end. */
function byKey(unsynced: Side["unsynced"], disk: Side["disk"]): Side["unsynced"] {
  const values = new Map<string, (string | null)[]>();
  for (const [change] of unsynced as readonly (readonly [Change])[])
    values.set(change.key, [...(values.get(change.key) ?? []), change.value]);
  return [...values]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([key, all]) => {
      const last = lastOf(all);
      const synced = Object.hasOwn(disk, key) ? disk[key]! : null;
      const before = new Set(all.filter((value) => value !== last && value !== synced));
      if (before.size === 0 && last === synced) return [];
      const earlier = [...before].sort((a, b) => compare(a ?? "", b ?? "") || (a === null ? -1 : 1));
      return [...earlier, last].map((value) => [{ key, value }]);
    });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
