/** Small async programs with all their outcomes: no more, and no fewer. */
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { Relied } from "../../../src/code/realm/index.js";
import type { ScheduleWorld } from "../../../src/code/schedule/index.js";
import type { ScheduleOptions } from "../../../src/session/schedules/options.js";
import { hostOutcomes } from "../outcomes.js";

type Body = (world: ScheduleWorld, say: (text: string) => void) => unknown;

function cases(all: Record<string, [said: string[], body: Body, options?: ScheduleOptions]>): void {
  for (const [name, [said, body, options]] of Object.entries(all))
    test(name, async () => {
      expect((await hostOutcomes(body, options)).said).toEqual(said);
    });
}

const relied = (bit: number, body: Body, options?: ScheduleOptions): Promise<boolean> =>
  hostOutcomes(body, options).then((found) => (found.relied & bit) !== 0);

describe("services", () => {
  /** Reports when the service runs, when its reply arrives, and when another task continues. */
  const beside =
    (effect: "call" | "completion" | "either" | "any" | undefined, fails: number | boolean = 0): Body =>
    async (world, say) => {
      const save = world.service("save", () => say("done"), { ...(effect && { effect }), fails });
      const other = world.pause().then(() => say("other"));
      await save().then(
        () => say("answered"),
        () => say("failed"),
      );
      await other;
    };
  /** A single request that opens a gate; the work behind it sets `x`. */
  const gated =
    (work: (world: ScheduleWorld) => Promise<void>): Body =>
    async (world, say) => {
      let [what, x] = ["unchanged", 0];
      const { promise: gate, open } = makeGate();
      void gate.then(() => work(world)).then(() => (x = 1));
      const take = world.service("take", () => {
        say(what);
        open();
      });
      const asked = take();
      what = "changed";
      await asked;
      say(`answered ${x}`);
    };
  const makeGate = (): { promise: Promise<void>; open: () => void } => {
    let open!: () => void;
    const promise = new Promise<void>((resolve) => (open = resolve));
    return { promise, open };
  };
  test("a lone request whose doing begins nothing has no more schedules for that", async () => {
    const body: Body = async (world) => {
      const take = world.service("take", () => 0);
      for (let i = 0; i < 3; i++) await take();
    };
    expect((await hostOutcomes(body)).schedules).toBe(8);
  });
  cases({
    "done at the call": [["done answered other", "done other answered"], beside("call")],
    "done at completion": [["done answered other", "other done answered"], beside("completion")],
    "done at either": [
      ["done answered other", "done other answered", "other done answered"],
      beside("either"),
    ],
    "done at any time": [
      ["done answered other", "done other answered", "other done answered"],
      beside("any"),
    ],
    "done at any time, by default": [
      ["done answered other", "done other answered", "other done answered"],
      beside(undefined),
    ],
    "failing at completion": [
      ["done answered other", "failed other", "other done answered", "other failed"],
      beside("completion", 1),
    ],
    "failing after the call": [
      ["done answered other", "done failed other", "done other answered", "done other failed"],
      beside("call", 1),
    ],
    "failing at any time: done before, after or never": [
      [
        "done answered other",
        "done failed other",
        "done other answered",
        "done other failed",
        "failed done other",
        "failed other",
        "failed other done",
        "other done answered",
        "other done failed",
        "other failed",
        "other failed done",
      ],
      beside("any", true),
    ],
    "no more failures than declared": [
      ["1 2", "1 x2", "x1 2"],
      async (world, say) => {
        const save = world.service("save", () => 0, { effect: "call", fails: 1 });
        for (const name of ["1", "2"])
          await save().then(
            () => say(name),
            () => say(`x${name}`),
          );
      },
    ],
    "answers in every order": [
      ["1 2 3", "1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1"],
      async (world, say) => {
        const take = world.service("take", (n: number) => n, { effect: "call" });
        await Promise.all([1, 2, 3].map((n) => take(n).then((got) => say(`${got}`))));
      },
    ],
    "answers in the order of requests": [
      ["1 2 3"],
      async (world, say) => {
        const take = world.service("take", (n: number) => n, { effect: "completion", order: "fifo" });
        await Promise.all([1, 2, 3].map((n) => take(n).then((got) => say(`${got}`))));
      },
    ],
    "a service that fails itself": [
      ["itself"],
      async (world, say) => {
        const take = world.service("take", () => {
          throw new Error("itself");
        });
        await take().catch((error: Error) => say(error.message));
      },
    ],
    "done strictly between request and answer": [
      [
        "done answered one two",
        "done one answered two",
        "done one two answered",
        "one done answered two",
        "one done two answered",
        "one two done answered",
      ],
      async (world, say) => {
        const save = world.service("save", () => say("done"));
        const others = world.pause().then(async () => {
          say("one");
          await world.pause();
          say("two");
        });
        await save().then(() => say("answered"));
        await others;
      },
    ],
    "what the doing begins may come before its answer": [
      ["answered changed", "answered unchanged", "changed answered", "unchanged answered"],
      async (world, say) => {
        let what = "unchanged";
        const take = world.service("take", () => {
          const seen = what;
          setTimeout(() => say(seen), 1);
        });
        const asked = take();
        what = "changed";
        await asked;
        say("answered");
      },
    ],
    "what the doing begins by a promise may come before its answer": [
      ["changed answered 0", "changed answered 1", "unchanged answered 0", "unchanged answered 1"],
      gated(async (world) => void (await world.pause())),
    ],
    "callbacks of promises that the doing begins may come before its answer": [
      ["changed answered 0", "changed answered 1", "unchanged answered 1"],
      gated(async () => {
        for (let job = 0; job < 9; job++) await undefined;
      }),
    ],
    "an asynchronous doing ends before its failure": [
      ["done answered", "done failed"],
      async (world, say) => {
        const doing = async (): Promise<void> => {
          await world.pause();
          say("done");
        };
        await world
          .service("take", doing, { effect: "call", fails: 1 })()
          .then(
            () => say("answered"),
            () => say("failed"),
          );
      },
    ],
    "an asynchronous doing ends before its answer": [
      ["done answered other", "done other answered", "other done answered"],
      async (world, say) => {
        const take = world.service("take", async () => {
          await world.pause();
          say("done");
        });
        const other = world.pause("other").then(() => say("other"));
        await take().then(() => say("answered"));
        await other;
      },
    ],
  });
});

