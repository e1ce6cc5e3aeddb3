/** Executions that stop before the end of a trace: Spin's verifier reports an invalid end state. */
import { expect, test } from "vitest";
import { checkInput, load, registry, type CheckOptions } from "../../../src/session/index.js";
import { differenceBetween } from "../../compile/explore.js";

const start = "mtype = { a, b }; chan c = [2] of { mtype }; byte x;";

/** Verdicts of `pan` (`-DSAFETY -DNOREDUCE`). */
const cases: readonly (readonly [name: string, text: string, verdict: "holds" | "violated"])[] = [
  ["blocked before the end", "active proctype P() { c!a; end: false } trace { c!a; c?a }", "violated"],
  ["blocked at the end", "active proctype P() { c!a; c?a; end: false } trace { c!a; c?a }", "holds"],
  ["never begun", "active proctype P() { end: false } trace { c!a; c?a }", "violated"],
  ["at an end label", "active proctype P() { c!a; end: false } trace { c!a; end: c?a }", "holds"],
  ["a loop", "active proctype P() { c!a; c?a; end: false } trace { do :: c!a; c?a od }", "violated"],
  [
    "a loop that may end",
    "active proctype P() { c!a; c?a; end: false } trace { end: do :: c!a; c?a od }",
    "holds",
  ],
  ["no trace", "active proctype P() { c!a; end: false }", "holds"],
  ["no process left", "active proctype P() { c!a } trace { c!a; c?a }", "holds"],
  [
    "in one order of two",
    "active proctype P() { c!a; end: x == 2 } active proctype Q() { c!b; end: x == 2 } trace { if :: c!a; c!b; c!a :: c!b; c!a fi }",
    "violated",
  ],
  ["a notrace half way", "active proctype P() { c!a; end: false } notrace { c!a; c?a }", "violated"],
  ["a notrace that did not fit", "active proctype P() { c!b; end: false } notrace { c!a; c?a }", "holds"],
];

const modes: readonly (readonly [string, CheckOptions])[] = [
  ["plain", { isPlain: true }],
  ["reduced", { reducesAtOnce: true }],
  ["reduced, deadlock alone", { reducesAtOnce: true, properties: ["deadlock"] }],
];

const deadlockOf = async (text: string, options: CheckOptions): Promise<string | undefined> => {
  const { report } = await checkInput({ file: "m.pml", text: `${start}\n${text}` }, options, registry);
  return report.properties.find(({ property }) => property.kind === "deadlock")?.verdict;
};

for (const [name, text] of cases)
  test(`${name}, by the interpreter`, async () => {
    const { model } = await load({ file: "m.pml", text: `${start}\n${text}` }, {}, registry);
    expect(differenceBetween(model!, 100)).toBeUndefined();
  });

for (const [name, text, verdict] of cases)
  for (const [mode, options] of modes)
    test(`${name}, ${mode}`, async () => expect(await deadlockOf(text, options)).toBe(verdict));

test("with empty channels asked for Spin does not look at the trace", async () => {
  const text = "active proctype P() { c!a; c?a; end: false } trace { c!a; c?a; c!a }";
  expect(await deadlockOf(text, {})).toBe("violated");
  expect(await deadlockOf(text, { endNeedsEmptyChannels: true })).toBe("holds");
});
