/**
 * Fields of a snapshot under user-level names: `stats.sent`, `table.*.seq`. Indices and keys of maps become `*`, so
 * that a name denotes a variable rather than a location.
 */
import { isNode, type Image } from "./image.js";
import type { Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";
import { nth } from "../../model/known.js";

/** Path of each object; undefined if it has no name, or only ignored fields lead to it. */
export function pathsOf(snapshot: Snapshot): readonly (string | undefined)[] {
  let paths = known.get(snapshot);
  if (!paths) {
    paths = findPaths(snapshot);
    known.set(snapshot, paths);
  }
  return paths;
}

/** Path of a field of the object at `path`. */
export function fieldPath(path: string | undefined, { kind }: Image, label: string): string | undefined {
  const segment = segmentOf(kind, label);
  if (path === undefined || segment === undefined) return undefined;
  // Paths of the node's fields omit the node.
  if (kind === "roots" && segment === "node") return "";
  return path === "" ? segment : `${path}.${segment}`;
}

/** Fields in which two states differ, but for ignored ones; undefined if their structures or unnamed parts differ. */
export function differingFields(a: Snapshot, b: Snapshot, rules: HeapRules): Set<string> | undefined {
  const found = new Set<string>();
  if (a === b) return found;
  const [here, there] = [placesOf(a), placesOf(b)];
  const paths = pathsOf(a);
  for (let place = 0; place < Math.max(a.entries.length, b.entries.length); place++) {
    const [one, other] = [a.entries[place], b.entries[place]];
    if (!one?.hash && !other?.hash) return found;
    if (!one?.hash || !other?.hash || !isSameObject(one.image, other.image)) return undefined;
    if (one.image.kind === "function" && codeOf(one.object, rules) !== codeOf(other.object, rules))
      return undefined;
    for (const [i, label] of one.image.labels.entries()) {
      if (label !== other.image.labels[i]) return undefined;
      if (isSameValue(one.image.values[i], other.image.values[i], here, there)) continue;
      const path = fieldPath(paths[place], one.image, label);
      if (path === undefined) return undefined;
      found.add(path);
    }
  }
  return found;
}

/** The state with another value in one field, for writing into the live objects. Its signature is invalid. */
export function withField(snapshot: Snapshot, place: number, field: number, value: unknown): Snapshot {
  const entries = snapshot.entries.map((entry, index) => {
    if (index !== place) return entry;
    const values = entry.image.values.with(field, value);
    return { ...entry, image: { ...entry.image, values }, hash: undefined };
  });
  return { entries, signature: "" };
}

const known = new WeakMap<Snapshot, readonly (string | undefined)[]>();

function findPaths(snapshot: Snapshot): (string | undefined)[] {
  const places = placesOf(snapshot);
  const paths: (string | undefined)[] = [""];
  const isFound = new Set([0]);
  for (const [place, { image }] of snapshot.entries.entries())
    for (const [i, value] of image.values.entries()) {
      const target = isNode(value) ? places.get(value) : undefined;
      if (target === undefined || isFound.has(target)) continue;
      isFound.add(target);
      paths[target] = fieldPath(paths[place], image, nth(image.labels, i));
    }
  return paths;
}

function segmentOf(kind: Image["kind"], label: string): string | undefined {
  if (kind === "map") return label.startsWith("v") ? "*" : undefined;
  // Plain fields, excluding properties maintained by the language, such as an array's length.
  if (label === "^" || !label.startsWith(".")) return label === "^" ? "^" : undefined;
  const key = label.slice(1);
  if (/^\d+$/.test(key)) return "*";
  return /[.*]/.test(key) ? undefined : key;
}

const placesOf = ({ entries }: Snapshot): ReadonlyMap<unknown, number> =>
  new Map(entries.map(({ object }, place): [unknown, number] => [object, place]));

const codeOf = (value: object | symbol, rules: HeapRules): string => rules.codeOf(value as object);

function isSameObject(a: Image, b: Image): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.tag !== b.tag || a.labels.length !== b.labels.length) return false;
  return a.bytes === undefined || (b.bytes !== undefined && Buffer.compare(a.bytes, b.bytes) === 0);
}

function isSameValue(
  a: unknown,
  b: unknown,
  here: ReadonlyMap<unknown, number>,
  there: ReadonlyMap<unknown, number>,
): boolean {
  if (!isNode(a) || !isNode(b)) return Object.is(a, b);
  const place = here.get(a);
  return place === undefined ? a === b : place === there.get(b);
}
