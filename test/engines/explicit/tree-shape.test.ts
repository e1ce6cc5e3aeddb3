/** Shapes of trees of a few words; quick, for mutation testing. */
import { expect, test } from "vitest";
import { treeShape, type Part, type TreeShape } from "../../../src/engines/explicit/tree-shape.js";

/** As nested lists; a node by itself is made of the nodes before it. */
function nested({ left, right, nodes }: TreeShape): unknown {
  const show = (part: Part, before: number): unknown => {
    if (part.kind === "nothing") return [];
    if (part.kind === "word") return part.word;
    if (part.node >= before) throw new Error("a node comes before its parts");
    const node = nodes[part.node]!;
    return [show(node.left, part.node), show(node.right, part.node)];
  };
  return [show(left, nodes.length), show(right, nodes.length)];
}

test("without a sample neighbours stay together, and the left half is a node", () => {
  expect([0, 1, 2, 3, 4, 5].map((width) => nested(treeShape(width)))).toEqual([
    [[[], []], []],
    [[0, []], []],
    [[0, []], 1],
    [[1, 2], 0],
    [[0, 1], [2, 3]],
    [[0, 1], [2, [3, 4]]],
  ]); // prettier-ignore
});

test("words that say the same are together, the others apart", () => {
  const sample = Array.from({ length: 60 }, (_, i) => Int32Array.of(i % 7, i % 7, i % 11));
  expect(nested(treeShape(3, sample))).toEqual([[0, 1], 2]);
  const last = sample.map(([a = 0, , c = 0]) => Int32Array.of(c, a, a));
  expect(nested(treeShape(3, last))).toEqual([[1, 2], 0]);
  const four = sample.map(([a = 0, , c = 0]) => Int32Array.of(a, c, a, c));
  expect(nested(treeShape(4, four))).toEqual([[0, 2], [1, 3]]); // prettier-ignore
});

test.each([3, 11])(
  "%i words: there are two halves, also where the whole seems to have fewer values than any half",
  (width) => {
    // The more values were seen once, and the fewer twice, the more are expected: without any one of the words two that were seen twice are one.
    const once = Array.from({ length: 40 }, (_, i) => new Int32Array(width).fill(100 + i));
    const units = Array.from({ length: width }, (_, k) => new Int32Array(width).fill(1, k, k + 1));
    const twice = [new Int32Array(width), ...units];
    const shape = treeShape(width, [...once, ...twice, ...twice]);
    const words = JSON.stringify(nested(shape)).match(/\d+/g)!.map(Number);
    expect(words.sort((a, b) => a - b)).toEqual(Array.from({ length: width }, (_, k) => k));
    expect(shape.nodes.length).toBe(width - 2);
  },
);
