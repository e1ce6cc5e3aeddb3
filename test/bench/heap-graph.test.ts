/** The published worked examples of heap canonicalization, with their exact locations. */
import { describe, expect, test } from "vitest";
import {
  ChainTable,
  ContextTable,
  accessChains,
  canonicalText,
  imagesAt,
  locateByChain,
  locateDepthFirst,
  type HeapGraph,
} from "../../bench/heap/graph.js";
import { parseHeap } from "../../bench/heap/text.js";

const before =
  "head:3 { 0=@left; 1=10; 2=@right; } left:3 { 0=null; 1=20; 2=null; } right:3 { 0=null; 1=30; 2=null; }";
const after = "head:3 { 0=null; 1=10; 2=@right; } right:3 { 0=null; 1=30; 2=null; }";

describe("a list in two memory orders", () => {
  const one = parseHeap("a:2 { 0=1; 1=@b; } b:2 { 0=2; 1=@c; } c:2 { 0=3; 1=null; }");
  const other = parseHeap("a:2 { 0=1; 1=@b; } c:2 { 0=3; 1=null; } b:2 { 0=2; 1=@c; }");

  test("has the access chain <1,1> at its third element", () => {
    expect(accessChains(one)[2]).toEqual([1, 1]);
    expect(accessChains(one)[0]).toEqual([]);
  });

  test("is one canonical state, though memory differs", () => {
    expect(canonicalText(one, memoryOrder(one))).not.toBe(canonicalText(other, memoryOrder(other)));
    expect(canonicalText(one, locateDepthFirst(one))).toBe(canonicalText(other, locateDepthFirst(other)));
    expect(canonicalText(one, locateByChain(one))).toBe(canonicalText(other, locateByChain(other)));
    const table = new ChainTable();
    expect(canonicalText(one, table.locate(one))).toBe(canonicalText(other, table.locate(other)));
  });
});

describe("a tree that loses its left child", () => {
  test("moves its right child depth-first", () => {
    expect(locateDepthFirst(parseHeap(before))).toEqual([0, 3, 6]);
    expect(locateDepthFirst(parseHeap(after))).toEqual([0, 3]);
  });

  test("keeps its right child with the table, and only the head changes", () => {
    const table = new ChainTable();
    const [whole, cut] = [parseHeap(before), parseHeap(after)];
    const first = table.locate(whole);
    expect(first).toEqual([0, 3, 6]);
    const second = table.locate(cut);
    expect(second).toEqual([0, 6]);
    const images = new Set(imagesAt(whole, first));
    expect(imagesAt(cut, second).map((image) => images.has(image))).toEqual([false, true]);
  });

  test("has other locations in a run that begins there, but not by chain", () => {
    expect(new ChainTable().locate(parseHeap(after))).toEqual([0, 3]);
    expect(locateByChain(parseHeap(after))[1]).toBe(locateByChain(parseHeap(before))[2]);
  });
});

test("objects of different lengths at one chain do not overlap", () => {
  const table = new ChainTable();
  const short = table.locate(parseHeap("r:2 { 0=@a; 1=@b; } a:2 { 0=1; } b:2 { 0=2; }"));
  const long = table.locate(parseHeap("r:2 { 0=@a; 1=@b; } a:5 { 0=1; } b:2 { 0=2; }"));
  expect(short).toEqual([0, 2, 4]);
  expect(long).toEqual([0, 6, 4]);
});

describe("an extra reference that comes earlier", () => {
  const far = parseHeap("r:6 { 5=@h; } h:1 { 0=@x; } x:2 { 0=7; }");
  const near = parseHeap("r:6 { 1=@x; 5=@h; } h:1 { 0=@x; } x:2 { 0=7; }");
  const taken = parseHeap("r:6 { 1=@y; 5=@h; } h:1 { 0=@x; } x:2 { 0=7; } y:2 { 0=8; }");

  test("moves the object without reuse", () => {
    const table = new ChainTable();
    expect(table.locate(near)[2]).not.toBe(table.locate(far)[2]);
  });

  test("leaves it where it was with reuse, and a conflict is one mutation", () => {
    const table = new ChainTable(true);
    const first = table.locate(far);
    const second = table.locate(near, first);
    expect(second[2]).toBe(first[2]);
    table.locate(taken, [...second, undefined]);
    expect(table.mutations).toBe(1);
  });
});

test("a sorted queue is one state, but not by allocation context", () => {
  const orders = [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
  ];
  const heaps = orders.map(sortedQueue);
  const contexts = new ContextTable();
  const distinct = (images: readonly string[]): number => new Set(images).size;
  expect(distinct(heaps.map((heap) => canonicalText(heap, locateDepthFirst(heap))))).toBe(1);
  expect(distinct(heaps.map((heap) => canonicalText(heap, locateByChain(heap))))).toBe(1);
  expect(distinct(heaps.map((heap) => canonicalText(heap, contexts.locate(heap))))).toBeGreaterThan(1);
});

/** Packet `p` of the queue was the n-th to be allocated. */
function sortedQueue(arrivals: readonly number[]): HeapGraph {
  const text = `q:1 { 0=@p1; } p1:2 { 0=1; 1=@p2; } p2:2 { 0=2; 1=@p3; } p3:2 { 0=3; 1=null; }`;
  const { objects } = parseHeap(text);
  return {
    objects: objects.map((object, index) =>
      index === 0 ? object : { ...object, context: `packet ${arrivals.indexOf(index)}` },
    ),
  };
}

const memoryOrder = ({ objects }: HeapGraph): number[] => objects.map((_, index) => 10 * index);
