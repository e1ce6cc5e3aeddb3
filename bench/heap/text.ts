/**
 * Textual notation of heaps, for tests and experiments:
 *
 *     head:3 { 0=@left; 1=10; 2=@right; } left:3 { 1=20; } right:3 { 1=30; }
 *
 * The first object is the root; the colon precedes the length in words (or the name of the kind); `@name+2` is an
 * interior pointer. Fields are sorted by label.
 */
import type { HeapField, HeapGraph, HeapObject, HeapValue } from "./graph.js";

export class HeapSyntaxError extends Error {}

export function parseHeap(text: string): HeapGraph {
  const objects = [...text.matchAll(/([A-Za-z]\w*)\s*(?::\s*(\w+)\s*)?\{([^}]*)\}/g)];
  const rest = objects.reduce((left, [all]) => left.replace(all, ""), text).trim();
  if (rest !== "") throw new HeapSyntaxError(`not an object: ${rest.slice(0, 40)}`);
  const names = objects.map(([, name]) => name!);
  return { objects: objects.map(([, name, tag, body]) => parseObject(name!, tag, body!, names)) };
}

function parseObject(
  name: string,
  tag: string | undefined,
  body: string,
  names: readonly string[],
): HeapObject {
  const length = Number(tag);
  const fields = body
    .split(";")
    .map((field) => field.trim())
    .filter((field) => field !== "")
    .map((field) => parseField(field, names));
  return {
    name,
    length: Number.isInteger(length) ? length : 1,
    tag: Number.isInteger(length) || tag === undefined ? "" : tag,
    fields: fields.sort(byLabel),
  };
}

function parseField(field: string, names: readonly string[]): HeapField {
  const [, label, value] = /^("[^"]*"|\w+)\s*=\s*(.+)$/.exec(field) ?? [];
  if (label === undefined || value === undefined) throw new HeapSyntaxError(`not a field: ${field}`);
  const number = Number(label);
  return {
    label: Number.isInteger(number) ? number : label.replace(/"/g, ""),
    value: parseValue(value, names),
  };
}

function parseValue(value: string, names: readonly string[]): HeapValue {
  const [, name, displacement] = /^@(\w+)(?:\+(\d+))?$/.exec(value) ?? [];
  if (name === undefined) return { kind: "atom", atom: value };
  const target = names.indexOf(name);
  if (target < 0) throw new HeapSyntaxError(`there is no object '${name}'`);
  return { kind: "pointer", target, displacement: Number(displacement ?? 0) };
}

/** Numbers before names. */
function byLabel({ label: a }: HeapField, { label: b }: HeapField): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