describe("events", () => {
  cases({
    "of one target come in order, of two in any": [
      ["a1 a2 b", "a1 b a2", "b a1 a2"],
      (world, say) => {
        const [a, b] = [new EventEmitter(), new EventEmitter()];
        for (const target of [a, b]) target.on("x", say);
        world.emit(a, "x", "a1");
        world.emit(a, "x", "a2");
        world.emit(b, "x", "b");
      },
    ],
  });
});

describe("timers", () => {
  cases({
    "by deadline": [
      ["5 20"],
      (_world, say) => {
        setTimeout(() => say("20"), 20);
        setTimeout(() => say("5"), 5);
      },
    ],
    "of one deadline, in the order of setting": [
      ["a b"],
      (_world, say) => {
        setTimeout(() => say("a"), 5);
        setTimeout(() => say("b"), 5);
      },
    ],
    "one that is set while a request is answered comes before or after": [
      ["100 answer 50", "answer 100 50", "answer 50 100"],
      async (world, say) => {
        const ask = world.service("ask", () => 0, { effect: "call" });
        setTimeout(() => say("100"), 100);
        await ask();
        say("answer");
        setTimeout(() => say("50"), 50);
      },
    ],
    "nothing comes between the immediates of a phase": [
      [
        "a b c free timer",
        "a b c timer free",
        "a b free c timer",
        "a b free timer c",
        "a b timer c free",
        "a b timer free c",
        "free a b c timer",
        "free a b timer c",
        "free timer a b c",
        "timer a b c free",
        "timer a b free c",
        "timer free a b c",
      ],
      (world, say) => {
        setImmediate(() => {
          say("a");
          setImmediate(() => say("c"));
        });
        setImmediate(() => say("b"));
        void world.pause().then(() => say("free"));
        setTimeout(() => say("timer"), 1);
      },
    ],
    "nor between three of them": [
      ["a b c free", "free a b c"],
      (world, say) => {
        for (const name of ["a", "b", "c"]) setImmediate(() => say(name));
        void world.pause().then(() => say("free"));
      },
    ],
    "an immediate that is cleared in its phase does not come": [
      ["a c"],
      (_world, say) => {
        setImmediate(() => {
          say("a");
          clearImmediate(b);
        });
        const b = setImmediate(() => say("b"));
        setImmediate(() => say("c"));
      },
    ],
    "cleared, by object, number and text, and by nothing else": [
      ["first left"],
      (_world, say) => {
        const first = setTimeout(() => say("first"), 5);
        expect(Number(first)).toBe(1);
        clearTimeout(true as never);
        clearTimeout(setTimeout(() => say("object"), 5));
        clearTimeout(Number(setTimeout(() => say("number"), 5)));
        clearTimeout(String(Number(setTimeout(() => say("text"), 5))));
        setTimeout(() => say("left"), 5);
      },
    ],
    "refreshed before and after it fired, and not once cleared": [
      ["x y x"],
      (_world, say) => {
        let left = 1;
        const again = setTimeout(() => {
          say("x");
          if (left-- > 0) again.refresh();
        }, 20);
        const later = setTimeout(() => say("y"), 20);
        later.refresh();
        const cleared = setTimeout(() => say("cleared"), 5);
        clearTimeout(cleared);
        cleared.refresh();
      },
    ],
    "an interval fires until it is cleared": [
      ["1 2 3"],
      (_world, say) => {
        let times = 0;
        const interval = setInterval(() => {
          say(`${++times}`);
          if (times === 3) clearInterval(interval);
        }, 10);
        return new Promise<void>((resolve) => void setTimeout(resolve, 100));
      },
    ],
    "an interval that is refreshed by its own callback is one interval": [
      ["1 2"],
      (_world, say) => {
        let times = 0;
        const interval = setInterval(() => {
          say(`${++times}`);
          interval.refresh();
        }, 10);
        return new Promise<void>((resolve) => void setTimeout(resolve, 25)).then(() =>
          clearInterval(interval),
        );
      },
      { latenessMs: 0 },
    ],
    "an interval that is left behind fires once more": [
      ["again other", "other again"],
      (world, say) => {
        setInterval(() => say("again"), 10);
        void world.pause().then(() => say("other"));
      },
    ],
    "also one that has fired before the end of the test": [
      ["again again other", "again other again"],
      async (world, say) => {
        setInterval(() => say("again"), 10);
        await new Promise<void>((resolve) => void setTimeout(resolve, 15));
        void world.pause().then(() => say("other"));
      },
      { latenessMs: 0 },
    ],
    "an interval that is left behind, alone and unref'd": [
      ["(again)"],
      () =>
        setInterval(() => {
          throw new Error("again");
        }, 10).unref() && undefined,
    ],
    "what is due after an interval that is left behind comes": [
      ["again 15 50"],
      (_world, say) => {
        setInterval(() => say("again"), 10);
        setTimeout(() => say("15"), 15);
        setTimeout(() => say("50"), 50);
      },
    ],
    "an answer that waits beside an interval alone comes": [
      ["again answered", "answered again"],
      (world, say) => {
        setInterval(() => say("again"), 10);
        void world
          .service("ask", () => 0)()
          .then(() => say("answered"));
      },
    ],
    "delays that Node clamps": [
      ["0 -1 big 2 longest"],
      (_world, say) => {
        setTimeout(() => say("2"), 2);
        setTimeout(() => say("0"), 0);
        setTimeout(() => say("-1"), -1);
        setTimeout(() => say("big"), 2 ** 31);
        setTimeout(() => say("longest"), 2 ** 31 - 1);
      },
    ],
    "punctual: a request never takes time": [
      ["100 answer 50", "answer 50 100"],
      async (world, say) => {
        const ask = world.service("ask", () => 0, { effect: "call", order: "fifo" });
        setTimeout(() => say("100"), 100);
        await ask();
        say("answer");
        setTimeout(() => say("50"), 50);
      },
      { timers: "punctual" },
    ],
    "any: regardless of deadlines": [
      ["20 5", "5 20"],
      (_world, say) => {
        setTimeout(() => say("20"), 20);
        setTimeout(() => say("5"), 5);
      },
      { timers: "any" },
    ],
    "any: the clock does not go back": [
      ["20:20 5:20", "5:5 20:20"],
      (world, say) => {
        for (const ms of [20, 5]) setTimeout(() => say(`${ms}:${world.elapsedMs}`), ms);
      },
      { timers: "any" },
    ],
  });
});

