/** Many random runs of systems of nodes: the same runs in every shard and process, replayed failures, honest answers. */
import { describe, expect, test } from "vitest";
import { checkInput } from "../../src/session/check/check.js";
import { readInput, registry, type CheckOptions, type Input } from "../../src/session/index.js";
import { replayInput } from "../../src/session/replay/replay.js";
import { figuresOf, unionOfReports, type CheckReport } from "../../src/report/index.js";
import { inRepository } from "../repository.js";
import { checkText, propertyOf } from "../code/system/small.js";

const file = inRepository("examples/code/systems/two-phase-commit.ts");
const input = readInput(file) as Input;
const swarm = (more: object = {}): CheckOptions["schedules"] => ({
  by: "swarm",
  runs: 40,
  steps: 60,
  ...more,
});

async function simulated(options: CheckOptions, more: object = {}): Promise<CheckReport> {
  return (await checkInput(input, { seed: 3, schedules: swarm(more), ...options }, registry)).report;
}

describe("a failing system", () => {
  const defines = ["IMPATIENT"];

  test("the failure is shortened, and replays", async () => {
    const report = await simulated({ defines });
    const { verdict, trace, foundSteps } = propertyOf(report, "all decide alike");
    expect(verdict).toBe("violated");
    expect(report.scope.kind).toBe("partial");
    expect(trace!.length).toBe(5);
    expect(foundSteps ?? trace!.length).toBe(figuresOf(report)!.failed!.steps);
    const again = await replayInput(input, { schedule: trace!.schedule }, { defines }, registry);
    expect(again).toMatchObject({ outcome: "failed", property: { name: "all decide alike" } });
  });

  test("as it was found", async () => {
    const report = await simulated({ defines, minimises: false });
    expect(propertyOf(report, "all decide alike").trace!.length).toBe(figuresOf(report)!.failed!.steps);
  });

  test("shards and processes make the same runs", async () => {
    const whole = figuresOf(await simulated({ defines }))!;
    const parts = await Promise.all(
      [0, 1, 2].map((index) => simulated({ defines }, { part: { index, of: 3 } })),
    );
    expect(figuresOf(unionOfReports(parts))!.failed).toEqual(whole.failed);
    const shards = await Promise.all(
      [1, 2].map((index) => simulated({ defines }, { shard: { index, of: 2 } })),
    );
    expect(figuresOf(unionOfReports(shards))!.failed).toEqual(whole.failed);
    expect(figuresOf(await simulated({ defines }))).toEqual({
      ...whole,
      processorSeconds: expect.any(Number) as number,
    });
  });

  test("only the requested property fails", async () => {
    const report = await simulated({ defines, properties: ["exceptions"] });
    expect(report.properties.map(({ verdict }) => verdict)).toEqual(["unknown"]);
  });
});

describe("a system without errors", () => {
  test("is unknown, with the runs; accepted on request", async () => {
    const report = await simulated({});
    const { runs, planned, steps, guideStates } = figuresOf(report)!;
    expect([runs, planned, guideStates]).toEqual([40, 40, null]);
    expect(propertyOf(report, "all decide alike")).toMatchObject({
      verdict: "unknown",
      reason: `40 runs with ${steps.toLocaleString("en")} steps did not violate it`,
    });
    expect(propertyOf(report, "all commit").verdict).toBe("holds");
    expect(report.accepted).toBeUndefined();
    expect((await simulated({ accept: "probabilistic" })).accepted).toBe("probabilistic");
    expect((await simulated({ accept: "bounded" })).accepted).toBeUndefined();
  });

  test("a stopped simulation is not accepted", async () => {
    const report = await simulated({ accept: "probabilistic", control: { isStopped: () => true } });
    expect(report.accepted).toBeUndefined();
    expect(figuresOf(report)!.runs).toBe(0);
  });
});

const counter = (more: string): string => `
  class Counter {
    n = 0; up = 0;
    constructor(readonly e: Environment) {}
    onStart() { this.up++; }
    tick() { if (this.e.fails("tick")) this.n += 10; else this.n++; }
  }
  export default defineSystem<any>({
    nodes: { a: (e) => new Counter(e), b: (e) => new Counter(e) },
    actions: { tick: { run: (n) => n.tick(), times: 2 } },
    guide: ({ nodes }) => nodes.a?.n ?? -1,
    ${more}
  });`;

