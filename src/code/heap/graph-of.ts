/** A snapshot as a heap graph apart from JavaScript: what the textbook algorithms can be run on. */
import type { HeapField, HeapGraph } from "./graph.js";
import { isNode } from "./image.js";
import type { Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";

export function graphOf({ entries }: Snapshot, rules: HeapRules): HeapGraph {
  const places = new Map(entries.map(({ object }, place): [unknown, number] => [object, place]));
  return {
    objects: entries.map(({ object, image }, place) => ({
      name: `o${place}`,
      length: 1,
      tag: `${image.kind} ${image.tag} ${image.kind === "function" ? rules.codeOf(object as object) : ""} ${image.bytes?.join() ?? ""}`,
      fields: image.labels.map((label, index): HeapField => {
        const value = image.values[index];
        const target = isNode(value) ? places.get(value) : undefined;
        return target === undefined
          ? { label, value: { kind: "atom", atom: atomText(value, rules) } }
          : { label, value: { kind: "pointer", target, displacement: 0 } };
      }),
    })),
  };
}

function atomText(value: unknown, { intrinsics }: HeapRules): string {
  if (isNode(value)) return `intrinsic ${intrinsics.get(value as object) ?? "?"}`;
  return `${typeof value} ${Object.is(value, -0) ? "-0" : String(value)}`;
}
