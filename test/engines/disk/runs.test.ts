/** Runs of states on disk: every written state is found, in merged runs as well; quick, for mutation testing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Folder } from "../../../src/engines/explicit/disk/folder.js";
import { Recent } from "../../../src/engines/explicit/disk/recent.js";
import { mergeRuns, RunWriter, type SortedRun } from "../../../src/engines/explicit/disk/sorted-run.js";
import { Visits } from "../../../src/engines/explicit/disk/visits.js";
import { hashWords } from "../../../src/engines/explicit/hash.js";
import { statesOfOneHash } from "../stores/collisions.js";

const root = mkdtempSync(join(tmpdir(), "everypath-states-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): Folder =>
  new Folder({ directory: join(root, `${folders++}`), resumes: false, identity: "test", isDurable: false });

const hashOf = (words: Int32Array): number => hashWords(words, 0, words.length, 0) >>> 0;

function written(folder: Folder, name: string, width: number, states: readonly Int32Array[]): SortedRun {
  const writer = new RunWriter(folder, name, width);
  for (const words of states.toSorted((a, b) => hashOf(a) - hashOf(b)))
    writer.add(hashOf(words), words, 0, words.length);
  return writer.finish(0);
}

const has = (run: { has: SortedRun["has"] }, words: Int32Array): boolean =>
  run.has(hashOf(words), Int32Array.of(8, ...words), 1, words.length);

// A block has 256 records.
const same = statesOfOneHash(900);
const others = Array.from({ length: 300 }, (_, i) => Int32Array.of(i, -7));

describe("a run", () => {
  test.each([1, 255, 256, 257, 600])("%i states of one hash, over blocks, among others", (count) => {
    const folder = newFolder();
    for (const among of [[], others.slice(0, 40), others]) {
      const run = written(folder, "run-1", 2, [...same.slice(0, count), ...among]);
      for (const words of [...same.slice(0, count), ...among]) if (!has(run, words)) throw new Error("lost");
      expect(same.slice(count).some((words) => has(run, words))).toBe(false);
      expect(others.slice(among.length).some((words) => has(run, words))).toBe(false);
      expect(has(run, Int32Array.of(...same[0]!, 0))).toBe(true);
      expect(has(run, Int32Array.of(...same[0]!, 1))).toBe(false);
      run.close();
    }
  });

  test("of no states has none", () => {
    const run = written(newFolder(), "run-1", 2, []);
    expect([has(run, same[0]!), [...run.records()]]).toEqual([false, []]);
    run.close();
  });

  test("does not have the state that looks like its checksum", () => {
    const folder = newFolder();
    let tried = 0;
    for (const words of others) {
      const run = written(folder, "run-1", 2, [words]);
      const sum = Int32Array.from(run.entry.sum);
      // Only then it is looked for behind the last record.
      if (hashOf(sum) > hashOf(words)) expect([has(run, sum), tried++ >= 0]).toEqual([false, true]);
      run.close();
      if (tried > 2) break;
    }
    expect(tried).toBeGreaterThan(2);
  });

  test("of narrower states is merged with one of wider ones, and all are there", () => {
    const folder = newFolder();
    const wide = [...same.slice(600), ...others.slice(100)].map((words) => Int32Array.of(...words, 0));
    const wider = others.map(([a = 0]) => Int32Array.of(a, 5, 3));
    const [a, b] = [
      written(folder, "run-1", 2, [...same.slice(0, 600), ...others.slice(0, 100)]),
      written(folder, "run-2", 3, [...wide, ...wider]),
    ];
    for (const [left, right] of [
      [a, b],
      [b, a],
    ] as const) {
      // prettier-ignore
      const run = mergeRuns(folder, "run-3", left, right, 0);
      for (const words of [...same, ...others, ...wider]) if (!has(run, words)) throw new Error("lost");
      expect([run.count, run.width]).toEqual([1500, 3]);
      expect(has(run, Int32Array.of(1, 5, 4))).toBe(false);
      expect([...run.records()].length).toBe(1500);
      run.close();
    }
    a.close();
    b.close();
  });
});

describe("states met lately", () => {
  test("those that wait are new or old, and the new ones are given away in the order of their hashes", () => {
    const recent = new Recent(2, 0, 1 << 24, 1600);
    const all = [...same.slice(0, 700), ...others, ...others.map(([a = 0]) => Int32Array.of(a, 3))];
    const isOld = (words: Int32Array): boolean => words[0]! % 3 === 0;
    const settled: string[] = [];
    const settle = (): void =>
      recent.settle(
        (_, words, at) => isOld(words.subarray(at, at + 2)),
        (words, parent) => settled.push(`${words.join()} ${parent}`),
      );
    all.forEach((words, i) => {
      expect(recent.insert(Int32Array.of(9, ...words), 1, i)).toBe("waiting");
      expect(recent.insert(words, 0, -1)).toBe("known");
      if (i % 300 !== 299) return;
      expect(recent.waiting).toBe(300);
      settle();
      expect(recent.waiting).toBe(0);
    });
    settle();
    const news = all.flatMap((words, i) => (isOld(words) ? [] : [`${words.join()} ${i}`]));
    expect(settled.toSorted()).toEqual(news.toSorted());
    expect(recent.insert(Int32Array.of(77, 78), 0, 1, true)).toBe("waiting");
    expect(recent.waiting).toBe(0);
    const drained: string[] = [];
    let last = -1;
    recent.drain((hash, words, at, width) => {
      expect(hash).toBeGreaterThanOrEqual(last);
      last = hash;
      drained.push(words.subarray(at, at + width).join());
    });
    expect(drained.toSorted()).toEqual([...news.map((text) => text.split(" ")[0]!), "77,78"].toSorted());
    expect(recent.insert(all[0]!, 0, 1)).toBe("waiting");
  });

  test("there are so many, and no more", () => {
    const recent = new Recent(1, 0, 1 << 24, 3);
    const answers = [1, 2, 3, 4].map((i) => recent.insert(Int32Array.of(i), 0, 0));
    expect(answers).toEqual(["waiting", "waiting", "waiting", "full"]);
    const short = new Recent(1, 0, 6000);
    let count = 0;
    while (short.insert(Int32Array.of(count), 0, 0) === "waiting") count++;
    expect(count).toBeGreaterThan(100);
    expect(short.waiting).toBe(count);
  });

  test("go to runs, of which there are few, and are found there", () => {
    const visits = new Visits(newFolder(), [], 0);
    const recent = new Recent(2, 0, 1 << 24);
    for (let i = 0; i < 900; i += 60) {
      for (const words of same.slice(i, i + 60)) recent.insert(words, 0, 0, true);
      visits.add(recent, 2, i + 60);
    }
    expect(visits.sorted).toBe(900);
    for (const words of same) if (!has(visits, words)) throw new Error("lost");
    expect(has(visits, others[3]!)).toBe(false);
    expect(visits.entries.reduce((sum, { count }) => sum + count, 0)).toBe(900);
    expect(visits.entries.length).toBeLessThan(5);
    visits.close();
  });
});
