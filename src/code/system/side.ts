/**
 * What is beside the heap of a node, in one form for all that no program can tell apart. Runs inside realms.
 *
 * Timers: where any may go off, neither their order nor their delays are seen; otherwise the order of equal delays is. Disk: keys
 * are in one order. Unsynced writes: the order of different keys counts only on a disk that loses writes in order, and of one
 * key only the last value and the set of those before it.
 */
import type { Change } from "../devices/storage.js";
import type { Side } from "./inside.js";

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

/** One value, and all of it is new. */
const isWhole = (changes: readonly Change[]): boolean => changes.length === 1 && changes[0]!.at === undefined; // sound: test/code/system/canonical-side.test.ts

/** Keys in one order: a node cannot see in which order it wrote them. */
export const canonicalDisk = (disk: Side["disk"]): Side["disk"] =>
  Object.fromEntries(Object.entries(disk).sort(([a], [b]) => compare(a, b)));

/** Of each key the values that a crash may leave, the last write at the end. */
function byKey(unsynced: Side["unsynced"], disk: Side["disk"]): Side["unsynced"] {
  const values = new Map<string, (string | null)[]>();
  for (const [change] of unsynced as readonly (readonly [Change])[])
    values.set(change.key, [...(values.get(change.key) ?? []), change.value]);
  return [...values]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([key, all]) => {
      const last = all.at(-1)!;
      const synced = Object.hasOwn(disk, key) ? disk[key]! : null;
      const before = new Set(all.filter((value) => value !== last && value !== synced));
      if (before.size === 0 && last === synced) return [];
      const earlier = [...before].sort((a, b) => compare(a ?? "", b ?? "") || (a === null ? -1 : 1));
      return [...earlier, last].map((value) => [{ key, value }]);
    });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
