/** The verdict has one line per assumption that the schedules of a test relied on, and no others. */
import { expect, test } from "vitest";
import { Relied } from "../../src/code/realm/index.js";
import type { ScheduleWorld } from "../../src/code/schedule/index.js";
import { explore } from "../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../src/session/schedules/options.js";
import { scopeLines } from "../../src/session/schedules/scope.js";
import { inRepository } from "../repository.js";

test("each bit is one line", () => {
  // The test declares the number of random values; a run without end is a spent budget.
  const { fewRandoms, endless, ...told } = Relied;
  for (const bit of Object.values(told)) expect(scopeLines(bit, {}, "x")).toHaveLength(1);
  expect(scopeLines(fewRandoms | endless, {}, "")).toEqual([]);
  expect(scopeLines(0, {}, "")).toEqual([]);
});

async function scopeOf(name: string, options: ScheduleOptions = {}): Promise<string[]> {
  const file = inRepository("test/fixtures/code/scope.ts");
  const body = (_world: ScheduleWorld): void => {};
  const { verdict, scope } = await explore({ file, framework: "code", names: [name], body }, options);
  expect(verdict).toBe("holds");
  return scope.map((line) => /^Scope: (.*?)\./.exec(line)![1]!);
}

test.each([
  ["nothing", {}, []],
  ["random numbers", {}, ["one seed"]],
  ["random bytes", {}, ["one seed"]],
  ["random numbers", { random: { values: 2 } }, []],
  ["a date before any wait", {}, ["one date"]],
  ["a date after a wait", {}, ["one date", "sampled clock"]],
  ["the time after a wait", {}, ["sampled clock"]],
  ["the time after a wait", { timers: "punctual" }, ["punctual clock"]],
  ["the time after a timer", {}, ["sampled clock", "whole delays"]],
  ["a weak reference", {}, ["no collection"]],
  ["a finalizer", {}, ["no collection"]],
  ["a stream", {}, ["own streams"]],
  ["one timer", {}, []],
  ["timers of two moments", {}, ["timers"]],
  ["timers of two moments", { timers: "any" }, ["punctual clock"]],
  ["two timers of one turn", {}, ["instant turns"]],
  ["two readings in one turn", {}, ["instant turns"]],
  ["a request by http", {}, ["one date", "sampled clock", "network", "own connections", "own streams"]],
  ["much that nobody reads", {}, ["network", "room on the wire", "own streams"]],
  ["a left interval", {}, ["intervals"]],
  ["an assertion that is caught", {}, ["caught assertions"]],
  ["a connection", {}, ["network", "own streams"]],
  ["a crash", {}, ["whole writes"]],
] as [string, ScheduleOptions, string[]][])("%s with %j", async (name, options, lines) => {
  expect(await scopeOf(name, options)).toEqual(lines);
});

test("an assertion that is caught in one order only is shown with its line", async () => {
  const file = inRepository("test/fixtures/code/scope.ts");
  const names = ["an assertion that is caught in one order"];
  const { verdict, message } = await explore({ file, framework: "code", names, body: () => {} }, {});
  expect(verdict).toBe("holds");
  expect(message).toContain("The code under test caught an assertion that failed: b was first at ");
  expect(message).toContain("scope.ts:");
});
