/** Random graphs whose nodes are spread over two to six words; some nodes are inside atomic sequences. */
import fc from "fast-check";
import type { GraphNode } from "../explicit/toys.js";

export function randomGraph(): fc.Arbitrary<GraphNode[]> {
  const edge = fc.record({ to: fc.nat(39), fault: fc.option(fc.nat(2), { freq: 8 }), isDead: fc.boolean() });
  const node = fc.record({
    edges: fc.array(edge, { maxLength: 4 }),
    isIntermediate: fc.integer({ max: 3, min: 0 }).map((n) => n === 0),
    isValidEnd: fc.boolean(),
    words: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 5 }),
    isGood: fc.boolean(),
  });
  return fc.array(node, { minLength: 1, maxLength: 40 });
}
