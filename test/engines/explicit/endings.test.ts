/**
 * "Every state was visited" is reported only by searches that did so, however they begin, restart and end; quick, for
 * mutation testing.
 */
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, search, storeFor } from "../../../src/engines/explicit/index.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { SafetyMonitor } from "../../../src/engines/explicit/monitor.js";
import { Run } from "../../../src/engines/explicit/order.js";
import { enterOffered } from "../../../src/engines/explicit/entering.js";
import type { Loops } from "../../../src/engines/explicit/breadth-first-loops.js";
import { enterInitial } from "../../../src/engines/explicit/search.js";
import { ExactStore } from "../../../src/engines/explicit/store.js";
import {
  Entry,
  LayoutExceeded,
  StepTooLong,
  Successors,
  type Model,
  type System,
} from "../../../src/model/index.js";
import { PLAIN, check, checkModel, counters, verdictOn } from "./checking.js";
import { toyModel, type Toy } from "./toys.js";

const raise = (error: Error): never => {
  throw error;
};

const orders = ["bfs", "dfs", "random", "guided"] as const;

/** The system with other parts. */
const withSystem = (model: Model, parts: Partial<System>): Model => ({
  ...model,
  system: Object.create(
    model.system,
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { value }])),
  ) as System,
});

describe("the start", () => {
  const toy: Toy = { initial: [3], next: () => [], isValidEnd: () => true, sites: ["assertion"] };
  const begin = (flags: number, store?: Partial<ExactStore>, invariant = true) => {
    const model = toyModel({ ...toy, invariants: [() => invariant] });
    const options = { ...PLAIN, maxErrors: 1, checksSite: [true], invariants: [0] };
    const monitor = new SafetyMonitor(model, options, () => ({ length: 0, state: () => new Int32Array(1) }));
    const exact = new ExactStore(
      { width: 1, compareFrom: 0, keepsParents: true, maxStates: 5 },
      new Ledger(),
    );
    const run = new Run(model, Object.assign(exact, store), monitor, Infinity, undefined);
    const initial = new Successors(1);
    model.system.initial(initial);
    initial.flags[0] = flags;
    const first = enterInitial(run, initial);
    return { first, stop: run.stop, errors: monitor.errors, count: exact.count };
  };

  test("a start without room ends the search, even where a second attempt would make some", () => {
    expect(begin(0)).toEqual({ first: [1], stop: undefined, errors: 0, count: 1 });
    const full = { enter: () => undefined };
    expect(begin(0, { ...full, grow: () => "no states" }).stop).toBe("states");
    expect(begin(0, { ...full, grow: () => "no memory" }).stop).toBe("memory");
    expect(begin(0, { ...full, grow: () => "grown" }).stop).toBe("memory");
  });

  test("a start that fails or breaks an invariant is told; a dead one is no state", () => {
    const fault = 1 << Entry.faultShift;
    expect(begin(fault)).toEqual({ first: [1], stop: "errors", errors: 1, count: 1 });
    expect(begin(fault | Entry.dead)).toEqual({ first: undefined, stop: "errors", errors: 1, count: 0 });
    expect(begin(0, {}, false)).toEqual({ first: [1], stop: "errors", errors: 1, count: 1 });
  });

  test("more than one start, or none, is an error of ours", async () => {
    const model = toyModel(toy);
    const none = withSystem(model, { initial: () => {} });
    await expect(search(none, { ...PLAIN, order: "bfs" })).rejects.toThrow("one initial state");
  });
});

test("successors without room are not entered by halves", () => {
  const enter = (entered: number, growth: ReturnType<ExactStore["grow"]>) => {
    const model = toyModel(counters(1, 3));
    const monitor = new SafetyMonitor(model, PLAIN, () => ({ length: 0, state: () => new Int32Array(1) }));
    const store = new ExactStore(
      { width: 1, compareFrom: 0, keepsParents: true, maxStates: 5 },
      new Ledger(),
    );
    const run = new Run(model, Object.assign(store, { grow: () => growth }), monitor, Infinity, undefined);
    run.offered.count = 1;
    let calls = 0;
    const resolve = (): number => {
      if (calls++ > 0) throw new Error("asked again");
      return entered;
    };
    const enterer = { loops: () => ({ resolve }) as unknown as Loops, renew: () => {} };
    return [enterOffered(run, enterer, Int32Array.of(1), 1, 1), run.stop];
  };
  expect(enter(1, "grown")).toEqual([true, undefined]);
  expect(enter(0, "no states")).toEqual([false, "states"]);
  expect(() => enter(0, "grown")).toThrow("asked again");
  // Without memory to look anything up.
  expect(enter(-1, "grown")).toEqual([false, "memory"]);
});

