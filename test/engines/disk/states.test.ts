/** Searches on disk, of a few states: all are found, once, with their shortest paths, in one go and after a search was resumed; quick, for mutation testing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { breadthFirstLoops } from "../../../src/engines/explicit/breadth-first-loops.js";
import { Folder } from "../../../src/engines/explicit/disk/folder.js";
import { searchOnDisk, type DiskSizes } from "../../../src/engines/explicit/disk/search.js";
import { DiskStates } from "../../../src/engines/explicit/disk/states.js";
import type { SafetyMonitor } from "../../../src/engines/explicit/monitor.js";
import { Run } from "../../../src/engines/explicit/order.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import type { Model } from "../../../src/model/index.js";
import { PLAIN, counters } from "../explicit/checking.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel, trimmed, type Toy, type ToyState } from "../explicit/toys.js";
import { statesOfOneHash } from "../stores/collisions.js";

const root = mkdtempSync(join(tmpdir(), "everypath-states-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): Folder =>
  new Folder({ directory: join(root, `${folders++}`), resumes: false, identity: "test", isDurable: false });

const same = statesOfOneHash(30);

/** States of one hash, of two widths. */
const alike: Toy = {
  initial: [...same[0]!],
  next: ([n = 0, , third = 0]) => {
    const to = [n, n + 5].filter((i) => i < same.length).map((i) => ({ to: [...same[i]!, third] }));
    return n === 8 || n === 18 ? [...to, { to: [...same[n]!, n] }] : to;
  },
  isValidEnd: () => true,
};

/** With the width that its states have in the folder. */
async function searchIn(
  folder: Folder,
  toy: Toy,
  sizes: Partial<DiskSizes>,
  options: Partial<SearchOptions> = {},
): Promise<SearchResult> {
  const width = Math.max(toy.width ?? 0, folder.manifest.checkpoint?.width ?? 0);
  let expanded = 0;
  const next: Toy["next"] = (state) => {
    if (++expanded > 10_000) throw new Error("the search does not end");
    return toy.next(state);
  };
  const model = toyModel({ ...toy, width, next });
  const invariants = (toy.invariants ?? []).map((_, i) => i);
  return searchOnDisk(model, { ...PLAIN, order: "bfs", invariants, ...options }, folder, {
    checkpointMs: 1e9,
    ...sizes,
  });
}

const keyOf = (state: ToyState | Int32Array): string => trimmed([...state]).join();

function statesOf(toy: Toy): ToyState[] {
  const all = new Map([[keyOf(toy.initial), toy.initial]]);
  for (const state of all.values())
    for (const { to } of toy.next(trimmed(state))) if (!all.has(keyOf(to!))) all.set(keyOf(to!), to!);
  return [...all.values()];
}

const figures = ({ stop, stats }: SearchResult) => [stop, stats.states, stats.transitions, stats.depth];

/** The first of many states makes the others wider, when some of them are in memory for good. */
const burst: Toy = {
  initial: [40],
  next: ([n = 0, ...rest]) => {
    if (n === 40) return Array.from({ length: 9 }, (_, i) => ({ to: [i + 1] }));
    return rest.length > 0 || n > 9 ? [] : [{ to: [n, 1, n] }, { to: [n + 10] }];
  },
  isValidEnd: () => true,
};

describe.each(Object.entries({ alike, burst, counters: counters(2, 4) }))("a search: %s", (_, plain) => {
  const all = statesOf(plain).map(keyOf);
  /** Each state is a separate error, so there is a path to it. */
  const toy: Toy = { ...plain, invariants: all.map((key) => (state) => keyOf(state) !== key) };
  const { states, transitions, depth, errors } = obviousSearch(toy);
  const verify = (found: SearchResult): void => {
    expect(figures(found)).toEqual([undefined, states, transitions, depth]);
    expect(found.violations.length).toBe(all.length);
    for (const { cause, path, occurrences } of found.violations) {
      if (cause.kind !== "invariant") throw new Error(`there is a ${cause.kind}`);
      expect([occurrences, path.length - 1]).toEqual([1, errors.get(`i${cause.index}`)]);
      const steps = Array.from({ length: path.length }, (_, i) => trimmed([...path.state(i)]));
      expect([keyOf(steps[0]!), keyOf(steps.at(-1)!)]).toEqual([keyOf(toy.initial), all[cause.index]]);
      for (const [i, next] of steps.slice(1).entries())
        expect(toy.next(steps[i]!).some(({ to }) => keyOf(to!) === keyOf(next))).toBe(true);
    }
  };

  test.each([
    [1, 1],
    [7, 3],
    [9, 1000],
    [1000, 1],
  ])("%i states in memory, %i for now", async (residentStates, recentStates) => {
    const folder = newFolder();
    verify(await searchIn(folder, toy, { residentStates, recentStates }));
    const { runs } = folder.manifest.checkpoint!;
    expect(runs.length > 0).toBe(residentStates + recentStates < states);
  });

  test.each([
    [8, 4, 8, 4],
    [12, 6, 4, 2],
    [4, 2, 1000, 40],
    [1000, 2, 7, 3],
    [4, 100, 4, 1],
  ])("%i and %i, stopped, then %i and %i", async (before, recentBefore, after, recentAfter) => {
    for (const maxStates of [1, 13]) {
      const folder = newFolder();
      const sizes = { residentStates: before, recentStates: recentBefore };
      const cut = await searchIn(folder, toy, sizes, { budget: { maxStates } });
      expect(cut.stop).toBe("states");
      verify(await searchIn(folder, toy, { residentStates: after, recentStates: recentAfter }));
      if (maxStates > 1) verify(await searchIn(folder, toy, {}));
    }
  });

  test("less memory than before, twice: what was in memory is found in runs", async () => {
    const folder = newFolder();
    for (const [residentStates, maxStates] of [
      [1000, 8],
      [4, 12],
      [2, 15],
    ] as const)
      // prettier-ignore
      await searchIn(folder, toy, { residentStates, recentStates: 1000 }, { budget: { maxStates } });
    verify(await searchIn(folder, toy, { residentStates: 2, recentStates: 1000 }));
  });

  test("as long as there is memory, states are there and nowhere else", async () => {
    for (const maxStates of [13, Infinity]) {
      const folder = newFolder();
      const roomy = { residentStates: 1000, recentStates: 1 };
      await searchIn(folder, toy, roomy, { budget: { maxStates } });
      const cut = folder.manifest.checkpoint!;
      expect([cut.resident, cut.sorted, cut.runs]).toEqual([cut.states, cut.states, []]);
      // A file for each width.
      expect(new Set(cut.segments.map(({ width }) => width)).size).toBe(cut.segments.length);
      if (maxStates === Infinity) continue;
      const found = await searchIn(folder, toy, roomy);
      verify(found);
      expect([found.store.count, folder.manifest.checkpoint!.runs]).toEqual([states, []]);
    }
  });

  test("without memory for a single state that is to be looked up there is no answer", async () => {
    const folder = newFolder();
    const { stop } = await searchIn(folder, toy, { residentStates: 1, recentStates: 0 });
    expect([stop, folder.manifest.checkpoint]).toEqual(["memory", undefined]);
  });

  test("a checkpoint after each batch, and each may be the last", async () => {
    verify(await searchIn(newFolder(), toy, { checkpointMs: 0, residentStates: 15, recentStates: 8 }));
  });
});

