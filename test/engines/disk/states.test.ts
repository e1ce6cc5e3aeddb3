/** Searches on disk, of a few states: all are found, once, with their shortest paths, in one go and after a search was resumed; quick, for mutation testing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Folder } from "../../../src/engines/explicit/disk/folder.js";
import { searchOnDisk, type DiskSizes } from "../../../src/engines/explicit/disk/search.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import { PLAIN, counters } from "../explicit/checking.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel, trimmed, type Toy, type ToyState } from "../explicit/toys.js";
import { statesOfOneHash } from "../stores/collisions.js";

const root = mkdtempSync(join(tmpdir(), "everypath-states-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): Folder =>
  new Folder({ directory: join(root, `${folders++}`), resumes: false, identity: "test", isDurable: false });

const same = statesOfOneHash(40);

/** States of one hash, of two widths. */
const alike: Toy = {
  initial: [...same[0]!],
  next: ([n = 0, , third = 0]) => {
    const to = [n, n + 5].filter((i) => i < same.length).map((i) => ({ to: [...same[i]!, third] }));
    return n === 8 || n === 22 ? [...to, { to: [...same[n]!, n] }] : to;
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
  const model = toyModel({ ...toy, width });
  const invariants = (toy.invariants ?? []).map((_, i) => i);
  return searchOnDisk(model, { ...PLAIN, order: "bfs", invariants, ...options }, folder, {
    checkpointMs: 1e9,
    ...sizes,
  });
}

const keyOf = (state: ToyState | Int32Array): string => trimmed([...state]).join();

/** All states of it. */
function statesOf(toy: Toy): ToyState[] {
  const all = new Map([[keyOf(toy.initial), toy.initial]]);
  for (const state of all.values())
    for (const { to } of toy.next(trimmed(state))) if (!all.has(keyOf(to!))) all.set(keyOf(to!), to!);
  return [...all.values()];
}

const figures = ({ stop, stats }: SearchResult) => [stop, stats.states, stats.transitions, stats.depth];

describe.each(Object.entries({ alike, counters: counters(2, 5) }))("a search: %s", (_, plain) => {
  const all = statesOf(plain).map(keyOf);
  /** Each state is an error of its own: so there is a path to it. */
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
    [15, 1000],
    [1000, 1],
    [20, 7],
  ])("%i states in memory, %i for now", async (residentStates, recentStates) => {
    verify(await searchIn(newFolder(), toy, { residentStates, recentStates }));
  });

  test.each([
    [10, 4, 10, 4],
    [20, 10, 4, 2],
    [4, 2, 1000, 40],
    [1000, 2, 7, 3],
    [4, 100, 4, 2],
  ])("%i and %i, stopped, then %i and %i", async (before, recentBefore, after, recentAfter) => {
    for (const maxStates of [1, 9, 16]) {
      const folder = newFolder();
      const sizes = { residentStates: before, recentStates: recentBefore };
      const cut = await searchIn(folder, toy, sizes, { budget: { maxStates } });
      expect([cut.stop, cut.stats.states < states]).toEqual(["states", true]);
      verify(await searchIn(folder, toy, { residentStates: after, recentStates: recentAfter }));
      verify(await searchIn(folder, toy, {}));
    }
  });

  test("a checkpoint after each batch, and each may be the last", async () => {
    verify(await searchIn(newFolder(), toy, { checkpointMs: 0, residentStates: 15, recentStates: 8 }));
  });
});

test("more states than are read at once", async () => {
  const toy = counters(2, 40);
  const whole = [undefined, 1600, 3200, 78];
  const folder = newFolder();
  const sizes = { residentStates: 300, recentStates: 700 };
  const cut = await searchIn(folder, toy, sizes, { budget: { maxStates: 1450 } });
  expect(cut.stop).toBe("states");
  expect(figures(await searchIn(folder, toy, sizes))).toEqual(whole);
  const roomy = { residentStates: 1300, recentStates: 10_000 };
  expect(figures(await searchIn(newFolder(), toy, roomy))).toEqual(whole);
});