test("timers of one delay that are due come in one go, before others that are due earlier", async () => {
  const { said } = await hostOutcomes(async (world, say) => {
    setTimeout(() => say(`first@${world.elapsedMs}`), 5);
    await world.pause();
    setTimeout(() => say("other"), 4);
    await world.pause();
    setTimeout(() => say(`second@${world.elapsedMs}`), 5);
  });
  const inOneGo = said.filter((text) => /^first@\d+ second@\d+ other$/.test(text));
  expect(inOneGo.length).toBeGreaterThan(0);
  for (const text of inOneGo) expect(text).toMatch(/^first@(\d+) second@\1 /);
});

describe("the clock", () => {
  cases({
    "stands at the start, and is the same all through a turn": [
      ["0 0"],
      (world, say) => {
        say(`${world.elapsedMs}`);
        say(`${world.elapsedMs}`);
      },
    ],
    "may have moved or not after a request": [
      ["0", "86400000"],
      async (world, say) => {
        await world.pause();
        say(`${world.elapsedMs}`);
      },
    ],
    "once read in a turn, stays": [
      ["0 0", "86400000 86400000"],
      async (world, say) => {
        await world.pause();
        say(`${world.elapsedMs}`);
        say(`${world.elapsedMs}`);
      },
    ],
    "is bounded by timers that have not fired, with their lateness": [
      ["0 timer", "110 timer", "timer 100", "timer 86400100"],
      async (world, say) => {
        setTimeout(() => say("timer"), 100);
        await world.pause();
        say(`${world.elapsedMs}`);
      },
      { latenessMs: 10 },
    ],
    "is bounded by immediates, which come at once": [
      ["0 now", "10 now", "now 0", "now 86400000"],
      async (world, say) => {
        setImmediate(() => say("now"));
        await world.pause();
        say(`${world.elapsedMs}`);
      },
      { latenessMs: 10 },
    ],
    "never goes back": [
      ["0 0", "0 86400000", "86400000 172800000", "86400000 86400000"],
      async (world, say) => {
        for (let i = 0; i < 2; i++) {
          await world.pause();
          say(`${world.elapsedMs}`);
        }
      },
    ],
    "of a timer is at least its deadline, at most its lateness more": [
      ["100", "110"],
      (world, say) => void setTimeout(() => say(`${world.elapsedMs}`), 100),
      { latenessMs: 10 },
    ],
    "of a punctual timer is its deadline": [
      ["100"],
      (world, say) => void setTimeout(() => say(`${world.elapsedMs}`), 100),
      { timers: "punctual" },
    ],
    "begins where the test says": [
      ["1970-01-01T00:00:00.007Z"],
      (_world, say) => say(new Date().toISOString()),
      { epochMs: 7 },
    ],
  });
});

