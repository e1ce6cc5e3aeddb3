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
  /** Index of the write of which a part survives, if any. */
  readonly torn?: number;
}

/** All possible disks, without duplicates, fewest surviving writes first. */
export function remainsOf(
  { disk, unsynced }: Pick<Side, "disk" | "unsynced">,
  mode: DiskMode,
  tears = false,
): Remains[] {
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
  if (tears)
    for (const base of [...found.values()]) for (const torn of tornFrom(base, unsynced, mode)) add(torn);
  return [...found.values()].sort((a, b) => a.kept.length - b.kept.length);
}

/** The disks on which one further write survives in part; a change of several entries is atomic. */
function tornFrom(base: Remains, unsynced: Side["unsynced"], mode: DiskMode): Remains[] {
  return [...unsynced.entries()].flatMap(([place, changes]) => {
    // sound: test/code/system/disk-faults.test.ts
    const isNext = mode === "in-order" ? place === base.kept.length : !base.kept.includes(place);
    const [change, ...others] = changes;
    if (!isNext || !change || others.length > 0 || change.value === null) return [];
    const { at = 0, value } = change;
    const left = { ...base.disk };
    applyAlone(left, { ...change, value: value.slice(0, at + ((value.length - at) >> 1)) });
    return [{ disk: canonicalDisk(left), kept: base.kept, torn: place }];
  });
}

/**
 * Two ways in which a stored text decays: `garbled`, its middle character is another, so that JSON usually cannot be
 * read; `flipped`, its last digit is another, so that only a checksum notices.
 */
export function corruptionsOf(
  text: string,
): readonly { readonly how: "garbled" | "flipped"; readonly value: string }[] {
  const middle = text.length >> 1;
  const garbled = `${text.slice(0, middle)}\ufffd${text.slice(middle + 1)}`;
  const flipped = text.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`);
  return [
    ...(text.length > 0 && garbled !== text ? [{ how: "garbled" as const, value: garbled }] : []),
    ...(flipped === text ? [] : [{ how: "flipped" as const, value: flipped }]),
  ];
}

/** Each of them is a successor of one state. */
const MOST_REMAINS = 1024;

function after(disk: Side["disk"], unsynced: Side["unsynced"], kept: readonly number[]): Remains {
  const left = { ...disk };
  for (const place of kept) for (const change of nth(unsynced, place)) applyAlone(left, change);
  return { disk: canonicalDisk(left), kept };
}

const keyOf = (disk: Side["disk"]): string => JSON.stringify(disk);
