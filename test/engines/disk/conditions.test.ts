/** Conditions on which a search on disk refuses foreign files, one by one; quick, for mutation testing. */
import {
  cpSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Folder, type Checkpoint } from "../../../src/engines/explicit/disk/folder.js";
import { StateLog } from "../../../src/engines/explicit/disk/log.js";
import { RunWriter, SortedRun } from "../../../src/engines/explicit/disk/sorted-run.js";
import { RunningSum, readWhole } from "../../../src/engines/explicit/disk/summed.js";
import { hashWords } from "../../../src/engines/explicit/hash.js";

const root = mkdtempSync(join(tmpdir(), "everypath-conditions-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): Folder =>
  new Folder({ directory: join(root, `${folders++}`), resumes: false, identity: "test", isDurable: false });
const again = (folder: Folder): Folder =>
  new Folder({ directory: folder.path(""), resumes: true, identity: "test", isDurable: false });

/** The file with one word changed, while `act` runs. */
function withChanged(path: string, word: number, act: () => void): void {
  const bytes = readFileSync(path);
  const changed = Buffer.from(bytes);
  changed[4 * word + (word % 4)]! ^= 1 << (word % 8);
  writeFileSync(path, changed);
  act();
  writeFileSync(path, bytes);
}

test("a sum is that of these words if both of its parts are", () => {
  const sum = new RunningSum();
  sum.add(Int32Array.of(1, 2, 3), 0, 3);
  const [a, b] = sum.value;
  for (const [there, isIt] of [
    [[a, b], true],
    [[a, b + 1], false],
    [[a + 1, b], false],
    [[b, a], false],
  ] as const) {
    expect(sum.equals(there)).toBe(isIt);
    expect(sum.isAt(Int32Array.of(7, ...there), 1)).toBe(isIt);
  }
});

test("a file that is too short is refused", () => {
  const path = join(root, "short");
  writeFileSync(path, new Uint8Array(8));
  const file = openSync(path, "r");
  expect(() => readWhole(file, new Int32Array(2), 0, "short")).not.toThrow();
  expect(() => readWhole(file, new Int32Array(3), 0, "short")).toThrow("shorter");
  closeSync(file);
});

describe("the log", () => {
  /** A run of `count` one-word states; `seed` distinguishes searches. */
  const written = (count: number, seed: number) => {
    const folder = newFolder();
    const log = new StateLog(folder, undefined);
    for (let id = 1; id <= count; id++) log.append(Int32Array.of(id * seed), 0, 1, id - 1);
    log.sync();
    const { parentsSum, segments } = log;
    log.close();
    const checkpoint = { states: count, parentsSum, segments } as Checkpoint;
    const open = (): StateLog => new StateLog(folder, checkpoint);
    return { folder, open };
  };

  // A block has 1024 words.
  for (const count of [1, 1000, 1023, 1024, 1025, 2048, 2500])
    test(`${count} states: every kind of word counts`, () => {
      const { folder, open } = written(count, 3);
      const path = folder.path("states-1");
      const words = readFileSync(path).length / 4;
      const at = [0, 1, 500, 1022, 1023, 1024, 1025, 1026, 2049, 2050, 2051, 2052, words - 1];
      for (const word of new Set(at.filter((word) => word < words)))
        withChanged(path, word, () => expect(open, `word ${word}`).toThrow("damaged"));
      const log = open();
      const out = new Int32Array(count);
      expect([log.read(1, out, 1), out.at(-1), log.parent(count)]).toEqual([count, 3 * count, count - 1]);
      withChanged(path, words - 1, () => expect(() => log.read(count, out, 1)).toThrow("damaged"));
      log.close();
    });

  for (const count of [1000, 1024, 2048])
    test(`${count} states of another search are refused`, () => {
      const [mine, other] = [written(count, 3), written(count, 5)];
      cpSync(other.folder.path("states-1"), mine.folder.path("states-1"));
      expect(mine.open).toThrow("damaged");
    });
});

describe("a run", () => {
  const written = (count: number, seed: number) => {
    const folder = newFolder();
    const all = Array.from({ length: count }, (_, i) => Int32Array.of(i * seed));
    const hashed = all.map((words) => ({ words, hash: hashWords(words, 0, 1, 0) >>> 0 }));
    hashed.sort((a, b) => a.hash - b.hash);
    const writer = new RunWriter(folder, "run-1", 1);
    for (const { hash, words } of hashed) writer.add(hash, words, 0, 1);
    const run = writer.finish(0);
    const open = (): SortedRun => new SortedRun(folder, run.entry, 0);
    return { folder, open, hashed };
  };

  // A block has 256 records.
  for (const count of [1, 256, 600])
    test(`${count} states: every kind of word counts`, () => {
      const { folder, open, hashed } = written(count, 3);
      const path = folder.path("run-1");
      const words = readFileSync(path).length / 4;
      const at = [0, 1, 255, 256, 257, 258, 515, 516, words - 2, words - 1];
      for (const word of new Set(at.filter((word) => word < words)))
        withChanged(path, word, () => expect(open, `word ${word}`).toThrow("damaged"));
      const run = open();
      expect(hashed.every(({ hash, words: own }) => run.has(hash, own, 0, 1))).toBe(true);
      run.close();
    });

  test("of another search is refused", () => {
    const [mine, other] = [written(300, 3), written(300, 5)];
    cpSync(other.folder.path("run-1"), mine.folder.path("run-1"));
    expect(mine.open).toThrow("damaged");
  });
});

describe("the folder", () => {
  test("a manifest counts if its format and its sum are right", () => {
    const folder = newFolder();
    folder.release();
    again(folder).release();
    const path = folder.path("manifest.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"identity":"test"', '"identity":"tesT"'));
    expect(() => again(folder)).toThrow("is damaged");
    writeFileSync(path, text);
    folder.save({ ...folder.manifest, format: "another" as never });
    expect(() => again(folder)).toThrow("another version");
  });

  test("one search at a time; who is gone does not count, unless on another machine", () => {
    const folder = newFolder();
    const directory = folder.path("");
    expect(() => again(folder)).toThrow("is searching in");
    folder.release();
    const gone = folder.lockName.replace(/^lock-\d+/, `lock-${2 ** 22 + 1}`);
    writeFileSync(join(directory, gone), "");
    again(folder).release();
    expect(readdirSync(directory).filter((name) => name.startsWith("lock"))).toEqual([]);
    writeFileSync(join(directory, gone.replace(/-\w+(-\w+)$/, "-elsewhere$1")), "");
    expect(() => again(folder)).toThrow("another machine");
  });
});
