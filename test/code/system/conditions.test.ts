/** Soundness conditions of systems of nodes, one by one, on systems of a few states. */
import { describe, expect, test } from "vitest";
import type { CheckOptions } from "../../../src/session/request.js";
import { checkText, propertyOf, systemOf } from "./small.js";

const verdictOf = async (text: string, name: string, options: CheckOptions = {}): Promise<string> =>
  propertyOf(await checkText(text, { maxErrors: Infinity, ...options }), name).verdict;

/** A node whose timer runs `timer`, and never has x = 1. */
const onTimer = (timer: string, more = ""): string =>
  systemOf(
    { a: { start: `e.setTimer("t");`, timer } },
    `always: { p: ({ nodes }) => nodes.a?.x !== 1 }, ${more}`,
  );

describe("failures", () => {
  const twice = `if (e.fails("one") && e.fails("two")) n.x = 1;`;

  test("several may happen within one step, as many as there may be", async () => {
    expect(await verdictOf(onTimer(twice, "faults: { failures: 2 },"), "p")).toBe("violated");
    expect(await verdictOf(onTimer(twice, "faults: { failures: 1 },"), "p")).toBe("holds");
  });

  test("only at the sites that are named", async () => {
    const text = onTimer(
      `e.fails("two"); if (e.fails("one")) n.x = 1;`,
      `faults: { failures: 2, failing: ["one"] },`,
    );
    expect(await verdictOf(text, "p")).toBe("violated");
    expect(await verdictOf(text.replace(`["one"]`, `["two"]`), "p")).toBe("holds");
  });

  test("those of an earlier step are used up", async () => {
    const before = `if (n.y++ === 0) { e.fails("zero"); e.setTimer("t"); } else if (n.y === 2) { ${twice} }`;
    expect(await verdictOf(onTimer(before, "faults: { failures: 2 },"), "p")).toBe("violated");
    const needed = `if (n.y++ === 0) { n.z = e.fails("zero"); e.setTimer("t"); } else if (n.z && e.fails("one") && e.fails("two")) n.x = 1;`;
    expect(await verdictOf(onTimer(needed, "faults: { failures: 2 },"), "p")).toBe("holds");
    expect(await verdictOf(onTimer(needed, "faults: { failures: 3 },"), "p")).toBe("violated");
  });

  test("partial order knows what others do with fewer failures left", async () => {
    const text = systemOf(
      {
        a: { start: `e.setTimer("t");`, timer: `if (e.fails("one") && e.fails("two")) e.send("b", 1);` },
        b: { start: `e.setTimer("t");`, timer: `n.y = 1;`, message: `if (n.y === 0) n.x = 1;` },
      },
      `faults: { failures: 2 }, always: { p: ({ nodes }) => nodes.b.x !== 1 },`,
    );
    expect(await verdictOf(text, "p", { reductions: ["por"] })).toBe("violated");
  });
});

describe("of the environment", () => {
  test.each([
    ["what JSON would change is not sent", `e.send("a", { v: NaN });`, "NaN at .v in a message"],
    ["nor to all", `e.broadcast(new Map());`, "a Map in a message"],
    [
      "names that would all be the same are not made",
      `crypto.randomUUID();`,
      "crypto.randomUUID() is not supported",
    ],
    ["nor bytes", `crypto.getRandomValues(new Uint8Array(2));`, "crypto.getRandomValues() is not supported"],
    ["marks are not read", `performance.getEntries();`, "performance.getEntries is not supported"],
    ["nor written", `e.disk.write("k", [undefined]);`, "undefined at [0] in a message or on disk"],
    [
      "what looks like a frame is not sent",
      `e.send("a", { everypath: "frame" });`,
      "looks like one of a socket",
    ],
  ])("%s", async (_, timer, reason) => {
    const { verdict, reason: why } = propertyOf(await checkText(onTimer(timer)), "p");
    expect([verdict, why]).toEqual(["unknown", expect.stringContaining(reason)]);
  });

  test("nor bytes of node:crypto", async () => {
    const text = `import { randomBytes } from "node:crypto";\n${onTimer("randomBytes(2);")}`;
    expect(propertyOf(await checkText(text), "p").reason).toContain("crypto.randomBytes() is not supported");
  });

  test.each([
    ["no option", `e.choose(0)`],
    ["no end of options", `e.choose(Infinity)`],
    ["half an option", `e.choose(1.5)`],
    ["nothing to choose from", `e.chooseFrom([])`],
    ["a delay without end", `e.setTimer("u", Infinity)`],
    ["a negative delay", `e.setTimer("u", -1)`],
  ])("%s is an error", async (_, call) => {
    expect(await verdictOf(onTimer(call), "exceptions")).toBe("violated");
  });

  test("bytes are made where they may differ", async () => {
    const bytes = `n.x = crypto.getRandomValues(new Uint8Array(1))[0] === 128 ? 1 : 0;`;
    expect(await verdictOf(onTimer(bytes, "random: 2,"), "p")).toBe("violated");
  });

  test("one option is enough, and no delay", async () => {
    expect(await verdictOf(onTimer(`e.setTimer("u", 0); e.choose(1);`), "exceptions")).toBe("holds");
  });
});

