/** Options of an exploration: replay, regressions, strategies, the host realm; and its output. */
import { readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explore, type Body, type Exploration } from "../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../src/session/schedules/options.js";
import { parseScheduleText } from "../../src/session/schedules/schedule-text.js";
import { everySchedule, judged, type ScheduleError, type ScheduleWorld } from "../../src/testing/code.js";
import { inRepository } from "../repository.js";

const folder = inRepository("test/fixtures/code/schedules");

const exploreFixture = (name: string, title: string, options: ScheduleOptions = {}): Promise<Exploration> =>
  explore({ file: join(folder, name), framework: "vitest", names: [title], body: () => {} }, options);

describe("a schedule", () => {
  test("is printed, repeats its failure, and is noticed when stale", async () => {
    const found = await exploreFixture("effects.ts", "done at completion: answers decide");
    const [, text] = /replay\('(.*)'\)/.exec(found.message)!;
    expect(parseScheduleText(text!)?.plan.prefix).toEqual([1]);
    const again = await exploreFixture("effects.ts", "done at completion: answers decide", { only: text! });
    expect(again).toMatchObject({ verdict: "violated", result: undefined });
    expect(again.message).toContain("expected [ 2, 1 ] to equal [ 1, 2 ]");
    // Fails for another reason than the recorded one.
    const other = text!.replace(/#.*/, "#0000");
    const changed = await exploreFixture("effects.ts", "done at completion: answers decide", { only: other });
    expect(changed.message).toContain("This schedule is stale");
    expect(again.message).not.toContain("stale");
    // The same choices mean something else in another test.
    const stale = await exploreFixture("effects.ts", "fifo answers", { regressions: [text!] });
    expect(stale).toMatchObject({
      verdict: "unknown",
      message: expect.stringContaining("is stale") as string,
    });
  });

  test("that passes now is run before the others and changes nothing", async () => {
    const found = await exploreFixture("services.ts", "an aborted fetch", { regressions: ["1"] });
    expect(found).toMatchObject({ verdict: "holds" });
  });

  test("is told as swim lanes, with the user's line and what was printed", async () => {
    const { message } = await exploreFixture("bank.ts", "two withdrawals never overdraw");
    const place = message.split("\n").slice(0, 4);
    expect(place[1]).toMatch(/bank\.ts:24:18$/);
    expect(place[2]).toContain("expect(paid).toBe(1);");
    await expect(message.replace(/, in [\d.]+ s/, "")).toMatchFileSnapshot("golden/bank.txt");
  });
});

describe("what has no line of its own is shown at the test", () => {
  const declaredAt = `Error\n    at declare (${inRepository("src/testing/door.ts")}:1:1)\n    at ${join(folder, "bank.ts")}:24:3`;
  const exploreAt = (name: string, title: string, options: ScheduleOptions): Promise<Exploration> => {
    const request = {
      file: join(folder, name),
      framework: "vitest",
      names: [title],
      body: () => {},
    } as const;
    return explore({ ...request, declaredAt }, options);
  };
  const theTest = /\n\nThe test: .*bank\.ts:24:3\n {5}24 \| .*\n {8}\| {3}\^$/;
  const stack = [`test (${join(folder, "bank.ts")}:24:3)`];

  test.each([
    ["endings.ts", "deadlock", {}, /^Deadlock: /],
    ["endings.ts", "endless microtasks", {}, /^Livelock: /],
    ["endings.ts", "too many schedules", { schedules: 3 }, /^Not every schedule was run: 3 schedules/],
  ] as const)("%s: %s", async (name, title, options, headline) => {
    const found = await exploreAt(name, title, options);
    expect(found.message).toMatch(headline);
    expect(found.message).toMatch(theTest);
    expect(found.stack).toEqual(stack);
  });

  test("with the last thing that it asked for", async () => {
    const { message } = await exploreAt("network.ts", "a network that is cut", {});
    expect(message).toMatch(/\nlast call: a while waits\n {2}at .*network\.ts:\d+:\d+\n/);
    expect(message).toMatch(theTest);
  });

  test("and an assertion where it stands", async () => {
    const { message } = await exploreAt("bank.ts", "two withdrawals never overdraw", {});
    expect(message).not.toMatch(/The test:|last call:/);
  });

  test("by the call that declares it", async () => {
    const { run } = everySchedule("waits forever", () => new Promise(() => {}), { realm: "host" });
    const found = await run().catch((error: unknown) => (error as ScheduleError).exploration);
    expect(found.message).toMatch(
      /The test: test\/testing\/explore\.test\.ts:\d+:\d+\n.*everySchedule\("waits/,
    );
    expect(found.stack).toHaveLength(1);
  });
});

describe("strategies find the race", () => {
  for (const strategy of ["delays", "preemptions", "depth-first", "random", "pct"] as const)
    test(strategy, async () => {
      const options = { strategy, schedules: 40 };
      expect(await exploreFixture("services.ts", "fetch answers in every order", options)).toMatchObject({
        verdict: "violated",
      });
    });
});

describe("a bound", () => {
  const test3 = (options: ScheduleOptions): Promise<Exploration> =>
    exploreFixture("frameworks.ts", "modules are fresh in every schedule", options);

  test("that leaves schedules out is the scope of what holds", async () => {
    const found = await test3({ strategy: "delays", bound: 1 });
    expect(found).toMatchObject({ verdict: "holds", result: { exhaustedBound: 1, isExhausted: false } });
    expect(found.message).toMatch(/^Every schedule with at most 1 delay was run: \d schedules/);
    expect(found.scope).toEqual(["Scope: bounded. It is about schedules with at most 1 delay."]);
  });

  test("is not reached when the budget is spent: unknown, and what was reached is said", async () => {
    const found = await test3({ strategy: "delays", schedules: 2 });
    expect(found.verdict).toBe("unknown");
    expect(found.message).toContain("Every one without delays was.");
  });

  test("does not make a promise of random schedules, which say their chances", async () => {
    const found = await test3({ strategy: "pct", schedules: 20 });
    expect(found.verdict).toBe("unknown");
    expect(found.message).toMatch(/Chance to have seen a failure, at least, .* 1: \d+ %/);
  });
});

describe("in the host realm", () => {
  const inHost = (body: Body, options: ScheduleOptions = {}): Promise<Exploration> =>
    explore({ file: "none", framework: "code", names: [], body }, { ...options, realm: "host" });

  const race = async (world: ScheduleWorld): Promise<void> => {
    const order: string[] = [];
    await Promise.all(["a", "b", "c"].map(async (name) => (await world.pause(name), order.push(name))));
    if (order.join("") === "cab") throw new Error("cab");
  };

  test("a race is found, and the scope is said", async () => {
    const found = await inHost(race);
    expect(found).toMatchObject({ verdict: "violated", failing: { report: { turns: 3 } } });
    expect(found.message).toContain("Scope: host realm");
    expect(found.stack[0]).toMatch(/explore\.test\.ts:\d+:\d+/);
  });

  test("a failure that does not come again is unknown, and said", async () => {
    let runs = 0;
    const found = await inHost(() => {
      if (++runs === 1) throw new Error("only once");
    });
    expect(found).toMatchObject({ verdict: "unknown", failing: undefined });
    expect(found.message).toContain("code/nondeterminism: the schedule of the default order failed");
    expect(() => judged(found, { onSpent: "pass" })).toThrow("code/nondeterminism");
  });

  test("timers are virtual, and real again afterwards", async () => {
    const [realTimer, realDate] = [globalThis.setTimeout, globalThis.Date];
    const start = performance.now();
    const found = await inHost(async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      const lateMs = Date.now() - Date.UTC(2020, 0, 1, 1);
      if (lateMs !== 0 && lateMs !== 10) throw new Error(`it is ${Date.now()}`);
    });
    expect(found).toMatchObject({ verdict: "holds", result: { schedules: 2 } });
    expect(performance.now() - start).toBeLessThan(60_000);
    expect([globalThis.setTimeout, globalThis.Date]).toEqual([realTimer, realDate]);
  });

  test("state that modules keep is found out as nondeterminism", async () => {
    let runs = 0;
    const found = await inHost(
      async (world) => {
        if (runs++ % 2 === 1) await world.pause();
        await Promise.all([world.pause("a"), world.pause("b")]);
      },
      { replayEvery: 1 },
    );
    expect(found).toMatchObject({
      verdict: "unknown",
      message: expect.stringContaining("code/nondeterminism") as string,
    });
  });
});

test("a schedule is repeated in the host, where a debugger meets the body", async () => {
  const overtaken: Body = async (world) => {
    const seen: number[] = [];
    const ask = world.service("ask", (n: number) => n, { effect: "completion" });
    await Promise.all([1, 2].map(async (n) => seen.push(await ask(n))));
    if (seen[0] !== 1) throw new Error("overtaken");
  };
  const inHost = (options: ScheduleOptions): Promise<Exploration> =>
    explore({ file: "none", framework: "code", names: [], body: overtaken }, { ...options, realm: "host" });
  const [, text] = /replay\('(.*)'\)/.exec((await inHost({})).message)!;
  const session = new Session();
  session.connect();
  const met: string[] = [];
  session.on("Debugger.paused", ({ params }) => met.push(params.callFrames[0]!.functionName));
  session.post("Debugger.enable");
  session.post("Runtime.enable");
  try {
    const holder = globalThis as unknown as { everypathBody?: Body };
    holder.everypathBody = overtaken;
    const body = await new Promise<string>((resolve, reject) =>
      session.post("Runtime.evaluate", { expression: "everypathBody" }, (error, { result }) =>
        error ? reject(error) : resolve(result.objectId!),
      ),
    );
    session.post("Debugger.setBreakpointOnFunctionCall" as never, { objectId: body } as never);
    expect(await inHost({ only: text! })).toMatchObject({ verdict: "violated" });
    delete holder.everypathBody;
  } finally {
    session.disconnect();
  }
  expect(met).toEqual(["overtaken"]);
});

test("an import that only Vite understands is refused where it stands", async () => {
  const file = join(folder, "../vite/worker.ts");
  const { message } = await explore({ file, framework: "vitest", names: ["x"], body: () => {} }, {});
  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((text) => text.includes("?worker")) + 1;
  expect(message).toContain("code/vite-import");
  expect(message).toContain(`worker.ts:${line}:`);
});

describe("a file made for Vite", () => {
  const inFile = (...names: string[]): Promise<Exploration> =>
    explore(
      {
        file: join(folder, "../vite/vite.ts"),
        framework: "vitest",
        names,
        body: () => {},
        defines: { __SHOP__: '"corner"' },
        env: { VITE_SHOP: "bakery" },
      },
      {},
    );

  test.each([
    ["texts and addresses"],
    ["constants and the environment"],
    ["a row of 1 and 2"],
    ["a row of 3 and 4"],
    ["a row with tea"],
    ["rows as they are", "is a pair"],
    ["skipped by the framework"],
  ])("%s %s", async (...names) => {
    expect((await inFile(...names.filter(Boolean))).message).toMatch(/^Every schedule was run/);
  });

  test("what Vite would make of the code is refused in one place, without a chart", async () => {
    const { message } = await inFile("globs");
    expect(message).toContain("code/unsupported: import.meta.glob is not supported: it is made by Vite");
    expect(message).toMatch(/vite\.ts:\d+:8\n/);
    expect(message).not.toContain("replay(");
  });

  test("what was printed is told once", async () => {
    const { message } = await inFile("prints");
    expect(message).toContain("prints short");
    expect(message).not.toContain("console output");
    expect((await inFile("prints before all")).message).toContain("[start] early");
  });
});

test("one turn is one turn", async () => {
  const { message } = await exploreFixture("endings.ts", "thrown in a timer");
  expect(message).toMatch(/schedules?, up to 1 turn, in/);
});

test("a test that the file does not declare, or declares twice, is refused", async () => {
  expect((await exploreFixture("bank.ts", "no such test")).message).toContain("code/lost-test");
  expect((await exploreFixture("frameworks.ts", "names of tables")).message).toContain("code/ambiguous-test");
});
