/** Compares snapshots object by object: like the signature, but without the risk of collisions. */
import { isNode } from "./image.js";
import type { Entry, Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";
import { nth } from "../../model/known.js";

/** With an abstraction, only signatures can be compared. */
export function sameState(a: Snapshot, b: Snapshot, rules: HeapRules): boolean {
  if (a.signature !== b.signature) return false; // sound: test/code/heap/conditions.test.ts
  if (rules.abstraction || a === b) return true; // sound: test/code/heap/conditions.test.ts
  if (a.entries.length !== b.entries.length) return false; // sound: test/code/heap/conditions.test.ts
  const [here, there] = [placesOf(a), placesOf(b)];
  return a.entries.every((entry, place) => isSameEntry(entry, nth(b.entries, place), here, there, rules));
}

type Places = ReadonlyMap<unknown, number>;

const placesOf = ({ entries }: Snapshot): Places =>
  new Map(entries.map(({ object }, place): [unknown, number] => [object, place]));

function isSameEntry(a: Entry, b: Entry, here: Places, there: Places, rules: HeapRules): boolean {
  if (a.image === b.image && a.object === b.object && here === there) return true;
  const { kind, tag, labels, values, bytes } = a.image;
  const other = b.image;
  if (kind !== other.kind || tag !== other.tag || labels.length !== other.labels.length) return false; // sound: test/code/heap/conditions.test.ts
  if (kind === "function" && rules.codeOf(a.object as object) !== rules.codeOf(b.object as object))
    // sound: test/code/heap/conditions.test.ts
    return false;
  if (bytes && Buffer.compare(bytes, other.bytes!) !== 0) return false; // sound: test/code/heap/conditions.test.ts
  return labels.every((label, i) => {
    if (label !== other.labels[i]) return false; // sound: test/code/heap/conditions.test.ts
    const [value, counterpart] = [values[i], other.values[i]];
    if (!isNode(value) || !isNode(counterpart)) return Object.is(value, counterpart); // sound: test/code/heap/conditions.test.ts
    const place = here.get(value);
    return place === undefined ? value === counterpart : place === there.get(counterpart); // sound: test/code/heap/conditions.test.ts
  });
}
