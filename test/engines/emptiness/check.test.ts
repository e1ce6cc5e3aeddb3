import { describe, expect, test } from "vitest";
import {
  EMPTINESS_ALGORITHMS,
  checkEmptiness,
  refusal,
  type EmptinessOptions,
  type EmptinessResult,
} from "../../../src/engines/explicit/emptiness/index.js";
import { Entry, type Successors, type System } from "../../../src/model/index.js";
import { isObviouslyEmpty, randomGraph, randomNumbers, type WrittenGraph } from "./graphs.js";

interface MarkedStep {
  readonly to: readonly number[];
  readonly marks: number;
  readonly isIntermediate?: boolean;
  readonly fault?: number;
}

/** A system from a function on states as lists of numbers; trailing zeros do not matter. It widens as it needs to. */
function markedSystem(next: (state: readonly number[]) => readonly MarkedStep[]): System {
  let width = 1;
  const emit = (out: Successors, { to, marks, isIntermediate, fault }: MarkedStep): void => {
    if (fault !== undefined) return out.addFault(fault);
    if (to.length > width) out.widen((width = to.length));
    if (out.count === out.capacity) out.grow();
    out.words.fill(0, out.count * out.stride, (out.count + 1) * out.stride);
    out.words.set(to, out.count * out.stride);
    out.labels[out.count] = marks;
    out.flags[out.count++] = isIntermediate ? Entry.intermediate : 0;
    if (isIntermediate) out.isFlagged = true;
  };
  return {
    get width() {
      return width;
    },
    compareFrom: 0,
    labels: "marks",
    initial: (out) => emit(out, { to: [0], marks: 0 }),
    successors: (state, at, out) => {
      for (const step of next([...state.subarray(at, at + width)])) emit(out, step);
    },
    status: () => 0,
  };
}

const asSystem = ({ arcs }: WrittenGraph): System =>
  markedSystem(([state]) => arcs[state].map(({ to, marks }) => ({ to: [to], marks })));

const check = (system: System, options: Partial<EmptinessOptions> = {}): Promise<EmptinessResult> =>
  checkEmptiness(system, { algorithm: "auto", conditions: 1, budget: {}, control: {}, ...options });

/** A way of `length` steps into a loop of two states, the first of which is accepting. */
const wayToLoop = (length: number): System =>
  markedSystem(([at]) => [{ to: [at < length + 1 ? at + 1 : length], marks: at === length ? 1 : 0 }]);

