/** Features of Node that worlds lack are refused by name: never ignored, and never an error of the user's code. */
import { expect, test, vi } from "vitest";
import { explore } from "../../src/session/schedules/explore.js";
import { inRepository } from "../repository.js";

test.each([
  ["toArray", "unknown"],
  ["blob", "unknown"],
  ["readDoubleLE", "holds"],
  ["request.clone", "unknown"],
  ["readableFlowing", "holds"],
  ["URL.canParse", "holds"],
  ["setHeader after", "violated"],
  ["Response.redirect", "unknown"],
  ["Headers.getSetCookie", "unknown"],
  ["handle.readLines", "unknown"],
  ["createReadStream missing", "violated"],
  ["createWriteStream truncates", "holds"],
  ["createWriteStream start", "holds"],
  ["readFile signal", "unknown"],
  ["writeFile signal", "unknown"],
  ["handle.read obj", "unknown"],
  ["writeHead twice", "violated"],
  ["maxConnections", "unknown"],
  ["connect signal", "holds"],
  ["agent maxSockets", "unknown"],
  ["null body twice", "holds"],
  ["204 with body", "holds"],
  ["clone used", "holds"],
  ["fetch url", "holds"],
  ["fetch redirect", "unknown"],
  ["tp interval missed", "holds"],
  ["performance.mark", "holds"],
  ["performance.measure", "holds"],
  ["performance.getEntriesByName", "holds"],
  ["process.memoryUsage", "unknown"],
] as const)("%s: %s", { timeout: 240_000 }, async (name, expected) => {
  const file = inRepository("test/fixtures/code/refusals/lacking.mjs");
  const request = { file, framework: "code", names: [name], body: () => {} } as const;
  const { verdict, message } = await explore(request, {});
  expect(verdict, message).toBe(expected);
  if (verdict === "unknown") expect(message).toContain("is not supported");
});

test("every name of vi is there or refused", async () => {
  const collected = (await import("../../src/code/collect/vitest.js")).vi;
  expect(Object.keys(vi).filter((name) => !(name in collected))).toEqual([]);
});
