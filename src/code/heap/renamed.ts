/**
 * A snapshot as text with strings renamed: equal for states of different realms that differ only in these names.
 *
 * Renames strings that equal a name: values, keys of objects and maps, members of sets. Order counts, since a program
 * can observe it; except for a list of names that is a literal of the code, unchanged since loading, and invariant
 * under every renaming: it contains no more information than the code.
 */
import { isNode, primitiveLabel, sameImage, type Image } from "./image.js";
import type { Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";

export interface Renaming {
  /** New names; unlisted strings are unchanged. */
  readonly names: ReadonlyMap<string, string>;
  /** Groups of interchangeable names. */
  readonly groups: readonly (readonly string[])[];
}

/** `loaded`: the state after loading the code, before running it. */
export function renamedText(
  { entries }: Snapshot,
  loaded: Snapshot,
  rules: HeapRules,
  renaming: Renaming,
): string {
  const fresh = imagesOf(loaded);
  const places = new Map(entries.map(({ object }, place): [unknown, number] => [object, place]));
  const parts = entries.map(({ object, image }) => {
    const { kind, tag, bytes } = image;
    const code = kind === "function" ? rules.codeOf(object as object) : "";
    const raw = bytes ? Buffer.from(bytes).toString("base64") : "";
    const isKept = isConstantList(image, fresh.get(object), renaming);
    const names = isKept ? NONE : renaming.names;
    const fields = image.labels.map((label, i) => {
      const value = image.values[i];
      const place = isNode(value) ? places.get(value) : undefined;
      return [renamedLabel(label, image, names), place ?? atomText(value, names, rules)];
    });
    return [kind, tag, code, raw, fields];
  });
  return JSON.stringify(parts);
}

/** The same for JSON data: keys and strings. */
export function renamedData(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => renamedData(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [names.get(key) ?? key, renamedData(held, names)]),
  );
}

/** Cached, because a node requests the same snapshots repeatedly. */
const images = new WeakMap<Snapshot, ReadonlyMap<unknown, Image>>();

function imagesOf(snapshot: Snapshot): ReadonlyMap<unknown, Image> {
  let known = images.get(snapshot);
  if (!known) {
    known = new Map(snapshot.entries.map(({ object, image }): [unknown, Image] => [object, image]));
    images.set(snapshot, known);
  }
  return known;
}

const NONE: ReadonlyMap<string, string> = new Map();

function isConstantList(image: Image, before: Image | undefined, { groups }: Renaming): boolean {
  if ((image.kind !== "array" && image.kind !== "set") || !before || !sameImage(image, before)) return false;
  const members = new Set(image.values);
  return groups.every(
    (group) => group.every((name) => members.has(name)) || group.every((name) => !members.has(name)),
  );
}

/** Bindings of modules, indices and fields of functions have names given by the code. */
function renamedLabel(label: string, { kind }: Image, names: ReadonlyMap<string, string>): string {
  if (kind === "roots" || kind === "array" || kind === "function") return label;
  for (const prefix of [/^[a-z]*\d?\./, /^[ve]string:/]) {
    const found = prefix.exec(label)?.[0];
    const name = found === undefined ? undefined : names.get(label.slice(found.length));
    if (name !== undefined) return found! + name;
  }
  return label;
}

function atomText(value: unknown, names: ReadonlyMap<string, string>, { intrinsics }: HeapRules): string {
  if (isNode(value)) return `intrinsic ${intrinsics.get(value as object) ?? "?"}`;
  return typeof value === "string" ? `string:${names.get(value) ?? value}` : primitiveLabel(value);
}
