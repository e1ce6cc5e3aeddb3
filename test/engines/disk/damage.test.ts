/** Searches on disk whose files were damaged, mixed or are in use: refused by name, never another count. */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskProblem, Folder } from "../../../src/engines/explicit/disk/folder.js";
import { searchOnDisk } from "../../../src/engines/explicit/disk/search.js";
import { NO_ERRORS, makeToy, recipeOf, type MadeModel } from "../parallel/made-models.js";
import { figures } from "../parallel/results.js";

const data: MadeModel = { kind: "counters", n: 4, limit: 9 };
const sizes = { checkpointMs: 0, residentStates: 300, recentStates: 150 };
const truth = [9 ** 4, 4 * 9 ** 4, 32];

let root: string;
/** Two searches of one model, stopped at different points, and a finished one. */
const kept: string[] = [];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "everypath-damage-"));
  for (const maxStates of [3500, 5200, undefined]) {
    const directory = join(root, `kept-${maxStates}`);
    await searchIn(directory, false, maxStates);
    kept.push(directory);
  }
  // Every kind of file is there to be damaged, and logs of more than one block.
  for (const directory of kept)
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(["manifest.json", "parents", "states-1"]));
  expect(readdirSync(kept[0]!).filter((name) => name.startsWith("run-")).length).toBeGreaterThan(1);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Damage {
  readonly kind: "flip" | "cut" | "remove" | "exchange" | "zero" | "extend";
  /** Which search, which file, where in it: parts of the whole. */
  readonly search: number;
  readonly file: number;
  readonly at: number;
  readonly bit: number;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom("flip", "flip", "flip", "cut", "remove", "exchange", "zero", "extend"),
  search: fc.nat(2),
  file: fc.nat(99),
  at: fc.double({ min: 0, max: 0.999999, noNaN: true }),
  bit: fc.nat(7),
});

test("damage anywhere is refused, and the file is named", { timeout: 240_000 }, async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      const directory = mkdtempSync(join(root, "damaged-"));
      try {
        cpSync(kept[damage.search]!, directory, { recursive: true });
        const name = spoil(directory, damage);
        const result = await searchIn(directory, true).catch((error: unknown) => error);
        if (result instanceof DiskProblem) {
          refused++;
          const isAboutAll = name === "manifest.json" && ["remove", "exchange"].includes(damage.kind);
          if (!isAboutAll)
            expect([result.kind, result.message]).toEqual(["damaged", expect.stringContaining(name)]);
        } else expect(figures(result as Awaited<ReturnType<typeof searchIn>>)).toEqual(truth);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    }),
    { numRuns: 150 },
  );
  // Bytes that no checkpoint counts may change; hardly any others are there.
  expect(refused).toBeGreaterThan(100);
});

test("each single bit of a manifest", { timeout: 240_000 }, () => {
  const directory = join(root, "manifest");
  cpSync(kept[0]!, directory, { recursive: true });
  const file = join(directory, "manifest.json");
  const text = readFileSync(file);
  for (let at = 0; at < text.length; at += 7) {
    const changed = Buffer.from(text);
    changed[at]! ^= 1 << (at % 8);
    writeFileSync(file, changed);
    expect(() => open(directory), `byte ${at}`).toThrow(DiskProblem);
  }
});

test("a file of another search with the same name and size does not pass", async () => {
  const [a, b] = [join(root, "one"), join(root, "other")];
  cpSync(kept[0]!, a, { recursive: true });
  const other: MadeModel = { kind: "counters", n: 4, limit: 8 };
  await searchIn(b, false, 3500, other);
  const size = (directory: string): number => readFileSync(join(directory, "parents")).length;
  expect(size(b)).toBeGreaterThan(4000);
  cpSync(join(b, "parents"), join(a, "parents"));
  await expect(searchIn(a, true)).rejects.toMatchObject({ kind: "damaged" });
});

test("one search at a time, and a lock of another machine counts", () => {
  const directory = join(root, "locked");
  cpSync(kept[0]!, directory, { recursive: true });
  const first = open(directory);
  expect(() => open(directory)).toThrow(/is searching in/);
  first.release();
  open(directory).release();
  // A process that is gone leaves its lock behind; the next one removes it.
  const [pid] = [2 ** 22 + 1];
  const stale = first.lockName.replace(/^lock-\d+/, `lock-${pid}`);
  writeFileSync(join(directory, stale), "");
  open(directory).release();
  expect(readdirSync(directory).filter((name) => name.startsWith("lock"))).toEqual([]);
  writeFileSync(join(directory, stale.replace(/-\w+(-\w+)$/, "-elsewhere$1")), "");
  expect(() => open(directory)).toThrow(/another machine/);
});

function spoil(directory: string, { kind, search, file, at, bit }: Damage): string {
  const names = readdirSync(directory).sort();
  const name = names[file % names.length]!;
  const path = join(directory, name);
  const bytes = readFileSync(path);
  const place = Math.floor(at * bytes.length);
  switch (kind) {
    case "flip":
      bytes[place]! ^= 1 << bit;
      writeFileSync(path, bytes);
      break;
    case "zero":
      writeFileSync(path, bytes.fill(0, place, Math.min(bytes.length, place + 64)));
      break;
    case "cut":
      truncateSync(path, place);
      break;
    case "extend":
      writeFileSync(path, Buffer.concat([bytes, bytes.subarray(place)]));
      break;
    case "remove":
      rmSync(path);
      break;
    case "exchange": {
      const other = kept[(search + 1) % kept.length]!;
      if (readdirSync(other).includes(name)) cpSync(join(other, name), path);
    }
  }
  return name;
}

const open = (directory: string): Folder =>
  new Folder({ directory, resumes: true, identity: "test", isDurable: false });

async function searchIn(directory: string, resumes: boolean, maxStates?: number, what = data) {
  const folder = new Folder({ directory, resumes, identity: "test", isDurable: false });
  try {
    const model = makeToy(recipeOf(what), folder.manifest.checkpoint?.width ?? 0);
    const budget = maxStates === undefined ? {} : { maxStates };
    return await searchOnDisk(model, { ...NO_ERRORS, budget }, folder, sizes);
  } finally {
    folder.release();
  }
}
