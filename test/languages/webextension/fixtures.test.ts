/**
 * Small extensions, each with one way to leak or one habit that looks like it: every leaking one is found, and at least nine in ten
 * harmless ones hold.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { overallVerdict } from "../../../src/index.js";
import { folder, reportOf } from "./extensions.js";

describe("leaking", () => {
  const names = readdirSync(`${folder}/leaking`);
  test("there are twenty", () => expect(names.length).toBeGreaterThanOrEqual(20));
  for (const name of names)
    test(name, async () => {
      const report = await reportOf(`leaking/${name}`);
      expect(overallVerdict(report)).toBe("violated");
    });
});

test("the message names the line of the source and that of the sink", async () => {
  const { properties } = await reportOf("leaking/title.txt");
  expect(properties[0]!.reason).toContain("what bg.js:2 takes from a private window is stored by bg.js:6");
  const asked = (await reportOf("leaking/all-tabs.txt")).properties[0]!;
  expect(asked.reason).toContain("what bg.js:3 takes from a private window is stored by bg.js:4");
});

test("harmless ones hold, at least nine in ten", async () => {
  const names = readdirSync(`${folder}/harmless`);
  expect(names.length).toBeGreaterThanOrEqual(20);
  const wrong: string[] = [];
  for (const name of names)
    if (overallVerdict(await reportOf(`harmless/${name}`)) !== "holds") wrong.push(name);
  expect(wrong.length, wrong.join(", ")).toBeLessThanOrEqual(names.length / 10);
}, 120_000);
