/** What is not supported or cannot be loaded is neither `violated` nor `holds`. */
import { describe, expect, test } from "vitest";
import { judged } from "../../src/testing/code.js";
import { explore, type Exploration } from "../../src/testing/explore.js";
import type { ScheduleOptions } from "../../src/testing/options.js";
import { inRepository } from "../repository.js";

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
