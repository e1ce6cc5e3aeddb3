import { describe, expect, test } from "vitest";
import { parseHoa } from "../transforms/ltl/reading/hoa-read.js";
import { parseTgba } from "../transforms/ltl/reading/tgba-read.js";
import { useCli } from "./built-cli.js";

const cli = useCli();

test("text by default: sizes, then states and edges", async () => {
  const { stdout, exitCode } = await cli.run(["automaton", "[](p -> <>q)"]);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`G (p -> F q)
2 states, 4 edges, 1 acceptance condition; stutter invariant

state 0, initial
  !p | q  -> 0  {0}
  p & !q  -> 1  {0}
state 1
  q       -> 0  {0}
  !q      -> 1
`);
});

describe("formats", () => {
  test.each([
    ["--dot", /^digraph automaton \{/],
    ["--svg", /^<svg xmlns=/],
    ["--never", /^never \{ \/\* G \(p -> F q\) \*\/\n/],
    ["--hoa", /^HOA: v1\n/],
    ["--tgba", /^acc = c0;\n/],
  ])("%s", async (option, start) => {
    const { stdout, exitCode } = await cli.run(["automaton", "G(p -> F q)", option]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(start);
  });

  test("what --hoa and --tgba print can be read", async () => {
    const hoa = await cli.run(["automaton", "G(p -> F q)", "--hoa", "--exact"]);
    expect(parseHoa(hoa.stdout)).toMatchObject({ conditions: 1, propositions: ["p", "q"] });
    const tgba = await cli.run(["automaton", "G(p -> F q)", "--tgba"]);
    expect(parseTgba(tgba.stdout)).toMatchObject({ conditions: 1 });
  });

  test("--json", async () => {
    const result = await cli.run(["automaton", "X p", "--json", "--negate"]);
    expect(result.json()).toMatchObject({
      formula: "!X p",
      stutterInvariant: false,
      propositions: ["p"],
      stats: { states: 3, edges: 3 },
    });
  });

  test("--buchi puts the one condition on states", async () => {
    const { stdout } = await cli.run(["automaton", "GFp & GFq", "--buchi"]);
    expect(stdout).toContain("3 states, 6 edges, 1 acceptance condition");
  });
});

describe("mistakes", () => {
  test("in a formula: a place in it, and exit code 3", async () => {
    const { stderr, stdout, exitCode } = await cli.run(["automaton", "p U & q"]);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("formula:1:5: error[ltl/syntax]: '&' stands where a formula is expected");
  });

  test("in a formula, as JSON", async () => {
    const result = await cli.run(["automaton", "p U", "--json"]);
    expect(result.exitCode).toBe(3);
    expect(result.json().diagnostics).toMatchObject([{ code: "ltl/syntax", line: 1, column: 4 }]);
  });

  test.each([
    [["p", "--dot", "--svg"], /usage\/one-format/],
    [["p", "--exact", "--never"], /usage\/exact-buchi/],
    [[], /usage\/missing-argument/],
  ])("%s", async (args, problem) => {
    const { stderr, exitCode } = await cli.run(["automaton", ...args]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(problem);
  });

  test("a formula whose automaton is too large", async () => {
    const deep = Array.from({ length: 16 }, (_, i) => `(p${i} U `).join("") + "q" + ")".repeat(16);
    const { stderr, exitCode } = await cli.run(["automaton", `!(${deep})`]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("error[ltl/too-large]");
  });
});
