/** Converts a snapshot into a language-independent heap graph, for the textbook algorithms. */
import type { HeapField, HeapGraph } from "./graph.js";
import { isNode } from "../../src/code/heap/index.js";
import type { Snapshot } from "../../src/code/heap/index.js";
import { IGNORED, type HeapRules } from "../../src/code/heap/index.js";

/** Omits ignored fields and objects reachable only through them, which are at the end of a snapshot. */
export function graphOf({ entries }: Snapshot, rules: HeapRules): HeapGraph {
  const counted = entries.filter(({ hash }) => hash);
  const places = new Map(counted.map(({ object }, place): [unknown, number] => [object, place]));
  const paths: (readonly string[])[] = [[]];
  return {
    objects: counted.map(({ object, image }, place) => ({
      name: `o${place}`,
      length: 1,
      tag: `${image.kind} ${image.tag} ${image.kind === "function" ? rules.codeOf(object as object) : ""} ${image.bytes?.join() ?? ""}`,
      fields: image.labels.flatMap((label, index): HeapField[] => {
        const path = rules.abstraction ? [...paths[place]!, label] : [];
        const value = rules.abstraction ? rules.abstraction(path, image.values[index]) : image.values[index];
        if (value === IGNORED) return [];
        const target = isNode(value) ? places.get(value) : undefined;
        if (target === undefined) return [{ label, value: { kind: "atom", atom: atomText(value, rules) } }];
        paths[target] ??= path;
        return [{ label, value: { kind: "pointer", target, displacement: 0 } }];
      }),
    })),
  };
}

function atomText(value: unknown, { intrinsics }: HeapRules): string {
  if (isNode(value)) return `intrinsic ${intrinsics.get(value as object) ?? "?"}`;
  return `${typeof value} ${Object.is(value, -0) ? "-0" : String(value)}`;
}