describe("choices and random numbers", () => {
  cases({
    "every value": [["0", "1", "2"], (world, say) => say(`${world.choose(3)}`)],
    "every one of a list": [["a", "b"], (world, say) => say(world.chooseFrom(["a", "b"]))],
    "random values of an option": [
      ["0", "0.5"],
      (_world, say) => say(`${Math.random()}`),
      { random: { values: 2 } },
    ],
  });
});

describe("the end", () => {
  cases({
    "what is left behind happens in every order": [
      ["a b", "b a"],
      (world, say) => {
        void world.pause("a").then(() => say("a"));
        void world.pause("b").then(() => say("b"));
      },
    ],
    "what fails after the test is a failure": [
      ["(late)"],
      () =>
        void setTimeout(() => {
          throw new Error("late");
        }, 1),
    ],
    "after a failure nothing happens": [
      ["(now)", "b (now)"],
      (world, say) => {
        void world.pause("b").then(() => say("b"));
        setTimeout(() => {
          throw new Error("now");
        }, 1);
      },
    ],
    "nor after a failure of the test itself": [
      ["(bad)"],
      (world, say) => {
        void world.pause("b").then(() => say("b"));
        return Promise.reject(new Error("bad"));
      },
    ],
    "a test that waits for nothing": [
      ["(nothing is pending any more, and the test still waits)"],
      () => new Promise(() => {}),
    ],
    "a test that fails": [["(bad)"], () => Promise.reject(new Error("bad"))],
    "too many turns are no end": [
      ["a a (spent)"],
      async (world, say) => {
        for (;;) {
          await world.pause();
          say("a");
        }
      },
      { turns: 2 },
    ],
    "as many turns as are allowed": [
      ["a a"],
      async (world, say) => {
        for (let i = 0; i < 2; i++) {
          await world.pause();
          say("a");
        }
      },
      { turns: 2 },
    ],
  });
});