describe("limits", () => {
  const run = (more: string, faults: readonly string[]): Promise<CheckReport> =>
    checkText(counter(more), { seed: 1, faults, schedules: swarm() });

  test("of the file, unless --faults has others", async () => {
    const few = `always: { few: ({ nodes }) => (nodes.a?.n ?? 0) + (nodes.b?.n ?? 0) < 5 }`;
    expect(propertyOf(await run(few, []), "few").verdict).toBe("unknown");
    expect(propertyOf(await run(few, ["tick=9"]), "few").verdict).toBe("violated");
    expect(propertyOf(await run(few, ["tick"]), "few").verdict).toBe("violated");
    expect(propertyOf(await run(few, ["failures=1"]), "few").verdict).toBe("violated");
    const up = `always: { up: ({ isUp }) => isUp("a") }`;
    expect(propertyOf(await run(up, []), "up").verdict).toBe("unknown");
    expect(propertyOf(await run(up, ["crashes"]), "up").verdict).toBe("violated");
  });

  test("check takes them as well", async () => {
    const few = `always: { few: ({ nodes }) => nodes.a.n + nodes.b.n < 5 }`;
    const report = await checkText(counter(few), { faults: ["tick=4"] });
    expect(propertyOf(report, "few").verdict).toBe("holds");
    expect(report.scope.notes).toContain("tick: 4");
    expect(propertyOf(await checkText(counter(few), { faults: ["tick=5"] }), "few").verdict).toBe("violated");
  });

  test("beyond a declared bound only on request", async () => {
    const bound = `discard: (n) => n.n > 1, always: { few: ({ nodes }) => nodes.a.n < 2 }`;
    expect(propertyOf(await run(bound, []), "few").verdict).toBe("unknown");
    expect(propertyOf(await run(bound, ["beyond"]), "few").verdict).toBe("violated");
  });

  test("names that mean nothing are refused", async () => {
    const { diagnostics } = await run("", ["tock"]);
    expect(diagnostics).toMatchObject([{ code: "code/bad-declaration", severity: "error" }]);
    expect(diagnostics[0]!.message).toContain("'tock' is neither a fault nor an action");
  });

  test("the guide counts abstract states", async () => {
    expect(figuresOf(await run("", []))!.guideStates).toBe(3);
  });
});

test("a run in which a crashed node misses one of several messages can be repeated", async () => {
  const text = `
  class Sender {
    sent = 0;
    constructor(readonly e: Environment) {}
    send() { this.e.send("b", ++this.sent); }
  }
  class Receiver { got: number[] = []; onMessage(_: string, n: number) { this.got = [...this.got, n]; } }
  export default defineSystem<any>({
    nodes: { a: (e) => new Sender(e), b: () => new Receiver() },
    faults: { crashes: 3, crashing: ["b"] },
    actions: { send: { on: "a", run: (n) => n.send(), times: 8 } },
    always: { "three in order": ({ nodes }) => (nodes.b?.got ?? []).join() !== "5,3,8" },
  });`;
  for (let seed = 1; seed <= 3; seed++) {
    const options = {
      seed,
      minimises: false,
      schedules: swarm({ runs: 4000, steps: 40, strategy: "plain" }),
    };
    const report = await checkText(text, options as CheckOptions);
    expect(report.diagnostics).toEqual([]);
    const { verdict, trace } = propertyOf(report, "three in order");
    if (verdict === "violated") expect(trace!.length).toBe(figuresOf(report)!.failed!.steps);
  }
});

test("a deadlock is found", async () => {
  const stuck = counter("finished: ({ nodes }) => nodes.a.n !== 1");
  const report = await checkText(stuck, { seed: 1, schedules: swarm() });
  const { verdict, trace } = propertyOf(report, "deadlock");
  expect(verdict).toBe("violated");
  expect(trace!.length).toBe(2);
});