describe.each(orders)("%s", (order) => {
  test("a step that takes too long ends the search, any other error is one", async () => {
    const failing = (error: Error) =>
      search(toyModel({ initial: [0], next: () => raise(error) }), { ...PLAIN, order });
    expect((await failing(new StepTooLong("step"))).stop).toBe("step");
    await expect(failing(new Error("ours"))).rejects.toThrow("ours");
  });

  test("a search that is interrupted or out of time says so", async () => {
    const endless: Toy = { initial: [1], next: ([n = 0]) => [{ to: [n + 1] }] };
    const interrupted = await check(endless, { order, control: { isStopped: () => true } });
    expect([interrupted.stop, interrupted.isComplete]).toEqual(["interrupted", false]);
    const late = await check(endless, { order, budget: { timeMs: 1 } });
    expect([late.stop, late.isComplete]).toEqual(["time", false]);
  });

  test("a search ends at its start where that is dead, or an error that ends it", async () => {
    const going: Toy = {
      initial: [1],
      next: ([n = 0]) => (n < 9 ? [{ to: [n + 1] }] : []),
      isValidEnd: () => true,
    };
    const model = toyModel({ ...going, sites: ["assertion"], invariants: [([n = 0]) => n > 1] });
    const options = { ...PLAIN, order, checksSite: [true] };
    const dead = await search(withSystem(model, { initial: (out) => out.addFault(0) }), options);
    expect([dead.stop, dead.stats.states, dead.violations.length]).toEqual([undefined, 0, 1]);
    const broken = await search(model, { ...options, maxErrors: 1, invariants: [0] });
    expect([broken.stop, broken.stats.states, broken.violations.length]).toEqual(["errors", 1, 1]);
    const on = await search(model, { ...options, invariants: [0] });
    expect([on.stop, on.stats.states, on.violations.length]).toEqual([undefined, 9, 1]);
  });

  test("what others keep for the search counts against its memory", async () => {
    const model = toyModel(counters(2, 60));
    const kept = (bytes: number) => ({
      candidates: { propose: () => 0, successorsOf: () => {}, kept: { bytes, clear: () => {} } },
    });
    const stopOf = async (bytes: number) => {
      const budget = { memoryBytes: 1 << 24 };
      return (await search(withSystem(model, kept(bytes)), { ...PLAIN, order, budget })).stop;
    };
    expect([await stopOf(0), await stopOf(1 << 25)]).toEqual([undefined, "memory"]);
  });

  test("several starts: a root is no state of theirs, in budgets and figures", async () => {
    const starts: Toy = {
      initial: [0],
      hasRoot: true,
      isValidEnd: () => true,
      sites: ["assertion"],
      next: ([n = 0]) =>
        n === 0 ? [{ to: [1] }, { to: [2] }, { fault: 0 }] : n < 5 ? [{ to: [n + 2] }] : [],
    };
    const figures = async (budget = {}) => {
      const { stop, stats } = await check(starts, { order, budget });
      return [stop, stats.states, stats.transitions, stats.depth];
    };
    expect(await figures()).toEqual([undefined, 6, 4, 2]);
    expect((await figures({ maxStates: 6 })).slice(0, 2)).toEqual([undefined, 6]);
    expect((await figures({ maxStates: 5 })).slice(0, 2)).toEqual(["states", 5]);
    expect((await figures({ maxDepth: 3 }))[0]).toBeUndefined();
    expect((await figures({ maxDepth: 1 }))[0]).toBe("depth");
    expect(await figures({ memoryBytes: 1 })).toEqual(["memory", 0, 0, 0]);
  });
});

test("memory that others take while the store needs none ends the search, unless it is over", async () => {
  /** A heap: all states are stored when half of them are expanded. From expansion `from` on others keep too much. */
  const stopOf = async (states: number, from: number) => {
    let expansions = 0;
    const toy: Toy = {
      initial: [1],
      next: ([n = 0]) => {
        expansions++;
        return [2 * n, 2 * n + 1].map((to) => ({ to: [to <= states ? to : 1] }));
      },
    };
    const kept = {
      get bytes() {
        return expansions < from ? 0 : 1 << 30;
      },
      clear: () => {},
    };
    const candidates = { propose: () => 0, successorsOf: () => {}, kept };
    const budget = { memoryBytes: 1 << 24 };
    const model = withSystem(toyModel(toy), { candidates });
    return (await search(model, { ...PLAIN, order: "bfs", budget })).stop;
  };
  expect(await stopOf(1500, Infinity)).toBeUndefined();
  expect(await stopOf(1500, 800)).toBe("memory");
  expect(await stopOf(900, 900)).toBeUndefined();
});

