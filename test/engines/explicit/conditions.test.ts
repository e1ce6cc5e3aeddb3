/** Conditions of a search's `holds`, each by the smallest system that shows it; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, storeFor } from "../../../src/engines/explicit/index.js";
import { hashWords } from "../../../src/engines/explicit/hash.js";
import { Settler } from "../../../src/engines/explicit/intermediates.js";
import { SafetyMonitor } from "../../../src/engines/explicit/monitor.js";
import { Successors } from "../../../src/model/index.js";
import { check, checkModel, verdictOn } from "./checking.js";
import { toyModel, type Toy, type ToyStep } from "./toys.js";

/** Two states of two words. */
const SAME_HASH = [
  [37289, 45441],
  [31228, 55452],
] as const;

const orders = ["bfs", "dfs", "random", "guided"] as const;

/** Steps by state; unlisted states end properly. */
const toy = (steps: Readonly<Record<number, readonly ToyStep[]>>, more: Partial<Toy> = {}): Toy => ({
  initial: [0],
  next: ([state = 0]) => steps[state] ?? [],
  isValidEnd: () => true,
  sites: ["assertion", "division-by-zero"],
  ...more,
});

const to = (...states: number[]): ToyStep[] => states.map((state) => ({ to: [state] }));
const inside = (...states: number[]): ToyStep[] =>
  states.map((state) => ({ to: [state], intermediate: true }));

