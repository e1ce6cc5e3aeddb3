/** Ids and chunks of the store in shared memory, over a scripted table; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import type { TreeGrowth } from "../../../src/engines/explicit/parallel/tables/tree.js";
import type { SharedTable } from "../../../src/engines/explicit/parallel/tables/table.js";
import { SharedStore } from "../../../src/engines/explicit/parallel/shared-store.js";
import type { System } from "../../../src/model/index.js";

class Table implements SharedTable {
  readonly entryWords = 1;
  readonly keepsPositions = false;
  readonly bytes = 0;
  room = 0;
  isWanting = false;
  readonly restore?: (kept: Int32Array) => Int32Array;
  /** By growth: was it full, and which ids were used? */
  readonly growths: { readonly isFull: boolean; readonly used: readonly number[] }[] = [];
  readonly #step: number;

  constructor(step: number, isWhole: boolean) {
    this.#step = step;
    if (isWhole) this.restore = (kept) => kept;
  }

  grow(isFull: boolean, used: () => Int32Array): TreeGrowth {
    this.growths.push({ isFull, used: [...used()] });
    if (isFull) this.room += this.#step;
    this.isWanting = false;
    return { kind: "tree" } as TreeGrowth;
  }

  enterFirst(): Int32Array {
    return Int32Array.of(7);
  }
}

interface Given {
  /** Growth of the table's room. */
  readonly step?: number;
  readonly isWhole?: boolean;
  readonly maxStates?: number;
  readonly blockIds?: number;
  readonly budget?: number;
}

function storeOf({
  step = 1000,
  isWhole = true,
  maxStates = Infinity,
  blockIds = 4,
  budget = Infinity,
}: Given) {
  const table = new Table(step, isWhole);
  const sizes = { chunkStates: 16, blockIds, firstTable: 16, firstNodes: 8, nodeBlock: 2, narrow: 2 };
  const store = new SharedStore(
    table,
    { width: 1, maxStates, workers: 2, sizes, system: {} as System },
    new Ledger(budget),
  );
  /** The message to workers, and the end of ids then. */
  const grow = (live: readonly number[] = []) => {
    const growth = store.grow(live);
    if (typeof growth === "string") return growth;
    const [first, second] = growth.growths;
    expect(first?.chunks).toEqual(second?.chunks);
    expect([first?.table?.part, second?.table?.part]).toEqual(first?.table ? [0, 1] : [undefined, undefined]);
    const { chunks, released, table } = first!;
    return { chunks: chunks.length, released, hasTable: table !== undefined, endIds: store.endIds };
  };
  return { table, store, grow };
}

const grown = (endIds: number, chunks: number, hasTable: boolean, released: number[] = []) => ({
  endIds,
  chunks,
  hasTable,
  released,
});

describe("ids", () => {
  test("end where the table has no room, and it gets larger then", () => {
    const { table, grow } = storeOf({ step: 32 });
    expect([grow(), grow(), grow()]).toEqual([grown(32, 4, true), grown(64, 0, true), grown(96, 5, true)]);
    expect(table.growths.map(({ isFull }) => isFull)).toEqual([true, true, true]);
  });

  test("end where there are no chunks, and more are made then", () => {
    const { table, grow } = storeOf({});
    expect([grow(), grow()]).toEqual([grown(64, 4, true), grown(144, 5, false)]);
    expect(table.growths.length).toBe(1);
  });

  test("are not needed where the table wants something else", () => {
    const { table, grow } = storeOf({ step: 40 });
    grow();
    table.room = 50;
    table.isWanting = true;
    expect(grow()).toEqual(grown(50, 0, true));
    expect(table.growths.map(({ isFull }) => isFull)).toEqual([true, false]);
  });

  test("are as many as states are allowed", () => {
    for (const maxStates of [20, 63, 64, 65]) {
      const { grow } = storeOf({ maxStates });
      expect(grow()).toEqual(grown(Math.min(maxStates + 1, 64), 4, true));
      if (maxStates >= 64) expect(grow()).toEqual(grown(maxStates + 1, 5, false));
      expect(grow()).toBe("no states");
    }
    const { grow } = storeOf({ maxStates: 20, step: 20 });
    expect([grow(), grow(), grow()]).toEqual([grown(20, 4, true), grown(21, 0, true), "no states"]);
  });

  test("are enough, and the table wants something else", () => {
    const { table, grow } = storeOf({ maxStates: 63 });
    grow();
    table.isWanting = true;
    expect([grow(), grow()]).toEqual([grown(64, 0, true), "no states"]);
  });

  test("need memory", () => {
    expect(storeOf({ budget: 100 }).grow()).toBe("no memory");
    const { grow } = storeOf({ budget: 6 * 128 });
    expect([grow(), grow(), grow()]).toEqual([grown(64, 4, true), grown(96, 2, false), "no memory"]);
  });

  test("of the first block that the first state does not need are free", () => {
    for (const [blockIds, returned] of [
      [2, []],
      [4, [2, 4]],
    ] as const) {
      const { store, grow } = storeOf({ blockIds });
      grow();
      store.insertInitial(Int32Array.of(1));
      expect([store.freshIds, store.returned, store.count]).toEqual([blockIds, returned, 1]);
      expect([...store.numbered(1)]).toEqual([7]);
    }
  });

  test("of states are all that are given out and not returned", () => {
    const { table, store, grow } = storeOf({});
    grow();
    store.freshIds = 40;
    store.returned = [10, 12, 4, 6, 38, 40, 12, 14];
    table.isWanting = true;
    grow();
    store.returned = [1, 3];
    table.isWanting = true;
    grow();
    expect(table.growths.slice(1).map(({ used }) => used)).toEqual([
      [1, 4, 6, 10, 14, 38],
      [3, 40],
    ]);
  });
});

describe("chunks where states are not kept", () => {
  test("are used again when none of their states is to be expanded", () => {
    const { store, grow } = storeOf({ isWhole: false });
    grow();
    store.freshIds = 64;
    expect(grow([16, 32])).toEqual(grown(144, 5, false, [0, 2, 3]));
    store.freshIds = 144;
    expect(grow([16, 17])).toEqual(grown(224, 5, false, [4, 5, 6, 7, 8]));
  });

  test("are kept with ids that are returned, or not given out", () => {
    const { store, grow } = storeOf({ isWhole: false });
    grow();
    store.freshIds = 50;
    store.returned = [15, 17];
    expect(grow()).toEqual(grown(128, 4, false, [2]));
  });

  test("are not taken back before they are needed, nor where states are kept", () => {
    const { store, grow } = storeOf({ isWhole: false, step: 32 });
    grow();
    store.freshIds = 32;
    expect(grow()).toEqual(grown(64, 0, true));
    const whole = storeOf({});
    whole.grow();
    whole.store.freshIds = 64;
    expect(whole.grow()).toEqual(grown(144, 5, false));
  });
});
