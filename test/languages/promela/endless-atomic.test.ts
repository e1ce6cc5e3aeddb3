/**
 * Executions that stay inside an atomic sequence forever have no states that formulas read: an empty result proves
 * nothing.
 */
import { expect, test } from "vitest";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources } from "../../../src/model/index.js";
import { checkInput, registry, type CheckOptions } from "../../../src/session/index.js";

/** Verdicts of `<> (y == 1)`, next to a process that sets `y`. */
const cases: readonly (readonly [name: string, body: string, verdict: string])[] = [
  ["a loop without an end", "atomic { do :: x = 1 - x od }", "unknown"],
  ["a loop through many states", "atomic { do :: x < 50 -> x++ :: x == 50 -> x = 0 od }", "unknown"],
  ["a loop that may end", "atomic { do :: x = 1 - x :: break od }", "unknown"],
  ["a loop of jumps", "atomic { x = 1; L: x = 1 - x; goto L }", "unknown"],
  ["a loop that ends", "atomic { do :: x < 50 -> x++ :: else -> break od }", "holds"],
  ["two ways to one state", "atomic { x = 1; if :: x = 2 :: x = 2 fi; if :: x = 3 :: x = 4 fi }", "holds"],
  [
    "a loop of ways that ends",
    "atomic { do :: x < 5 -> x++ :: x < 4 -> x = x + 2 :: x >= 4 -> break od }",
    "holds",
  ],
  ["a loop around it", "do :: atomic { x = 1; x = 0 } od", "violated"],
  ["a loop around one that may end", "do :: atomic { do :: x = 1 - x :: break od } od", "violated"],
];

const modes: readonly CheckOptions[] = [{ isPlain: true }, { reducesAtOnce: true }];

async function verdictOf(text: string, kind: string, options: CheckOptions): Promise<string | undefined> {
  const { report } = await checkInput({ file: "m.pml", text }, options, registry);
  return report.properties.find(({ property }) => property.kind === kind)?.verdict;
}

const beside = "active proctype Q() { y = 1 } ltl { <> (y == 1) }";

for (const [name, body, verdict] of cases)
  test(name, async () => {
    for (const mode of modes)
      expect(await verdictOf(`byte x, y; active proctype P() { ${body} } ${beside}`, "ltl", mode)).toBe(
        verdict,
      );
  });

test("threads, which are not used for it", async () => {
  const text = `byte x, y; active proctype P() { ${cases[0]![1]} } ltl p { <> (y == 1) }`;
  expect(await verdictOf(text, "ltl", { workers: 2, properties: ["p"] })).toBe("unknown");
});

// Only models that may have such loops get the additional search, without threads.
for (const [name, body] of [
  ["no atomic sequence", "x = 1"],
  ["an atomic sequence without a loop", "atomic { x = 1; x = 2 }"],
  ["a loop outside", "do :: x = 1 - x od"],
] as const)
  test(`not looked for: ${name}`, () => {
    const text = `byte x, y; active proctype P() { ${body} } ${beside}`;
    const input = { file: "m.pml", text, defines: [], readFile: () => undefined, sources: new Sources() };
    const { program } = loadPromela(input);
    expect(program!.temporal!.map(({ mayStayInside }) => mayStayInside)).toEqual([undefined]);
  });

const endless = "byte x; active proctype P() { progress: skip; atomic { do :: x = 1 - x od } }";

test("other properties", async () => {
  expect(await verdictOf(endless, "progress", {})).toBe("unknown");
  expect(
    await verdictOf(
      `${endless} never { do :: true :: x == 2 -> goto accept od; accept: do :: x == 2 od }`,
      "never",
      {},
    ),
  ).toBe("unknown");
  // States inside have no label, and single states violate these properties.
  expect(await verdictOf(`${endless} active proctype A() { accept: skip }`, "acceptance", {})).toBe("holds");
  expect(await verdictOf(`${endless} ltl { [] (x == 0) }`, "ltl", {})).toBe("holds");
});