describe("a search that begins again with smaller states", () => {
  /** A chain of `states` states; `again` makes the model with smaller states. */
  const packable = (states: number, again: () => Model, more: Partial<Toy> = {}) => {
    const asked: number[] = [];
    const model: Model = {
      ...toyModel({ ...counters(1, states), ...more }),
      compact: (stateAt, count) => {
        asked.push(count, stateAt(0)[0]!, stateAt(count - 1)[0]!);
        return again();
      },
    };
    return { model, asked };
  };
  const plain = (states: number, more: Partial<Toy> = {}) => toyModel({ ...counters(1, states), ...more });

  test("is not needed where the first attempt has seen everything", async () => {
    const { model, asked } = packable(900, () => plain(1));
    const { stop, stats } = await checkModel(model);
    expect([stop, stats.states, asked]).toEqual([undefined, 900, []]);
  });

  test("answers by the second attempt alone, which sees everything", async () => {
    const { model, asked } = packable(1300, () => plain(1300));
    const { stop, stats } = await checkModel(model);
    expect([stop, stats.states, asked]).toEqual([undefined, 1300, [1000, 0, 999]]);
    const cut = await checkModel(packable(1300, () => plain(1300)).model, { budget: { maxStates: 1299 } });
    expect([cut.stop, cut.stats.states]).toEqual(["states", 1299]);
  });

  test("ends where the first attempt has met what ends a search", async () => {
    const broken = { invariants: [([n = 0]: readonly number[]) => n !== 500] };
    const found = packable(1300, () => plain(1300), broken);
    const first = await checkModel(found.model, { errors: 1 });
    expect([first.stop, verdictOn(first, "invariant").kind, found.asked]).toEqual(["errors", "violated", []]);
    const few = packable(1300, () => plain(1300));
    const result = await checkModel(few.model, { budget: { maxStates: 1000 } });
    expect([result.stop, result.stats.states, few.asked]).toEqual(["states", 1000, []]);
    const deep = packable(1300, () => plain(1300));
    expect([(await checkModel(deep.model, { budget: { maxDepth: 10 } })).stop, deep.asked]).toEqual([
      "depth",
      [],
    ]);
  });

  test("begins once more where a state does not fit, and not where something else is wrong", async () => {
    const failing = (error: () => Error): Model => {
      const model = plain(1300);
      return withSystem(model, {
        successors: (state, at, out) => {
          if (state[at] === 1100) throw error();
          model.system.successors(state, at, out);
        },
      });
    };
    const retried = packable(1300, () => failing(() => new LayoutExceeded(() => plain(1300))));
    const { stop, stats } = await checkModel(retried.model);
    expect([stop, stats.states]).toEqual([undefined, 1300]);
    const wrong = packable(1300, () => failing(() => new Error("something else")));
    await expect(checkModel(wrong.model)).rejects.toThrow("something else");
  });

  test("a lossy store is asked for its own answer", async () => {
    const store = storeFor("bitstate", { ...DEFAULT_SETTINGS, tableBytes: 1 << 12 });
    const { isComplete, store: report } = await checkModel(packable(20, () => plain(20)).model, { store });
    expect([isComplete, report.kind, report.omissions]).toEqual([false, "bitstate", expect.anything()]);
  });

  test("what the second attempt has reached is reached", async () => {
    const covered = (reached: readonly number[]) => ({ parts: [], reached: Uint8Array.from(reached) });
    const { model } = packable(1300, () => ({ ...plain(1300), coverage: covered([0, 1, 0]) }));
    const first: Model = { ...model, coverage: covered([1, 0, 0]) };
    await checkModel(first);
    expect([...first.coverage.reached]).toEqual([1, 1, 0]);
  });
});

describe("a search that finds a store for itself", () => {
  const settings = { ...DEFAULT_SETTINGS, tableBytes: 1 << 14 };
  const found = async (memoryBytes: number, takesProbable: boolean, more: Partial<Toy> = {}) => {
    const toy: Toy = { ...counters(4, 6), ...more };
    const result = await check(toy, { budget: { memoryBytes }, storeSettings: settings, takesProbable });
    return [result.stop, result.isComplete, result.store.kind];
  };

  test("is exact while the memory lasts, and then lossy only where that is accepted", async () => {
    expect(await found(1 << 22, false)).toEqual([undefined, true, "exact"]);
    const short = await found(1 << 16, false);
    expect(short.slice(0, 2)).toEqual(["memory", false]);
    expect(short[2]).not.toBe("bitstate");
    expect(await found(1 << 16, true)).toEqual([undefined, false, expect.stringMatching(/bitstate|compact/)]);
  });

  test("a lossy store that finds no room has an answer without an analysis", async () => {
    const store = storeFor("compact", { ...DEFAULT_SETTINGS, tableBytes: 1 << 20 });
    const result = await check(counters(2, 3), { budget: { memoryBytes: 1 << 12 }, store });
    expect([result.stop, result.store.kind, result.store.omissions]).toEqual(["memory", "compact", null]);
  });

  test("an error that was found before the memory was spent is the answer", async () => {
    const toy: Toy = { ...counters(4, 6), invariants: [([a = 0]) => a < 1] };
    const budget = { memoryBytes: 1 << 16 };
    for (const takesProbable of [false, true]) {
      const result = await check(toy, { budget, storeSettings: settings, takesProbable });
      expect([result.store.kind, verdictOn(result, "invariant").kind]).toEqual(["exact", "violated"]);
    }
  });
});
