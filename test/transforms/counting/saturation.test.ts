/** Saturation covers every execution: its verdict "safe" agrees with every other check. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, overallVerdict } from "../../../src/index.js";
import { loadMpp } from "../../../src/languages/mpp/index.js";
import { classify, saturate } from "../../../src/transforms/counting/index.js";
import { anyProgram } from "../../generators/mpp.js";

const isSafe = (text: string): boolean => {
  const program = loadMpp("s.mpp", text).program!;
  const property = program.properties[0]!;
  return saturate(program, property, classify(program, property)).isSafe;
};

test("random programs that are called safe hold", async () => {
  let safe = 0;
  await fc.assert(
    fc.asyncProperty(anyProgram, async (text) => {
      if (!isSafe(text)) return;
      safe++;
      const report = await check({ file: "s.mpp", text }, { isPlain: true, budget: { maxStates: 2000 } });
      expect(overallVerdict(report), text).not.toBe("violated");
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(safe).toBeGreaterThan(5);
});

const program = (p: string, q: string): string =>
  `message a, b; channel c, d; principal P { var x; ${p} } principal Q { var x; ${q} } property p: provenance(Q.x) in !{P}*;`;

for (const [name, text, expected] of [
  ["nothing is sent", program("x = a;", "recv(c, x);"), true],
  ["nobody receives it", program("x = a; send(d, x);", "recv(c, x);"), true],
  ["received before it is sent", program("x = a; send(c, x);", "recv(c, x);"), false],
  ["sent before it is received", program("recv(d, x); send(c, x);", "x = a; send(d, x); recv(c, x);"), false],
  ["no such message", program("x = a; assume(x == b); send(c, x);", "recv(c, x);"), true],
  ["such a message", program("x = a; assume(x == a); send(c, x);", "recv(c, x);"), false],
  ["overwritten", program("x = a; send(c, x);", "recv(c, x); x = b; loop { skip; }"), false],
] as const)
  test(`safe or not: ${name}`, () => expect(isSafe(text)).toBe(expected));