test("each order of immediates is tried once", async () => {
  const { said, schedules } = await hostOutcomes((world, say) => {
    setImmediate(() => say("a"));
    setImmediate(() => say("b"));
    void world.pause().then(() => say("free"));
    setTimeout(() => say("timer"), 1);
  });
  expect(schedules).toBe(said.length);
});

describe("the verdict relies on", () => {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
  test.each<[string, number, boolean, Body, ScheduleOptions?]>([
    [
      "lateness, of timers of two moments",
      Relied.lateness,
      true,
      async (world) => {
        const other = wait(5);
        await world.pause();
        await Promise.all([other, wait(5)]);
      },
    ],
    ["nothing, of timers of one moment", Relied.lateness, false, () => Promise.all([wait(5), wait(7)])],
    [
      "readings of a clock that may have moved",
      Relied.readings,
      true,
      async (world) => {
        await world.pause();
        void world.elapsedMs;
      },
    ],
    ["nothing, of a clock at the start", Relied.readings, false, (world) => void world.elapsedMs],
    ["the date", Relied.date, true, () => void Date.now()],
    ["nothing, of the time", Relied.date, false, (world) => void world.elapsedMs],
    ["timers alone", Relied.timersAlone, true, () => wait(5), { timers: "punctual" }],
    [
      "timers alone, of a clock that is read",
      Relied.timersAlone,
      true,
      (world) => void world.elapsedMs,
      { timers: "any" },
    ],
    ["nothing of that, of a clock that moves", Relied.timersAlone, false, (world) => void world.elapsedMs],
    [
      "nothing of that, of what has no time",
      Relied.timersAlone,
      false,
      (world) => world.pause(),
      { timers: "punctual" },
    ],
    ["intervals", Relied.interval, true, () => void setInterval(() => {}, 5)],
    [
      "nothing, of intervals that are cleared",
      Relied.interval,
      false,
      async () => {
        const interval = setInterval(() => {}, 5);
        await wait(7);
        clearInterval(interval);
      },
    ],
    ["the seed", Relied.seed, true, () => void Math.random()],
    ["few values", Relied.fewRandoms, true, () => void Math.random(), { random: { values: 2 } }],
  ])("%s", async (_name, bit, isRelied, body, options) => {
    expect(await relied(bit, body, options)).toBe(isRelied);
  });
});
