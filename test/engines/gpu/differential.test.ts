/** Searches on a device beside the processor (`npm run conformance:gpu` has all models). Skipped where OpenCL has no device. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { openClDevices } from "../../../src/devices/koffi.js";
import { search } from "../../../src/engines/explicit/index.js";
import { searchOnDevice, whyNotOnDevice } from "../../../src/engines/gpu/index.js";
import type { Device, Model } from "../../../src/model/index.js";
import { load, registry } from "../../../src/session/index.js";
import { inRepository } from "../../repository.js";
import { compareOnDevice, type ComparedOptions } from "./compare.js";

const device = await openedDevice();
const describeOnDevice = device ? describe : describe.skip;

async function openedDevice(): Promise<Device | undefined> {
  try {
    return (await openClDevices()).open(undefined);
  } catch (error) {
    console.warn(`SKIPPED: searches on a device (${(error as Error).message})`);
    return undefined;
  }
}

async function modelOf(file: string, text: string): Promise<Model> {
  const { model, diagnostics } = await load({ file, text }, { isSearched: true }, registry);
  if (!model) throw new Error(JSON.stringify(diagnostics));
  return model;
}

const promela = (text: string): Promise<Model> => modelOf("test.pml", text);

afterAll(() => device?.close());

async function agrees(model: Model, options: Partial<ComparedOptions> = {}): Promise<number> {
  const found = await compareOnDevice(model, device!, { maxStates: 100_000, ...options });
  expect(found?.differences).toEqual([]);
  return found!.states;
}

/** Branches inside atomic sequences, assertions that fail, a deadlock inside, values beyond the guess of a short trial. */
const MIXED = `
byte x, y; int total;
active [2] proctype P() {
  byte mine;
  do
  :: atomic { x < 3 -> x++; if :: mine = 1 :: mine = 2 :: y > 2 -> mine = 3 fi; assert(mine != 3 || x < 3) }
  :: y < 5 -> y++; total = total + 700
  :: x == 3 && y == 5 -> atomic { y = 6; if :: total > 100000 fi }
  od
}`;

/** Arrays of whole words, with all values of them, an error and a deadlock far from the start. */
const WIDE = `
int a[12]; byte left = 10;
active [2] proctype P() {
  byte at = _pid;
  do
  :: atomic { left > 0 -> left--; a[at] = a[at] - 1 + 2 * _pid; if :: at = (at + 2) % 12 :: at = (at + 5) % 12 fi }
  :: left == 1 && a[3] == -1 -> assert(a[4] != 0)
  od
}`;

