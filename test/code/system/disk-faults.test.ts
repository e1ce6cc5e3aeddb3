/** Torn writes and corrupted entries: limits, texts on the disk, and reductions. */
import { describe, expect, test } from "vitest";
import { corruptionsOf, remainsOf } from "../../../src/code/system/remains.js";
import { checkText, propertyOf } from "./small.js";

const keeper = (faults: string, more = ""): string => `
  class Keeper {
    found: unknown; error = "";
    constructor(readonly e: Environment) {
      try { this.found = e.disk.read("v") ?? null; } catch (error) { this.error = (error as Error).message; }
    }
    put() { this.e.disk.write("v", { n: 41 }); ${more} }
  }
  export default defineSystem<any>({
    nodes: { keeper: (e) => new Keeper(e) },
    faults: { crashes: 1, ${faults} },
    actions: { put: { run: (n) => n.put(), times: 1 } },
    always: {
      readable: ({ nodes }) => !nodes.keeper || nodes.keeper.error === "",
      "as written": ({ nodes }) => !nodes.keeper?.found || nodes.keeper.found.n === 41,
    },
  });`;

const verdicts = async (text: string): Promise<readonly string[]> => {
  const report = await checkText(text, { maxErrors: Infinity });
  return ["readable", "as written"].map((name) => propertyOf(report, name).verdict);
};

describe("torn writes", () => {
  test("half of an unsynced write may survive", async () => {
    expect(await verdicts(keeper("torn: 1"))).toEqual(["violated", "holds"]);
    const report = await checkText(keeper("torn: 1"));
    const { trace } = propertyOf(report, "readable");
    expect(trace!.steps.map(({ action }) => action).join()).toContain("and half of number 1");
  });

  test("not of a synced one, nor without the fault", async () => {
    expect(await verdicts(keeper("torn: 1", "this.e.disk.sync();"))).toEqual(["violated", "holds"]);
    const synced = keeper("torn: 1, crashesAt: 'between-handlers'", "this.e.disk.sync();");
    expect(await verdicts(synced)).toEqual(["holds", "holds"]);
    expect(await verdicts(keeper("torn: 0"))).toEqual(["holds", "holds"]);
    expect(await verdicts(keeper("torn: 1, unsynced: 'kept'"))).toEqual(["holds", "holds"]);
  });

  test("the remains of a disk", () => {
    const [a, b] = [[{ key: "a", value: "12345" }], [{ key: "b", value: "12" }]];
    const disks = (mode: "reordered" | "in-order"): string[] =>
      remainsOf({ disk: {}, unsynced: [a, b] }, mode, true).map(({ disk }) => JSON.stringify(disk));
    expect(disks("in-order")).toEqual([
      "{}",
      '{"a":"12"}',
      '{"a":"12345"}',
      '{"a":"12345","b":"1"}',
      '{"a":"12345","b":"12"}',
    ]);
    expect(disks("reordered")).toContain('{"a":"12","b":"12"}');
    expect(remainsOf({ disk: {}, unsynced: [[...a, ...b]] }, "reordered", true)).toHaveLength(2);
  });

  test("as many as declared", async () => {
    const twice = keeper("torn: 1", "this.e.disk.sync();").replace("crashes: 1", "crashes: 2");
    const counting = twice
      .replace("put: { run: (n) => n.put(), times: 1 }", "put: { run: (n) => n.put(), times: 2 }")
      .replace(
        "this.error = (error as Error).message",
        'this.e.disk.write("t", Number(e.disk.read("t") ?? 0) + 1); this.e.disk.sync(); this.error = ""; this.torn = e.disk.read("t")',
      )
      .replace("found: unknown;", "found: unknown; torn: unknown;")
      .replace(
        'readable: ({ nodes }) => !nodes.keeper || nodes.keeper.error === ""',
        "readable: ({ nodes }) => !nodes.keeper || !(nodes.keeper.torn > 1)",
      );
    // The second start of a node that found a torn entry finds the same entry again.
    expect(await verdicts(counting)).toEqual(["violated", "holds"]);
  });
});

describe("corrupted entries", () => {
  test("a crashed node may find another text", async () => {
    const synced = "this.e.disk.sync();";
    expect(await verdicts(keeper("corruptions: 1", synced))).toEqual(["violated", "violated"]);
    expect(await verdicts(keeper("corruptions: 0", synced))).toEqual(["holds", "holds"]);
    const noCrash = keeper("corruptions: 1", synced).replace("crashes: 1", "crashes: 0");
    expect(await verdicts(noCrash)).toEqual(["holds", "holds"]);
  });

  test("one entry as often as declared", async () => {
    const flips = (n: number): string =>
      keeper(`corruptions: ${n}`, "this.e.disk.sync();").replace(
        "nodes.keeper.found.n === 41",
        "nodes.keeper.found.n !== 43",
      );
    expect((await verdicts(flips(1)))[1]).toBe("holds");
    expect((await verdicts(flips(2)))[1]).toBe("violated");
  });

  test("texts", () => {
    expect(corruptionsOf('{"n":41}')).toEqual([
      { how: "garbled", value: '{"n"\ufffd41}' },
      { how: "flipped", value: '{"n":42}' },
    ]);
    expect(corruptionsOf('"9a"').map(({ value }) => value)).toEqual(['"9\ufffd"', '"0a"']);
    expect(corruptionsOf("")).toEqual([]);
  });
});

test("such systems are neither reduced by partial order nor by symmetry", async () => {
  const alike = keeper("corruptions: 1", "this.e.disk.sync();").replace(
    "nodes: { keeper: (e) => new Keeper(e) },",
    "nodes: { keeper: (e) => new Keeper(e), other: (e) => new Keeper(e) }, symmetric: [['keeper', 'other']],",
  );
  for (const reductions of [["por"], ["symmetry"]] as const) {
    const report = await checkText(alike, { reductions, maxErrors: Infinity });
    expect(propertyOf(report, "as written").verdict).toBe("violated");
    expect(report.diagnostics.map(({ code }) => code)).toContain("session/reduction-off");
  }
});
