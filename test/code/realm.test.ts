/** Realms and worlds: the clock, timers, promise jobs, pending items, refusals. */
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { bundle, worldSource } from "../../src/code/bundle/index.js";
import {
  collectingRejections,
  defaultWorldOptions,
  Realm,
  Turn,
  type WorldOptions,
  type WorldReport,
} from "../../src/code/realm/index.js";

test("timers fire by the virtual clock, promise jobs in between", async () => {
  const { lines } = await run(`
    console.log(Date.now() === Date.UTC(2020, 0, 1), new Date().getFullYear(), typeof performance.now());
    setTimeout(() => { console.log("b", performance.now()); Promise.resolve().then(() => console.log("job of b")); }, 20);
    setTimeout(() => console.log("a", performance.now()), 10);
    setImmediate(() => console.log("immediate"));
    Promise.resolve().then(() => console.log("job"));
    process.nextTick(() => console.log("tick"));
  `);
  expect(lines).toEqual(["true 2020 number", "job", "tick", "immediate", "a 10", "b 20", "job of b"]);
});

test("the queues of a CommonJS entry begin with process.nextTick", async () => {
  const text = `Promise.resolve().then(() => console.log("job")); process.nextTick(() => console.log("tick"));`;
  expect((await run(text, {}, "commonjs")).lines).toEqual(["tick", "job"]);
  expect((await run(text, {}, "module")).lines).toEqual(["job", "tick"]);
});

test("await at the top of a module works", async () => {
  const { lines } = await run(`
    import { setTimeout as sleep } from "node:timers/promises";
    console.log(await sleep(5, "slept"), performance.now());
  `);
  expect(lines).toEqual(["slept 5"]);
});

test("Node's modules run inside; what is missing refuses by name when it is used", async () => {
  const used = await run(`
    import { EventEmitter, once } from "node:events";
    import fs from "fs";
    const emitter = new EventEmitter();
    once(emitter, "x").then((args) => console.log(args));
    emitter.emit("x", 1, 2);
    setTimeout(() => require("node:child_process").spawn("ls"), 1);
  `);
  expect(used.lines).toEqual(["[ 1, 2 ]"]);
  expect(used.report.failure).toMatchObject({
    kind: "unsupported",
    message: expect.stringContaining("child_process.spawn"),
  });
});

test("an unhandled rejection is a failure, one that is handled in time is none", async () => {
  const bad = await run(`setTimeout(async () => { throw new RangeError("nobody hears"); }, 1);`);
  expect(bad.report.failure).toMatchObject({
    kind: "rejection",
    name: "RangeError",
    message: "nobody hears",
  });
  const good = await run(`
    setTimeout(() => { const p = Promise.reject(new Error()); Promise.resolve().then(() => p.catch(() => {})); }, 1);
  `);
  expect(good.report.failure).toBeUndefined();
});

test("a plan decides what happens next, and randomness may be chosen", async () => {
  const text = `
    import { world } from "${import.meta.dirname}/../../src/code/world/current.ts";
    for (const name of ["a", "b", "c"])
      world.add({ lane: name, label: "done", queue: "", due: undefined, run: () => console.log(name, Math.random()) });
  `;
  const options: Partial<WorldOptions> = {
    plan: { prefix: [2, 1, 1], tail: { kind: "first" } },
    random: { values: 2 },
  };
  const { lines, report } = await run(text, options);
  expect(lines).toEqual(["c 0.5", "b 0", "a 0"]);
  expect(report.made.map(({ options: n, value }) => [n, value])).toEqual([
    [3, 2],
    [2, 1],
    [2, 1],
    [2, 0],
    [2, 0],
  ]);
});

async function run(
  text: string,
  options: Partial<WorldOptions> = {},
  format: "module" | "commonjs" = "module",
): Promise<{ lines: string[]; report: WorldReport }> {
  const { script, diagnostics } = await bundle({ entry: text, directory: import.meta.dirname, format });
  expect(diagnostics).toEqual([]);
  const report = collectingRejections(() => {
    const realm = new Realm({
      base: new Script(worldSource()),
      world: { ...defaultWorldOptions, ...options },
    });
    realm.run(new Script(script!));
    realm.settle();
    while (realm.turn() === Turn.again);
    return realm.report();
  });
  return { lines: report.output.map((line) => line.text), report };
}
