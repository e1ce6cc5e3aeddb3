/** The coordinator of a parallel search alone: two workers reply as the test dictates; quick, for mutation testing. */
import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Crew } from "../../../src/engines/explicit/parallel/crew.js";
import {
  Control,
  type Expanded,
  type Reply,
  type Request,
  type Round,
} from "../../../src/engines/explicit/parallel/protocol.js";
import { searchInParallel, type ArcSink } from "../../../src/engines/explicit/parallel/search.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import { SMALL_SIZES } from "./crews.js";
import { NO_ERRORS, make, modelOf } from "./made-models.js";

/** Blocks of ids taken, as reported by both workers, or by the first if it is alone. */
interface Scene {
  readonly taken: number;
  readonly says: readonly Partial<Omit<Expanded, "kind">>[];
}

const SILENCE: Omit<Expanded, "worker"> = {
  kind: "expanded",
  level: 0,
  levels: [],
  isFull: false,
  items: new Int32Array(0),
  stored: new Int32Array(0),
  unused: new Int32Array(0),
  positions: [],
  arcs: new Int32Array(0),
  sightings: [],
};

class Actor extends EventEmitter {
  readonly #answer: (request: Request) => Reply;

  constructor(answer: (request: Request) => Reply) {
    super();
    this.#answer = answer;
  }

  postMessage(request: Request): void {
    const reply = this.#answer(request);
    queueMicrotask(() => this.emit("message", reply));
  }

  terminate(): void {}
}

/** The rounds requested from the workers, and the number of growths of the store after its beginning. */
async function play(
  scenes: readonly Scene[],
  options: Partial<SearchOptions> = {},
  arcs?: ArcSink,
): Promise<{ readonly result: SearchResult; readonly rounds: readonly Round[]; readonly grown: number }> {
  const rounds: Round[] = [];
  let grown = -1;
  let control: Int32Array;
  const answer = (worker: number, request: Request): Reply => {
    switch (request.kind) {
      case "prepare":
        control = request.control;
        return { kind: "ready", width: 1, compareFrom: 0 };
      case "grow":
        if (worker === 0) grown++;
        return { kind: "grown" };
      case "expand": {
        if (worker === 0) rounds.push(request.round);
        const scene = scenes[rounds.length - 1];
        if (!scene) throw new Error("the script has no more rounds");
        control[Control.block] = scene.taken;
        return { ...SILENCE, worker, ...scene.says[worker] };
      }
      case "finish":
        return {
          kind: "finished",
          reached: new Uint8Array(0),
          truncated: undefined,
          partialOrder: undefined,
          backend: "javascript",
        };
      case "warm":
        throw new Error("nobody warms up");
    }
  };
  let actors = 0;
  const start = (): Worker => {
    const worker = actors++;
    return new Actor((request) => answer(worker, request)) as unknown as Worker;
  };
  const source = { count: 2, make, start };
  const model = modelOf({ kind: "counters", n: 1, limit: 5 });
  const more = { sizes: { ...SMALL_SIZES, firstTable: 64 }, arcs };
  const found = await searchInParallel(model, { ...NO_ERRORS, ...options }, source, new Crew(source), more);
  return { result: found!.result, rounds, grown };
}

const ids = (...ranges: number[]): Int32Array => Int32Array.from(ranges);
// The first state is 1, ids from 2 to before 4 were returned, a block has 4.

test("the next level is what those have stored who came farthest", async () => {
  const { result, rounds } = await play([
    { taken: 2, says: [{ stored: ids(2, 6) }] },
    {
      taken: 2,
      says: [
        { level: 2, levels: [3], stored: ids(9, 12) },
        { level: 1, stored: ids(6, 8) },
      ],
    },
    { taken: 0, says: [{ level: 3 }, { level: 3 }] },
  ]);
  expect(rounds.map(({ level, items, isAlone }) => [level, [...items!], isAlone])).toEqual([
    [0, [1, 2], true],
    [1, [2, 6], false],
    [3, [9, 12], false],
  ]);
  expect([result.stop, result.stats.depth]).toEqual([undefined, 3]);
});

test("ids that were returned are given out first, and fresh ones when there are no others", async () => {
  const { result, rounds } = await play([
    { taken: 2, says: [{ stored: ids(2, 6), unused: ids(6, 8) }] },
    {
      taken: 3,
      says: [
        { level: 1, stored: ids(6, 8), unused: ids(9, 12) },
        { level: 1, stored: ids(12, 13), unused: ids(13, 16) },
      ],
    },
    { taken: 1, says: [{ level: 2, stored: ids(9, 11), unused: ids(11, 12) }] },
    { taken: 0, says: [{ level: 3 }] },
  ]);
  expect(rounds.map(({ blocks, freshIds }) => [[...blocks], freshIds])).toEqual([
    [[2, 4], 4],
    [[6, 8], 8],
    [[9, 12, 13, 16], 16],
    [[13, 16, 11, 12], 16],
  ]);
  expect(result.store.count).toBe(11);
});

test("where states may not become more, the last ids are used up, returned ones and fresh ones", async () => {
  const budget = { maxStates: 6 };
  const returned = await play(
    [
      { taken: 2, says: [{ stored: ids(2, 5), unused: ids(5, 6), isFull: true }] },
      { taken: 1, says: [{ stored: ids(5, 6), isFull: true }] },
    ],
    { budget },
  );
  expect([returned.result.stop, returned.rounds.length, returned.grown]).toEqual(["states", 2, 0]);
  expect([returned.rounds[1]!.items, [...returned.rounds[1]!.blocks]]).toEqual([undefined, [5, 6]]);
  const fresh = await play(
    [
      { taken: 1, says: [{ stored: ids(2, 4), isFull: true }] },
      { taken: 1, says: [{ stored: ids(2, 7), isFull: true }] },
    ],
    { budget },
  );
  expect([fresh.result.stop, fresh.rounds.length, fresh.rounds[1]!.freshIds]).toEqual(["states", 2, 4]);
});

test("what is full grows, unless there is a reason to stop", async () => {
  const added: number[] = [];
  const sink = (room: number, enough = Infinity): ArcSink => ({
    clear: () => added.splice(0),
    add: (arcs) => added.push(...arcs) <= room,
    isEnough: () => added.length >= enough,
  });
  const scenes = [
    { taken: 1, says: [{ stored: ids(2, 4), isFull: true, arcs: ids(1) }] },
    { taken: 2, says: [{ stored: ids(2, 5), arcs: ids(2, 3) }] },
    { taken: 0, says: [{ level: 1 }, { level: 1, arcs: ids(4) }] },
  ];
  const all = await play(scenes, {}, sink(10));
  expect([all.result.stop, all.rounds.length, all.grown, added]).toEqual([undefined, 3, 1, [1, 2, 3, 4]]);
  const short = await play(scenes, {}, sink(0));
  expect([short.result.stop, short.rounds.length, short.grown, added]).toEqual(["memory", 1, 0, [1]]);
  const enough = await play(scenes, {}, sink(10, 3));
  expect([enough.result.stop, enough.rounds.length, added]).toEqual([undefined, 2, [1, 2, 3]]);
});
