/** Bounded lateness of requests beside periodic work: `late`. */
import { describe, expect, test } from "vitest";
import { Relied } from "../../../src/code/realm/index.js";
import type { ScheduleWorld } from "../../../src/code/schedule/index.js";
import { explore } from "../../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../../src/session/schedules/options.js";
import { inRepository } from "../../repository.js";
import { hostOutcomes } from "../outcomes.js";

type Say = (text: string) => void;

/** Four timers, each setting the next, beside two requests and one timer that stands alone. */
async function chain(world: ScheduleWorld, say: Say): Promise<void> {
  const beat = (left: number): void => {
    say("t");
    if (left > 1) setTimeout(() => beat(left - 1), 10);
  };
  setTimeout(() => beat(4), 10);
  setTimeout(() => say("x"), 1000);
  const second = async (): Promise<void> => {
    await world.pause("a");
    say("a");
    say("B");
    await world.pause("b");
    say("b");
  };
  await second();
}

/** Does no request wait for more than `late` beats? Requests: "a" from the start, "b" from "B". */
function isInTime(said: string, late: number): boolean {
  const beats = (from: number, to: number): number =>
    said
      .split(" ")
      .slice(from, to)
      .filter((word) => word === "t").length;
  const at = (word: string): number => said.split(" ").indexOf(word);
  return beats(0, at("a")) <= late && beats(at("B"), at("b")) <= late;
}

describe("equals all schedules without those that are too late", () => {
  test.each([0, 1, 2, 3, 4])("late: %i", async (late) => {
    const all = await hostOutcomes(chain);
    const bounded = await hostOutcomes(chain, { late });
    expect(bounded.said).toEqual(all.said.filter((said) => isInTime(said, late)));
    const isCut = bounded.said.length < all.said.length;
    expect((bounded.relied & Relied.late) !== 0).toBe(isCut);
    expect(all.relied & Relied.late).toBe(0);
  });
});

test("timers that stand alone are never delayed", async () => {
  const body = async (world: ScheduleWorld, say: Say): Promise<void> => {
    for (const n of [1, 2, 3]) setTimeout(() => say(`${n}`), n);
    await world.pause("a");
    say("a");
  };
  const all = await hostOutcomes(body);
  expect((await hostOutcomes(body, { late: 1 })).said).toEqual(all.said);
  expect((await hostOutcomes(body, { late: 1 })).relied & Relied.late).toBe(0);
});

test("a request that cannot complete delays nothing", async () => {
  // The second item of a queue waits for the first, which waits for nothing but its turn.
  const body = async (world: ScheduleWorld, say: Say): Promise<void> => {
    const ask = world.service("s", (text: string) => text, { order: "fifo", effect: "call" });
    const beat = setInterval(() => say("t"), 5);
    await Promise.all([ask("a").then(say), ask("b").then(say)]);
    clearInterval(beat);
  };
  const { said } = await hostOutcomes(body, { late: 1 });
  expect(said).toContain("a b");
  expect(said.every((text) => !text.includes("("))).toBe(true);
});

const run = (name: string, options: ScheduleOptions) =>
  explore(
    { file: inRepository("test/fixtures/code/late.ts"), framework: "code", names: [name], body: () => {} },
    { turns: 40, ...options },
  );

test.each(["a heartbeat", "a poller"])(
  "%s beside a request is exhausted, and the verdict says within what",
  async (name) => {
    const spent = await run(name, {});
    expect(spent.verdict).toBe("unknown");
    expect(spent.message).toMatch(
      /In one schedule the timer "(interval 100|timeout 50) ms" fired \d+ times in a row/,
    );
    expect(spent.message).toContain("{ late: 3 }");
    expect(spent.message).toMatch(/late\.ts:\d+/);
    const { verdict, result, scope, message } = await run(name, { late: 3 });
    expect(verdict).toBe("holds");
    expect(result!.isExhausted).toBe(true);
    expect(message).toContain("Every schedule within the lateness of requests was run");
    expect(scope).toContain(
      "Scope: bounded. While a request was pending, an interval, or a timer that sets the next one, fired at most 3 times (late).",
    );
  },
);

test("what happens beyond the bound is not claimed", async () => {
  const below = await run("a beat too many", { late: 2 });
  expect(below.verdict).toBe("holds");
  expect(below.scope.join()).toContain("at most 2 times");
  const above = await run("a beat too many", { late: 3 });
  expect(above.verdict).toBe("violated");
  expect(above.message).toContain("No schedule within the lateness of requests that fails is shorter");
});

test("the reduction by races is off, and a bound must be a number", async () => {
  expect((await run("a heartbeat", { late: 1, reduction: "races" })).message).toContain(
    "The reduction by races is off: the lateness of requests is bounded",
  );
  expect((await run("a heartbeat", { late: -1 })).message).toContain("late must be a number of firings");
});