describe("checkEmptiness", () => {
  test("random systems: the verdict of the graph, for every algorithm", async () => {
    const random = randomNumbers(3);
    for (let i = 0; i < 150; i++) {
      const written = randomGraph(random);
      const { conditions } = written;
      for (const algorithm of EMPTINESS_ALGORITHMS) {
        if (refusal(algorithm, conditions, false) !== undefined) continue;
        const result = await check(asSystem(written), { algorithm, conditions });
        expect(result.isEmpty, `${algorithm} ${JSON.stringify(written)}`).toBe(isObviouslyEmpty(written));
        expect(result.stats.algorithm).toBe(algorithm);
      }
    }
  });

  test("a run: the prefix begins with the initial state, the cycle follows it and closes", async () => {
    const { isEmpty, run, stats } = await check(wayToLoop(3));
    expect(isEmpty).toBe(false);
    expect(run!.prefix.map(([at]) => at)).toEqual([0, 1, 2]);
    expect(run!.cycle.map(([at]) => at)).toEqual([3, 4]);
    expect(run!.cycleMarks).toEqual([1, 0]);
    expect(stats).toMatchObject({ states: 5, systemStates: 5, transitions: 5, depth: 4, stack: 5 });
  });

  test("a cycle through the initial state still has a prefix", async () => {
    const { run } = await check(wayToLoop(0));
    expect(run!.prefix.map(([at]) => at)).toEqual([0]);
    expect(run!.cycle.map(([at]) => at)).toEqual([1, 0]);
    expect(run!.prefixMarks).toEqual([1]);
    expect(run!.cycleMarks).toEqual([0, 1]);
  });

  test("states that become wider on the way", async () => {
    // A counter in unary: state n has n + 1 words; after 40 it goes back to 20.
    const unary = (n: number): number[] => [...new Array<number>(n).fill(1), n];
    const system = markedSystem((words) => {
      const n = Math.max(...words);
      return [{ to: unary(n === 40 ? 20 : n + 1), marks: n === 30 ? 1 : 0 }];
    });
    const { isEmpty, run } = await check(system);
    expect(isEmpty).toBe(false);
    expect(run!.cycle.map((words) => Math.max(...words))).toEqual(
      Array.from({ length: 21 }, (_, i) => 20 + i),
    );
  });

  test("intermediate states are no nodes, and each way through them keeps its own marks", async () => {
    // 0 goes to the intermediate state 1 by two steps with different marks, and from there back to 0.
    const system = markedSystem(([at]) =>
      at === 0 ? [1, 2].map((marks) => ({ to: [1], marks, isIntermediate: true })) : [{ to: [0], marks: 0 }],
    );
    const { isEmpty, stats, run } = await check(system, { conditions: 2 });
    expect(isEmpty).toBe(false);
    expect(stats.systemStates).toBe(1);
    expect([...run!.cycleMarks].sort()).toEqual([1, 2]);
  });

  test("faults are told once for each site, with the way there", async () => {
    const system = markedSystem(([at]) => [
      ...(at === 4 || at === 6 ? [{ to: [], marks: 0, fault: 5 }] : []),
      { to: [(at + 1) % 10], marks: 0 },
    ]);
    const told: [number, number[]][] = [];
    const onFault: EmptinessOptions["onFault"] = (site, path) =>
      void told.push([site, path().map(([at]) => at)]);
    const { isEmpty } = await check(system, { onFault });
    expect(isEmpty).toBe(true);
    expect(told).toEqual([[5, [0, 1, 2, 3, 4]]]);
  });

  test("an algorithm that cannot check this refuses, and searches nothing", async () => {
    const noConditions = await check(wayToLoop(3), { algorithm: "tau03", conditions: 0 });
    expect(noConditions).toMatchObject({ isEmpty: undefined, stop: undefined, stats: { states: 0 } });
    expect(noConditions.refused).toMatch(/tau03 needs at least one acceptance condition/);
    const notWeak = await check(wayToLoop(3), { algorithm: "dfs" });
    expect(notWeak.isEmpty).toBeUndefined();
    expect(notWeak.refused).toMatch(/weak/);
  });

  test("auto takes dfs for what is weak, cou99 otherwise", async () => {
    const weak = markedSystem(([at]) => [{ to: [1 - at], marks: 1 }]);
    expect((await check(weak, { isWeak: true })).stats.algorithm).toBe("dfs");
    expect((await check(weak)).stats.algorithm).toBe("cou99");
  });

  test("labels that are no marks are refused", async () => {
    const system = { ...wayToLoop(3), labels: "agents" as const };
    await expect(check(system)).rejects.toThrow(/not acceptance marks/);
  });
});

describe("a search that left something out never says empty", () => {
  const long = markedSystem(([at]) => (at < 5000 ? [{ to: [at + 1], marks: 0 }] : []));
  for (const algorithm of EMPTINESS_ALGORITHMS) {
    test(`${algorithm}: states, depth, memory, time, Ctrl-C`, async () => {
      const isWeak = true;
      expect(await check(long, { algorithm, isWeak })).toMatchObject({ isEmpty: true, stop: undefined });
      const stopped = async (options: Partial<EmptinessOptions>): Promise<unknown> => {
        const { isEmpty, stop } = await check(long, { algorithm, isWeak, ...options });
        expect(isEmpty).toBeUndefined();
        return stop;
      };
      expect(await stopped({ budget: { maxStates: 100 } })).toBe("states");
      expect(await stopped({ budget: { maxDepth: 100 } })).toBe("depth");
      expect(await stopped({ budget: { memoryBytes: 50_000 } })).toBe("memory");
      expect(await stopped({ budget: { timeMs: 0 } })).toBe("time");
      expect(await stopped({ control: { isStopped: () => true } })).toBe("interrupted");
    });

    test(`${algorithm}: what is accepting within the limits is still found`, async () => {
      const weak = markedSystem(([at]) => [{ to: [at < 21 ? at + 1 : 20], marks: at >= 20 ? 1 : 0 }]);
      const budget = { maxDepth: 22, maxStates: 22 };
      expect((await check(weak, { algorithm, isWeak: true, budget })).isEmpty).toBe(false);
    });
  }
});