test.each([
  ["one", "1", "holds"],
  ["two", "2", "violated"],
  ["any", "true", "violated"],
])("of two messages as many are lost as may be: %s", async (_, loss, verdict) => {
  const text = systemOf(
    { a: { start: `e.send("b", 1); e.send("b", 2);` }, b: { message: "n.x++;" } },
    `network: { loss: ${loss} }, always: { p: ({ nodes, network }) => nodes.b.x > 0 || network.length > 0 },`,
  );
  expect(await verdictOf(text, "p")).toBe(verdict);
});

describe("while the network is in two parts", () => {
  /** The server replies; the reply is lost only in transit. */
  const asking = (network: string): string =>
    systemOf(
      {
        a: { start: `e.send("b", 1);`, message: `n.x += m;` },
        b: { message: `n.y = 1; e.send("a", 1); e.send("a", 2);` },
      },
      `faults: { partitions: 1 }, ${network} recoverable: { p: ({ nodes }) => nodes.b.y === 0 || nodes.a.x === 3 },
       sometimes: { first: ({ nodes, network }) => nodes.b.y === 1 && nodes.a.x === 1 && network.length === 0, second: ({ nodes, network }) => nodes.b.y === 1 && nodes.a.x === 2 && network.length === 0 },`,
    );

  test.each([
    ["in any order", ""],
    ["in order", `network: { order: "fifo" },`],
    ["where others are lost, too", "network: { loss: 0 },"],
  ])("messages in transit may be lost: %s", async (_, network) => {
    const report = await checkText(asking(network), { maxErrors: Infinity });
    const verdicts = ["p", "first", "second"].map((name) => propertyOf(report, name).verdict);
    expect(verdicts).toEqual(["violated", "holds", "holds"]);
  });

  test("that is no loss which others are counted by", async () => {
    const text = systemOf(
      { a: { start: `e.send("b", 1); e.send("b", 2); e.send("b", 3)` }, b: { message: `n.y++;` } },
      `network: { loss: 1 }, faults: { partitions: 1 }, sometimes: { none: ({ nodes, network }) => nodes.b.y === 0 && network.length === 0 },`,
    );
    expect(await verdictOf(text, "none")).toBe("holds");
  });

  test("without a partition none is", async () => {
    expect(await verdictOf(asking("").replace("partitions: 1", "partitions: 0"), "p")).toBe("holds");
  });
});

describe("a node that crashes at once", () => {
  const acting = (faults: string): string =>
    systemOf(
      { a: {}, b: { message: `n.x = 1;` } },
      `actions: { go: { on: "a", times: 1, run: (n) => n.e.send("b", 1) } }, faults: { ${faults} },
       finished: ({ nodes }) => nodes.b?.x === 1,`,
    );

  test("has used up the action", async () => {
    expect(await verdictOf(acting(`crashes: 1, crashing: ["a"]`), "deadlock")).toBe("violated");
  });

  test("only where it may crash, and inside of handlers", async () => {
    expect(await verdictOf(acting(""), "deadlock")).toBe("holds");
    expect(
      await verdictOf(acting(`crashes: 1, crashing: ["b"], crashesAt: "between-handlers"`), "deadlock"),
    ).toBe("violated");
    expect(
      await verdictOf(acting(`crashes: 1, crashing: ["a"], crashesAt: "between-handlers"`), "deadlock"),
    ).toBe("holds");
  });
});

test.each(["onStart", "onMessage", "onTimer"])(
  "a node that is promised, with %s, has no answer",
  async (handler) => {
    const text = `export default defineSystem<any>({
    nodes: { a: async () => ({ ${handler}() {} }), b: async () => ({}), c: async () => undefined },
    always: { p: () => true },
  });`;
    expect(await verdictOf(text, "p")).toBe("unknown");
    expect(await verdictOf(text.replace(handler, "other"), "p")).toBe("holds");
  },
);

test("the condition of an action without values is given nothing, as the action is", async () => {
  const text = systemOf(
    { a: {} },
    `actions: { go: { when: (_, v) => v === undefined, run: (n, v) => { if (v === undefined) n.x = 1; } } },
     always: { p: ({ nodes }) => nodes.a.x !== 1 },`,
  );
  expect(await verdictOf(text, "p")).toBe("violated");
});

