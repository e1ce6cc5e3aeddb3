/**
 * Selected fields of the node in a snapshot and everything reachable from them, as text: equal for states that a
 * program reading only these fields cannot distinguish. Includes objects reachable from code: a method may read
 * properties of its class.
 */
import { isNode, primitiveLabel, type Image } from "./image.js";
import type { Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";
import { nth, entryOf } from "../../model/known.js";

export function partText({ entries }: Snapshot, rules: HeapRules, fields: ReadonlySet<string>): string {
  const images = new Map(entries.map(({ object, image }): [unknown, Image] => [object, image]));
  const places = new Map<unknown, number>();
  const waiting: (object | symbol)[] = [];
  const textOf = (value: unknown): number | string => {
    if (!isNode(value)) return typeof value === "string" ? `string:${value}` : primitiveLabel(value);
    if (!images.has(value)) return `intrinsic ${rules.intrinsics.get(value as object) ?? "?"}`;
    let place = places.get(value);
    if (place === undefined) {
      place = places.size;
      places.set(value, place);
      waiting.push(value);
    }
    return place;
  };
  const fieldsOf = (image: Image, isRead: (label: string) => boolean): unknown[] =>
    image.labels.flatMap((label, i) => (isRead(label) ? [[label, textOf(image.values[i])]] : []));
  const node = nth(entries, 0).image.values[0];
  const root = images.get(node);
  const parts: unknown[] = root ? [root.kind, root.tag, fieldsOf(root, isOneOf(fields))] : [textOf(node)];
  for (let object = waiting.shift(); object !== undefined; object = waiting.shift()) {
    const image = entryOf(images, object);
    const { kind, tag, bytes } = image;
    const code = kind === "function" ? rules.codeOf(object as object) : "";
    const raw = bytes ? Buffer.from(bytes).toString("base64") : "";
    parts.push([kind, tag, code, raw, fieldsOf(image, () => true)]);
  }
  return JSON.stringify(parts);
}

/** The prototype is always included. */
const isOneOf = (fields: ReadonlySet<string>) => (label: string) => {
  const named = /^(?:\d?|[gs]et\d)\.([^]*)$/.exec(label);
  return named ? fields.has(nth(named, 1)) : !label.startsWith("w");
};