test("an error that is found when its level ends is why the search ends, also where it may go no deeper", async () => {
  const line: Toy = { initial: [1], next: ([n = 0]) => [{ to: [n + 1] }], invariants: [([n]) => n !== 2] };
  const options = { maxErrors: 1, budget: { maxDepth: 1 } };
  const found = await searchIn(newFolder(), line, { residentStates: 1 }, options);
  expect([found.stop, found.violations.length]).toEqual(["errors", 1]);
});

test("whatever the memory: all states", async () => {
  const { states, transitions, depth } = obviousSearch(alike);
  const found = new Set<string>();
  for (let memoryBytes = 1 << 10; memoryBytes < 1 << 20; memoryBytes *= 1.25)
    found.add(String(figures(await searchIn(newFolder(), alike, {}, { budget: { memoryBytes } }))));
  // Or not even the first one fits.
  expect([...found]).toEqual(["memory,0,0,0", `,${states},${transitions},${depth}`]);
});

test("states are read in any order, before anything is written", () => {
  const examined: number[] = [];
  const { system } = toyModel({ initial: [0], next: () => [] });
  const open = (residentStates: number): DiskStates =>
    new DiskStates(system, newFolder(), { bytes: Infinity, residentStates }, (_, id) => examined.push(id));
  for (const residentStates of [3, 100]) {
    const disk = open(residentStates);
    const list = Int32Array.from({ length: 12 }, (_, i) => 10 + i);
    disk.enter(Int32Array.of(9));
    const run = new Run({ system } as unknown as Model, disk, {
      invariants: [],
    } as unknown as SafetyMonitor, Infinity, undefined); // prettier-ignore
    const loops = breadthFirstLoops(run, { width: 1, ends: Int32Array.of(12) });
    for (let entered = 0; (entered = loops.resolve(list, entered, 12, 1, false)) < 12;)
      expect([entered >= 0, disk.grow()]).toEqual([true, "grown"]);
    disk.endLevel();
    expect(examined.splice(0)).toEqual(
      Array.from({ length: 13 - disk.residents }, (_, i) => i + 1 + disk.residents),
    );
    const [first, last] = [disk.numbered(2)[0]!, disk.numbered(13)[0]!];
    expect([disk.count, disk.numbered(1)[0]]).toEqual([13, 9]);
    for (const id of [13, 5, 4, 3, 2, 11, 6]) {
      const { words, at } = disk.locate(id);
      expect([words[at], disk.parent(id)]).toEqual([disk.numbered(id)[0], 1]);
    }
    const all = Array.from({ length: 12 }, (_, i) => disk.numbered(i + 2)[0]!);
    expect([all[0], all[11], all.sort((a, b) => a - b)]).toEqual([first, last, [...list]]);
    disk.close();
  }
});

test("more states than are read at once", async () => {
  const toy = counters(2, 40);
  const whole = [undefined, 1600, 3200, 78];
  const folder = newFolder();
  const sizes = { residentStates: 100, recentStates: 700 };
  const cut = await searchIn(folder, toy, sizes, { budget: { maxStates: 1450 } });
  expect(cut.stop).toBe("states");
  expect(figures(await searchIn(folder, toy, sizes))).toEqual(whole);
  expect((await searchIn(newFolder(), toy, {})).store.count).toBe(1600);
  const roomy = { residentStates: 1300, recentStates: 10_000 };
  expect(figures(await searchIn(newFolder(), toy, roomy))).toEqual(whole);
});
