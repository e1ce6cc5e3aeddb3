/**
 * Possible disks of a node after a crash. Synced writes survive; of the others any subset may, since disks reorder
 * unsynced writes. Two writes of one key leave the value of either, or the previous one.
 */
import { applyAlone } from "../devices/storage.js";
import type { Side } from "./node-runtime.js";
import { NotSupported } from "./node-process.js";
import { canonicalDisk } from "./side.js";
import { nth } from "../../model/known.js";

/** `reordered`: any subset of the unsynced writes survives. `in-order`: a prefix. `kept`: all. */
export type DiskMode = "reordered" | "in-order" | "kept";

export interface Remains {
  readonly disk: Side["disk"];
  /** Indices of the surviving unsynced writes. */
  readonly kept: readonly number[];
}

/** All possible disks, without duplicates, fewest surviving writes first. */
export function remainsOf({ disk, unsynced }: Pick<Side, "disk" | "unsynced">, mode: DiskMode): Remains[] {
  if (mode === "kept") return [after(disk, unsynced, [...unsynced.keys()])];
  const found = new Map<string, Remains>();
  const add = (remains: Remains): void => {
    const key = keyOf(remains.disk);
    if (!found.has(key)) found.set(key, remains);
    if (found.size > MOST_REMAINS)
      throw new NotSupported(
        `a crash with ${unsynced.length} unsynced writes, which can leave more than ${MOST_REMAINS} different disks`,
      );
  };
  add({ disk: canonicalDisk(disk), kept: [] });
  for (const [place, changes] of unsynced.entries()) {
    // sound: test/code/system/crashes.test.ts
    const bases =
      mode === "in-order"
        ? [after(disk, unsynced, [...unsynced.keys()].slice(0, place))]
        : [...found.values()];
    for (const base of bases) {
      const left = { ...base.disk };
      for (const change of changes) applyAlone(left, change); // sound: test/code/system/canonical-side.test.ts
      add({ disk: canonicalDisk(left), kept: [...base.kept, place] });
    }
  }
  return [...found.values()].sort((a, b) => a.kept.length - b.kept.length);
}

/** Each of them is a successor of one state. */
const MOST_REMAINS = 1024;

function after(disk: Side["disk"], unsynced: Side["unsynced"], kept: readonly number[]): Remains {
  const left = { ...disk };
  for (const place of kept) for (const change of nth(unsynced, place)) applyAlone(left, change);
  return { disk: canonicalDisk(left), kept };
}

const keyOf = (disk: Side["disk"]): string => JSON.stringify(disk);
