/** Random JavaScript object graphs, described as data so that the same graph can be built twice in different orders. */
import { runInThisContext } from "node:vm";
import fc from "fast-check";

export interface GraphPlan {
  readonly nodes: readonly NodePlan[];
}

export interface NodePlan {
  readonly kind: "object" | "array" | "map" | "set" | "date" | "class" | "bytes" | "null-object";
  readonly fields: readonly { readonly key: string; readonly value: ValuePlan }[];
}

export type ValuePlan = { readonly to: number } | { readonly atom: unknown };

export interface PointLike {
  x: unknown;
  readonly double: number;
}

/**
 * At the top level of a script, like code under test: test runners wrap modules into functions, which would create
 * closures.
 */
export const Point = runInThisContext(
  "(class Point { x = 0; get double() { return 2 * this.x; } })",
) as new () => PointLike;

export const graphPlan = (maxNodes: number): fc.Arbitrary<GraphPlan> =>
  fc
    .integer({ min: 1, max: maxNodes })
    .chain((count) =>
      fc.record({ nodes: fc.array(nodePlan(count), { minLength: count, maxLength: count }) }),
    );

const atom = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom("", "a", "b", true, false, null, undefined, 0, -0, NaN, 10n, Infinity),
);

const nodePlan = (count: number): fc.Arbitrary<NodePlan> =>
  fc.record({
    kind: fc.constantFrom("object", "array", "map", "set", "date", "class", "bytes", "null-object"),
    fields: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom("a", "b", "c", "d", "e"),
        value: fc.oneof(
          fc.integer({ min: 0, max: count - 1 }).map((to) => ({ to })),
          atom.map((value) => ({ atom: value })),
        ),
      }),
      { maxLength: 5, selector: ({ key }) => key },
    ),
  });

/** Builds the graph, allocating objects in the given order. The first one is the root. */
export function build({ nodes }: GraphPlan, order: readonly number[] = nodes.map((_, i) => i)): object {
  const objects: object[] = [];
  for (const index of order) objects[index] = allocate(nodes[index]!);
  nodes.forEach((plan, index) => fill(objects[index]!, plan, objects));
  return objects[0]!;
}

function allocate({ kind, fields }: NodePlan): object {
  switch (kind) {
    case "array":
      return [];
    case "map":
      return new Map();
    case "set":
      return new Set();
    case "date":
      return new Date(fields.length);
    case "class":
      return new Point();
    case "bytes":
      return new Uint8Array(fields.map((_, i) => i));
    case "null-object":
      return Object.create(null) as object;
    case "object":
      return {};
  }
}

function fill(object: object, { fields }: NodePlan, objects: readonly object[]): void {
  for (const { key, value } of fields) {
    const held = "to" in value ? objects[value.to] : value.atom;
    if (Array.isArray(object)) object.push(held);
    else if (object instanceof Map) object.set(key === "e" ? held : key, held);
    else if (object instanceof Set) object.add(held);
    else (object as Record<string, unknown>)[key] = held;
  }
}
