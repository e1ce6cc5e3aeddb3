import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { treeShape, type Part, type TreeShape } from "../../../src/engines/explicit/tree-shape.js";
import { TreeStore } from "../../../src/engines/explicit/tree-store.js";

const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
const states = (width: number) =>
  fc.array(fc.array(word, { minLength: width, maxLength: width }), { maxLength: 60 });

describe("the tree store", () => {
  test("agrees with a set, and gives every state back, while states get wider", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }).chain((width) => states(width).map((list) => ({ width, list }))),
        fc.integer({ min: 1, max: 5 }).chain((more) => states(9 + more).map((list) => ({ more, list }))),
        fc.boolean(),
        (narrow, wide, isShaped) => {
          const sample = isShaped ? narrow.list.map((words) => Int32Array.from(words)) : [];
          const store = new TreeStore(
            { width: narrow.width, keepsLog: true, maxStates: Infinity, chunkBits: 4, sample },
            new Ledger(),
          );
          const known = new Map<string, number>();
          const enter = (words: readonly number[]): void => {
            const key = trimmed(words);
            const root = store.root(Int32Array.from(words), 0)!;
            expect(store.insert(root, known.size)).toBe(known.has(key) ? 0 : 1);
            if (!known.has(key)) known.set(key, known.size + 1);
          };
          narrow.list.forEach(enter);
          expect(store.widen(9 + wide.more)).not.toBeUndefined();
          narrow.list.forEach((words) => enter([...words, ...zeros(9 + wide.more - narrow.width)]));
          wide.list.forEach(enter);
          expect(store.count).toBe(known.size);
          for (const [key, id] of known) {
            expect(trimmed([...store.numbered(id, store.width)])).toBe(key);
            expect(store.parent(id)).toBe(id - 1);
          }
        },
      ),
    ));

  test("references that others keep are renewed when states get wider", () => {
    const store = new TreeStore({ width: 2, keepsLog: false, maxStates: Infinity }, new Ledger());
    const refs = Int32Array.from([
      ...store.enter(Int32Array.of(7, 8))!,
      ...store.enter(Int32Array.of(0, 0))!,
    ]);
    const before = refs.slice();
    const renewal = store.widen(5);
    if (typeof renewal !== "function") throw new Error("wider states have other roots");
    expect(renewal(refs, 0) && renewal(refs, 2)).toBe(true);
    expect([...store.referred(refs, 0, 5)]).toEqual([7, 8, 0, 0, 0]);
    expect([...store.referred(refs, 2, 5)]).toEqual([0, 0, 0, 0, 0]);
    expect([...store.referred(before, 0, 2)]).toEqual([7, 8]);
    expect(store.insert({ left: refs[2]!, right: refs[3]! })).toBe(0);
  });

  test("keeps within its memory, and says so", () => {
    const store = new TreeStore({ width: 3, keepsLog: false, maxStates: Infinity }, new Ledger(200_000));
    let entered = 0;
    for (; entered < 1e6; entered++) {
      const root = store.root(Int32Array.of(entered, entered * 7, 1), 0);
      if (!root || store.insert(root) === undefined) break;
    }
    expect(entered).toBeGreaterThan(1000);
    expect(entered).toBeLessThan(30_000);
  });
});

describe("the shape of a tree", () => {
  test("has every word once, and nodes after their parts", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 60, maxLength: 60 }), {
          maxLength: 20,
        }),
        (width, sample) => {
          const shape = treeShape(
            width,
            sample.map((words) => Int32Array.from(words)),
          );
          const words = [...leaves(shape, shape.left), ...leaves(shape, shape.right)];
          expect(words.sort((a, b) => a - b)).toEqual(Array.from({ length: width }, (_, k) => k));
          shape.nodes.forEach(({ left, right }, k) => {
            for (const part of [left, right]) if (part.kind === "node") expect(part.node).toBeLessThan(k);
          });
          if (width > 2) expect(shape.left.kind).toBe("node");
        },
      ),
      { numRuns: 30 },
    ));

  test("words with many values are kept apart", () => {
    const sample = Array.from({ length: 500 }, (_, i) => Int32Array.of(i, (i * 7) % 499, 1, 2));
    const shape = treeShape(4, sample);
    const left = leaves(shape, shape.left);
    expect(left.includes(0)).not.toBe(left.includes(1));
  });

  test.each([4, 14])("words of %i that depend on each other are kept together", (width) => {
    // Words 0 and 3 say the same, and so do 1 and 2; both pairs have many values. The others have one.
    const sample = Array.from({ length: 2000 }, (_, i) => {
      const [one, other] = [(i * 7919) % 211, (i * 104_729) % 197];
      return Int32Array.from({ length: width }, (_, k) => [one, other, -other, one + 5][k] ?? 3);
    });
    const shape = treeShape(width, sample);
    const left = leaves(shape, shape.left);
    expect(left.includes(0)).toBe(left.includes(3));
    expect(left.includes(1)).toBe(left.includes(2));
    expect(left.includes(0)).not.toBe(left.includes(1));
  });
});

const zeros = (n: number): number[] => new Array<number>(n).fill(0);

function trimmed(words: readonly number[]): string {
  const end = words.findLastIndex((w) => w !== 0) + 1;
  return words.slice(0, end).join(",");
}

function leaves(shape: TreeShape, part: Part): number[] {
  if (part.kind === "word") return [part.word];
  if (part.kind === "nothing") return [];
  const { left, right } = shape.nodes[part.node]!;
  return [...leaves(shape, left), ...leaves(shape, right)];
}
