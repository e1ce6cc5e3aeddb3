/** Unsupported or unloadable tests are neither `violated` nor `holds`. */
import { describe, expect, test } from "vitest";
import { judged } from "../../src/testing/code.js";
import { explore, type Exploration } from "../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../src/session/schedules/options.js";
import { inRepository } from "../repository.js";
import { checkText } from "./system/small.js";

const outcome = (name: string, test: string, options: ScheduleOptions = {}): Promise<Exploration> =>
  explore(
    {
      file: inRepository(`test/fixtures/code/refusals/${name}`),
      framework: "code",
      names: [test],
      body: () => {},
    },
    options,
  );

describe("a file that runs its tests at its top", () => {
  test("what follows a test has not happened in its realm", async () => {
    expect((await outcome("run-at-the-top.ts", "first")).verdict).toBe("holds");
  });

  test("tests before it have held", async () => {
    const { verdict, message } = await outcome("run-at-the-top.ts", "second");
    expect(verdict).toBe("violated");
    expect(message).toContain("b was first");
  });
});

describe("a module that a world does not have", () => {
  test("is refused where the user's file imports it, before anything runs", async () => {
    const exploration = await outcome("imports.ts", "never run", { onSpent: "pass" });
    expect(exploration.verdict).toBe("unknown");
    expect(exploration.message).toMatch(
      /imports\.ts:3:21: error\[code\/not-supported\]: node:cluster is not supported/,
    );
    expect(exploration.result).toBeUndefined();
  });

  test("also in a system of nodes", async () => {
    const text = `import { readFileSync } from "node:fs";\nimport * as v8 from "node:v8";
      export default defineSystem<any>({ nodes: { a: () => ({ x: v8, y: readFileSync }) } });`;
    const { diagnostics, properties } = await checkText(text);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["code/not-supported", "error"],
    ]);
    expect(properties).toEqual([]);
  });

  test("so is a name that a module of the world lacks, where it is imported", async () => {
    const text = `import { readFileSync, watch as look, type FSWatcher } from "node:fs";
      class N { watcher: FSWatcher | undefined; go() { this.watcher = look("/"); readFileSync("/a"); } }
      export default defineSystem<any>({ nodes: { a: () => new N() } });`;
    const { diagnostics, properties } = await checkText(text);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["code/not-supported", "watch of node:fs is not supported: a world does not have it"],
    ]);
    expect(properties).toEqual([]);
  });

  test("is not where a type of it is imported, or where it is imported when it is used", async () => {
    const text = `import type { Worker } from "node:cluster"; import { Worker as Thread } from "node:worker_threads";
      class N { worker: Worker | Thread | undefined; async go() { await import("node:cluster"); } }
      export default defineSystem<any>({ nodes: { a: () => new N() } });`;
    const { diagnostics } = await checkText(text);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

test.each([
  ["hasAssertions", "unknown"],
  ["unhandledRejection", "unknown"],
  ["a rejection, heard as an exception", "unknown"],
  ["uncaughtException", "unknown"],
  ["an exception that a handler of rejections does not hear", "violated"],
  ["a handler that is gone", "violated"],
  ["warning", "unknown"],
  ["AsyncLocalStorage.disable", "unknown"],
  ["using", "holds"],
] as const)("%s: %s", async (name, expected) => {
  const file = inRepository("test/fixtures/code/refusals/handlers.ts");
  const { verdict, message } = await explore(
    { file, framework: "vitest", names: [name], body: () => {} },
    {},
  );
  expect(verdict, message).toBe(expected);
  if (verdict === "unknown") expect(message).toContain("is not supported");
});

test("a process that runs out of memory has no answer", async () => {
  const file = inRepository("test/fixtures/code/escapes/endless.ts");
  const request = { file, framework: "vitest", names: ["heap bomb"], body: () => {} } as const;
  const options = { hangMs: 20_000, memoryMb: 64, schedules: 5, onSpent: "pass" } as const;
  const exploration = await explore(request, options);
  expect(exploration.verdict).toBe("unknown");
  expect(exploration.message).toContain("it ran out of memory");
  expect(() => judged(exploration, options)).toThrow("out of memory");
}, 240_000);

describe("something that is not under control", () => {
  test.each(["a refusal that is caught", "a failure that comes of a refusal"])("%s", async (name) => {
    const exploration = await outcome("caught.ts", name, { onSpent: "pass" });
    expect(exploration.verdict).toBe("unknown");
    expect(exploration.message).toContain("child_process.spawn is not supported");
    expect(exploration.message).toContain("caught.ts:");
    expect(() => judged(exploration, { onSpent: "pass" })).toThrow("is not supported");
  });

  test("in one order only: the others are still run", async () => {
    const { verdict, message } = await outcome("caught.ts", "a refusal in one order only");
    expect(verdict).toBe("unknown");
    expect(message).toContain("process.exit(1)");
  });

  test("a failure of another schedule is shown", async () => {
    const { verdict, message } = await outcome("caught.ts", "a failure beside a refusal");
    expect(verdict).toBe("violated");
    expect(message).toContain("a true failure");
  });
});

test("a file that cannot be loaded", async () => {
  const { verdict, message } = await outcome("unloadable.ts", "declared before the file fails");
  expect(verdict).toBe("unknown");
  expect(message).toContain("cannot be loaded");
});