describeOnDevice("a search on a device", () => {
  it("counts, finds errors and covers as the processor does", { timeout: 240_000 }, async () => {
    expect(await agrees(await promela(MIXED), { trialStates: 2 })).toBeGreaterThan(50);
  });

  it("counts a fault of the first state once more where it is met again", { timeout: 240_000 }, async () => {
    // Sites of `assert`: the first state's own one is found again in later states.
    const text = `chan c = [2] of { byte };
active [2] proctype P() { byte i; xs c; do :: i < 2 -> c!i; i++ :: break od; assert(c??[1]) }`;
    await agrees(await promela(text));
  });

  it("grows its table and its room for intermediate states", { timeout: 240_000 }, async () => {
    await agrees(await promela(MIXED), { settings: { firstEntries: 4, insideRoom: 1 } });
  });

  it("stores states as trees, whose table of nodes grows", { timeout: 240_000 }, async () => {
    const settings = { store: "tree", firstNodes: 256, firstEntries: 4096 } as const;
    expect(await agrees(await promela(WIDE), { settings })).toBeGreaterThan(5_000);
    expect(await agrees(await promela(WIDE), { settings: { ...settings, insideRoom: 1 } })).toBeGreaterThan(
      5_000,
    );
  });

  it("stores states as trees where words take too much memory", { timeout: 240_000 }, async () => {
    const model = await promela(WIDE);
    const memoryBytes = 1_600_000;
    const [flat, tree] = [
      await searchOnDevice(model, options(model), device!, { memoryBytes, store: "flat" }),
      await searchOnDevice(model, options(model), device!, { memoryBytes, verifies: true }),
    ];
    expect([flat.stop, flat.stats.device.store]).toEqual(["memory", "flat"]);
    expect([tree.stop, tree.stats.device.store]).toEqual([undefined, "tree"]);
  });

  it("counts fired rules of Murphi, and meets covers", { timeout: 240_000 }, async () => {
    const file = inRepository("test/fixtures/murphi/models/covers.m");
    await agrees(await modelOf(file, readFileSync(file, "utf8")));
  });

  it("expands a state again where it has more successors than room", { timeout: 240_000 }, async () => {
    const rules = `var x, y: 0..5;
rule "x" x < 5 ==> x := x + 1; end; rule "y" y < 5 ==> y := y + 1; end; rule "back" x > y ==> x := y; end;
startstate x := 0; y := 0; end;`;
    const settings = { compilerOptions: "-D ROOM=1" };
    await agrees(await modelOf("test.m", rules), { settings });
    await agrees(await promela(MIXED), { settings: { ...settings, insideRoom: 1 } });
  });

  it("stops at its time limit and when it is interrupted", { timeout: 240_000 }, async () => {
    const model = await promela("byte a, b, c; active [3] proctype P() { do :: a++ :: b++ :: c++ od }");
    const given = { memoryBytes: 2 ** 28 };
    const late = { ...options(model), budget: { timeMs: 1 } };
    const atTime = await searchOnDevice(model, late, device!, given);
    expect([atTime.stop, atTime.stats.device.launches < 20]).toEqual(["time", true]);
    let launches = 0;
    const interrupted = { ...options(model), control: { isStopped: () => ++launches === 5 } };
    const stopped = await searchOnDevice(model, interrupted, device!, given);
    expect([stopped.stop, launches]).toEqual(["interrupted", 5]);
    expect(stopped.stats.states).toBeLessThan(2 ** 24);
  });

  it("stops when its memory is spent", { timeout: 240_000 }, async () => {
    const model = await promela("byte a, b, c; active [3] proctype P() { do :: a++ :: b++ :: c++ od }");
    const found = await searchOnDevice(model, options(model), device!, { memoryBytes: 2 ** 20 });
    expect(found.stop).toBe("memory");
    expect(found.stats.states).toBeGreaterThan(5_000);
  });

  it("finds the same path in every run", { timeout: 240_000 }, async () => {
    const model = await promela(MIXED);
    const paths = async (): Promise<unknown> => {
      const { violations } = await searchOnDevice(model, options(model), device!, { memoryBytes: 2 ** 26 });
      return violations.map(({ path }) => Array.from({ length: path.length }, (_, i) => [...path.state(i)]));
    };
    const first = await paths();
    expect(first).not.toEqual([]);
    expect(await paths()).toEqual(first);
  });

  it("stops at the depth and the errors that it was given", { timeout: 240_000 }, async () => {
    const model = await promela(MIXED);
    const asked = { ...options(model), budget: { maxDepth: 3 } };
    const [processor, found] = [
      await search(model, { ...asked, order: "bfs", store: "flat" }),
      await searchOnDevice(model, asked, device!, { memoryBytes: 2 ** 26 }),
    ];
    expect(found.stop).toBe("depth");
    expect(found.stats).toMatchObject({
      states: processor.stats.states,
      transitions: processor.stats.transitions,
      depth: processor.stats.depth,
    });
    const one = { ...options(model), maxErrors: 1 };
    const stopped = await searchOnDevice(model, one, device!, { memoryBytes: 2 ** 26 });
    expect(stopped.stop).toBe("errors");
    expect(stopped.violations).toHaveLength(1);
  });
});

const options = (model: Model) => ({
  budget: {},
  control: {},
  maxErrors: Infinity,
  checksDeadlock: true,
  checksSite: model.sites.map(() => true),
  invariants: [],
});

describe("a device refuses", () => {
  it("systems whose functions are not those of the text", async () => {
    const model = await promela(MIXED);
    expect(whyNotOnDevice(model, true)).toBeUndefined();
    const { system } = model;
    const wrapped = (more: object): Model => ({
      ...model,
      system: Object.assign(Object.create(system), more) as never,
    });
    expect(whyNotOnDevice(wrapped({ successors: () => undefined }), true)).toMatch("not step code");
    expect(whyNotOnDevice(wrapped({ status: () => 1 }), true)).toMatch("end states");
    expect(whyNotOnDevice(wrapped({ status: () => 1 }), false)).toBeUndefined();
    expect(whyNotOnDevice(wrapped({ compareFrom: 1 }), true)).toMatch("do not distinguish");
  });
});