describe.each(orders)("%s", (order) => {
  const verdict = async (of: Toy, kind: string): Promise<string> =>
    verdictOn(await check(of, { order }), kind).kind;
  const states = async (of: Toy): Promise<number> => (await check(of, { order })).stats.states;

  test("what lies behind the limit on depth is not held to be absent", async () => {
    const chain = toy({ 0: to(1), 1: to(2), 2: to(3), 3: to(4) });
    const end = async (maxDepth: number) => {
      const result = await check(chain, { order, budget: { maxDepth } });
      return [result.stop, result.stats.states, result.isComplete, verdictOn(result, "assertion").kind];
    };
    expect(await end(3)).toEqual(["depth", 4, false, "unknown"]);
    expect(await end(5)).toEqual([undefined, 5, true, "holds"]);
  });

  test("a deadlock is told of the initial state, of the last one, and of none that ends properly", async () => {
    const ends = (proper: readonly number[]): Partial<Toy> => ({
      isValidEnd: ([state = 0]) => proper.includes(state),
    });
    expect(await verdict(toy({}, ends([])), "deadlock")).toBe("violated");
    expect(await verdict(toy({}, ends([0])), "deadlock")).toBe("holds");
    expect(await verdict(toy({ 0: to(1, 2), 1: to(0) }, ends([0, 1])), "deadlock")).toBe("violated");
    expect(await verdict(toy({ 0: to(1, 2), 1: to(0) }, ends([2])), "deadlock")).toBe("holds");
    const unasked = await check(toy({}, ends([])), { order, checkDeadlock: false });
    expect(unasked.findings.map(({ property }) => property.kind)).not.toContain("deadlock");
    expect(unasked.findings.every((finding) => finding.verdict.kind === "holds")).toBe(true);
  });

  test("an invariant is looked at in the initial state and in the last one", async () => {
    const steps = { 0: to(1), 1: to(2) };
    for (const broken of [0, 2])
      expect(await verdict(toy(steps, { invariants: [([s = 0]) => s !== broken] }), "invariant")).toBe(
        "violated",
      );
    expect(await verdict(toy(steps, { invariants: [([s = 0]) => s !== 3] }), "invariant")).toBe("holds");
  });

  test("a fault inside an atomic sequence is told, and the run goes on if it can", async () => {
    const failing = toy({ 0: inside(1), 1: [{ to: [2], fault: 0 }], 2: to(3) });
    expect([await verdict(failing, "assertion"), await states(failing)]).toEqual(["violated", 3]);
    const dying = toy({ 0: inside(1), 1: [{ fault: 1 }, ...to(2)] });
    expect([await verdict(dying, "runtime"), await verdict(dying, "assertion")]).toEqual([
      "violated",
      "holds",
    ]);
    expect(await states(dying)).toBe(2);
    const onlyDying = toy({ 0: inside(1), 1: [{ fault: 1 }] });
    expect(await states(onlyDying)).toBe(1);
  });

  test("a fault that no asked property owns is none", async () => {
    const failing = toy({ 0: [{ to: [1], fault: 0 }], 1: to(2) });
    const result = await check(failing, { order, errors: 1, isChecked: ({ kind }) => kind === "runtime" });
    expect(result.findings.map(({ property, verdict: { kind } }) => [property.kind, kind])).toEqual([
      ["runtime", "holds"],
    ]);
    expect(result.stats.states).toBe(3);
  });

  test("an atomic sequence without a way on is a deadlock where it stands", async () => {
    const stuck = toy({ 0: [...inside(1), ...to(2)], 2: to(0) }, { isValidEnd: ([s = 0]) => s !== 1 });
    expect(await verdict(stuck, "deadlock")).toBe("violated");
    const ending = toy({ 0: [...inside(1), ...to(2)], 2: to(0) });
    expect(await verdict(ending, "deadlock")).toBe("holds");
    const unasked = await check(stuck, { order, errors: 1, checkDeadlock: false });
    expect([unasked.stop, unasked.stats.states]).toEqual([undefined, 2]);
  });

  test("a loop inside an atomic sequence ends, and every way out of it is taken", async () => {
    expect(await states(toy({ 0: inside(1), 1: inside(2), 2: [...inside(1), ...to(3)], 3: [] }))).toBe(2);
    const many = Array.from({ length: 40 }, (_, i) => i + 1);
    const wide = { 0: inside(...many), ...Object.fromEntries(many.map((i) => [i, to(100 + i)])) };
    expect(await states(toy(wide))).toBe(41);
  });

  test("intermediate states of the same hash are two", async () => {
    const [one, other] = SAME_HASH;
    const hash = (words: readonly number[]): number => hashWords(Int32Array.from(words), 0, 2, 0);
    expect(hash(one)).toBe(hash(other));
    const both: Toy = {
      initial: [0],
      width: 2,
      isValidEnd: () => true,
      next: ([a = 0, b = 0]) => {
        if (a === 0) return [one, other].map((state) => ({ to: state, intermediate: true }));
        return b === 0 ? [] : [{ to: [a === one[0] ? 1 : 2, 0] }];
      },
    };
    expect(await states(both)).toBe(3);
  });

  test("so many errors end the search, and not one fewer", async () => {
    const failing = toy({ 0: [{ to: [1], fault: 0 }], 1: [{ to: [2], fault: 1 }], 2: to(3) });
    const end = async (errors: number | "all") => (await check(failing, { order, errors })).stop;
    expect([await end(1), await end(2), await end(3), await end("all")]).toEqual([
      "errors",
      "errors",
      undefined,
      undefined,
    ]);
  });

  test("a cover is met, is not, or nobody knows", async () => {
    const sought = (state: number): Toy =>
      toy({ 0: to(1), 1: to(2) }, { invariants: [([s = 0]) => s !== state], kinds: ["cover"] });
    expect(await verdict(sought(2), "cover")).toBe("holds");
    expect(await verdict(sought(3), "cover")).toBe("violated");
    const cut = await check(sought(3), { order, budget: { maxDepth: 1 } });
    expect(verdictOn(cut, "cover").kind).toBe("unknown");
    const going = await check(sought(1), { order, errors: 1 });
    expect([going.stop, going.stats.states]).toEqual([undefined, 3]);
  });
});

