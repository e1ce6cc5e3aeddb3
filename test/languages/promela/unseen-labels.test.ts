/** Accept labels inside `atomic` and `d_step`: no state shows them, so an empty result proves nothing. */
import { expect, test } from "vitest";
import { checkInput, registry, type CheckOptions } from "../../../src/session/index.js";

/** Verdicts on acceptance cycles (or the claim); Spin's verifier reports cycles for the first three. */
const cases: readonly (readonly [name: string, body: string, verdict: string])[] = [
  ["the last statement of an atomic", "do :: atomic { x = 1; x = 0; accept: x = 2 } od", "unknown"],
  [
    "a d_step at the end of an atomic",
    "do :: atomic { x = 1; accept: d_step { x = 0; x = 2 } } od",
    "unknown",
  ],
  [
    "an option at the end of an atomic",
    "do :: atomic { x = 1; if :: accept: x = 2 :: x = 3 fi } od",
    "unknown",
  ],
  ["the middle of an atomic", "do :: atomic { x = 1; accept: x = 0; x = 2 } od", "unknown"],
  ["the middle of a d_step", "do :: d_step { x = 1; accept: x = 0; x = 2 } od", "unknown"],
  ["an option that is an atomic", "do :: accept: atomic { x = 1; x = 2 } od", "unknown"],
  ["in front of an atomic", "accept: atomic { x = 1; x = 2 }; goto accept", "violated"],
  ["on a statement of its own", "do :: accept: skip; atomic { x = 1; x = 2 } od", "violated"],
  ["in front of a d_step", "do :: accept: d_step { x = 1; x = 2 } od", "violated"],
  ["behind an atomic, never again", "atomic { x = 1; x = 2 }; accept: x = 3; do :: x = 1 od", "holds"],
  ["another label in a d_step", "d_step { x = 1; here: x = 2 }; accept: x = 3; do :: x = 1 od", "holds"],
  ["where an atomic blocks", "atomic { x = 1; accept: do :: x == 2 od }", "violated"],
];

const modes: readonly CheckOptions[] = [{ isPlain: true }, {}, { reducesAtOnce: true }];

async function verdictsOf(text: string, kind: string, options: CheckOptions): Promise<readonly string[]> {
  const { report } = await checkInput({ file: "m.pml", text }, options, registry);
  return report.properties.filter(({ property }) => property.kind === kind).map(({ verdict }) => verdict);
}

for (const [name, body, verdict] of cases)
  test(name, async () => {
    for (const mode of modes)
      expect(await verdictsOf(`byte x; active proctype P() { ${body} }`, "acceptance", mode)).toEqual([
        verdict,
      ]);
  });

test("a claim beside such a label", async () => {
  const process = "byte x; active proctype P() { do :: atomic { x = 1; x = 0; accept: x = 2 } od }";
  expect(await verdictsOf(`${process} never { do :: true od }`, "never", {})).toEqual(["unknown"]);
});

test("a label inside an atomic of the claim itself", async () => {
  const process = "byte x; active proctype P() { do :: x = 1 - x od }";
  expect(
    await verdictsOf(`${process} never { do :: atomic { true; accept: true } od }`, "never", {}),
  ).toEqual(["unknown"]);
});