test("the condition of an action is given the value, as the action is", async () => {
  const text = systemOf(
    { a: {} },
    `actions: { go: { values: [1, 2], when: (_, v) => v === 2, run: (n, v) => { n.x = v - 1; } } },
     always: { p: ({ nodes }) => nodes.a.x !== 1, q: ({ nodes }) => nodes.a.x !== 2 },`,
  );
  expect(await verdictOf(text, "p")).toBe("violated");
  expect(await verdictOf(text.replace("v - 1", "3 - v"), "q")).toBe("holds");
});

describe("lines of the scope", () => {
  const notesOf = async (text: string): Promise<readonly string[]> => (await checkText(text)).scope.notes;
  const date = "one date: 2020-01-01T00:00:00.000Z";
  const clock = "time passes by timers alone";
  const weak = "weakly held objects are not collected";

  test.each([
    ["nothing", "", []],
    ["the date", `Date.now();`, [date, clock]],
    ["the clock", `performance.now();`, [clock]],
    ["a weak reference", `new WeakRef({}).deref();`, [weak]],
    ["a finalizer", `new FinalizationRegistry(() => {}).register({}, 1);`, [weak]],
    ["a random number", `Math.random();`, ["random numbers: always 0"]],
  ])("%s", async (_, timer, lines) => {
    const notes = await notesOf(onTimer(timer));
    expect(notes.filter((note) => [date, clock, weak].includes(note) || note.startsWith("random"))).toEqual(
      lines,
    );
  });

  test("what is asked while the code is loaded counts, and by conditions", async () => {
    expect(await notesOf(`const now = Date.now();${onTimer("")}`)).toContain(date);
    expect(await notesOf(onTimer("").replace("nodes.a?.x !== 1", "Date.now() > 0"))).toContain(date);
  });

  test("timers that wait for others", async () => {
    const line = "timers of a node go off in order, and no time passes between other steps";
    const two = systemOf({ a: { start: `e.setTimer("t", 1); e.setTimer("u", 2);` } }, `timers: "in-order",`);
    expect(await notesOf(two)).toContain(line);
    expect(await notesOf(two.replace("in-order", "any"))).not.toContain(line);
    expect(await notesOf(onTimer("", `timers: "in-order",`))).not.toContain(line);
    expect(
      await notesOf(onTimer("setTimeout(() => {}, 1); setTimeout(() => {}, 2);", `timers: "in-order",`)),
    ).toContain(line);
    expect(await notesOf(onTimer("setTimeout(() => {}, 1); setTimeout(() => {}, 2);"))).not.toContain(line);
  });
});

describe("answers of conditions", () => {
  const returning = (answer: string): string =>
    onTimer(`n.x = 2;`).replace("always:", `returns: { q: ({ nodes }) => ${answer} }, always:`);

  test.each([
    ["true", "nodes.a.x === 2", "violated"],
    ["false", "nodes.a.x === 3", "holds"],
    ["nothing", "undefined", "holds"],
    ["a number", "nodes.a.x", "unknown"],
    ["a text", "'quiet'", "unknown"],
    ["an object", "[]", "unknown"],
  ])("%s", async (_, answer, verdict) => {
    expect(await verdictOf(returning(answer), "q")).toBe(verdict);
  });

  test("a text says why a property of all states is violated", async () => {
    const text = onTimer(`n.x = 2;`).replace("nodes.a?.x !== 1", "nodes.a?.x !== 2 || 'why'");
    expect(propertyOf(await checkText(text), "p")).toMatchObject({ verdict: "violated" });
  });
});

test.each([
  ["the environment", `process.env.K = String(Number(process.env.K ?? 0) + 1);`, `process.env.K === "3"`],
  [
    "a new environment",
    `process.env = { K: String(Number(process.env.K ?? 0) + 1) };`,
    `process.env.K === "3" && Object.keys(process).includes("env")`,
  ],
  ["listeners", `process.on("late" as never, () => {});`, `process.listenerCount("late" as never) === 3`],
])("states that differ in %s of the process are told apart", async (_, change, isThird) => {
  const text = onTimer(`if (!(${isThird})) { ${change} e.setTimer("t"); } else n.x = 1;`);
  expect(await verdictOf(text, "p")).toBe("violated");
});

test("a key that every object has is one like any other", async () => {
  const text = onTimer(
    `if (n.y++ === 0) { e.disk.write("__proto__", 5); e.disk.sync(); e.setTimer("t"); } else n.x = Number(e.disk.read("__proto__") === 5);`,
  );
  expect(await verdictOf(text, "p")).toBe("violated");
});