test.each(["compact", "bitstate"] as const)(
  "what the %s store may have lost is not held to be absent",
  async (kind) => {
    const chain = toy({ 0: to(1), 1: [{ to: [2], fault: 1 }] });
    const store = storeFor(kind, { ...DEFAULT_SETTINGS, tableBytes: 1 << 12 });
    const result = await check(chain, { store });
    expect([result.stop, result.isComplete]).toEqual([undefined, false]);
    expect(verdictOn(result, "assertion")).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining("states may have been omitted"),
    });
    expect(verdictOn(result, "runtime").kind).toBe("violated");
    const cut = await check(chain, { store, budget: { maxDepth: 1 } });
    expect(verdictOn(cut, "assertion")).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining("limit on depth"),
    });
  },
);

test("a cover that the model has met by itself holds", async () => {
  const model = toyModel(toy({}, { invariants: [() => true], kinds: ["cover"] }));
  expect(verdictOn(await checkModel(model), "cover").kind).toBe("violated");
  expect(verdictOn(await checkModel({ ...model, isMet: () => true }), "cover").kind).toBe("holds");
});

test("what is settled: faults where there are some, ways on where there are some, and nothing of steps that failed", () => {
  const { system } = toyModel(
    toy({
      0: [...inside(1), { fault: 1 }],
      1: [...inside(2), ...inside(3)],
      2: [{ fault: 0 }, { to: [5], fault: 1 }],
    }),
  );
  const told: string[] = [];
  const settler = new Settler(system, {
    fault: (site, source) => told.push(`fault ${site} from ${source}`),
    stuckInside: (source, [state]) => told.push(`stuck in ${state} from ${source}`),
  });
  const offered = new Successors(system.width);
  system.successors(new Int32Array(system.width), 0, offered);
  const ends = Int32Array.of(offered.count);
  settler.settle(offered, ends, 1, 7);
  expect(told).toEqual(["fault 0 from 7", "fault 1 from 7", "stuck in 3 from 7", "fault 1 from 7"]);
  const { nominal } = settler;
  expect([nominal.count, nominal.words[0], nominal.flags[0], ends[0]]).toEqual([1, 5, 0, 1]);
});

test("a broken invariant is an error, unless it is hoped for", () => {
  const model = toyModel(toy({}, { invariants: [() => false] }));
  const isDone = (sought?: readonly number[]): boolean => {
    const options = {
      maxErrors: 1,
      checksDeadlock: false,
      checksSite: [],
      invariants: [0],
      ...(sought ? { sought } : {}),
    };
    const monitor = new SafetyMonitor(model, options, () => ({ length: 0, state: () => new Int32Array(1) }));
    monitor.broken(0, 1, new Int32Array(1), 0);
    return monitor.isDone;
  };
  expect([isDone(), isDone([]), isDone([0])]).toEqual([true, true, false]);
});

test("a fault that no property covers is an error of ours", async () => {
  await expect(check(toy({}, { sites: ["trace"] }))).rejects.toThrow("no property of the model covers");
});

test("a run that can stay among intermediate states is told to whoever asks, and one that meets them twice is not", () => {
  const settle = (of: Toy, isAsked: boolean): readonly unknown[] => {
    const { system } = toyModel(of);
    const offered = new Successors(1);
    system.successors(Int32Array.of(0), 0, offered);
    let stays = 0;
    const settler = new Settler(system, {
      fault: () => undefined,
      stuckInside: () => undefined,
      ...(isAsked ? { staysInside: () => void stays++ } : {}),
    });
    settler.settle(offered, Int32Array.of(offered.count), 1, 1);
    return [stays, ...settler.nominal.words.subarray(0, settler.nominal.count)];
  };
  const round = toy({ 0: inside(1), 1: [...inside(2), ...to(5)], 2: inside(1) });
  const twice = toy({ 0: inside(1, 2), 1: inside(3), 2: inside(3), 3: to(5) });
  expect([settle(round, true), settle(twice, true)]).toEqual([[1, 5], [0, 5]]); // prettier-ignore
  expect([settle(round, false), settle(twice, false)]).toEqual([[0, 5], [0, 5]]); // prettier-ignore
});
