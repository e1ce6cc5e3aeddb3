/** Declared parameters of `-D`, and the types of conditions where nodes may be down. */
import { describe, expect, test } from "vitest";
import {
  defineSystem,
  type Environment,
  type Node,
  type SystemDefinition,
} from "../../../src/code/system/define.js";
import { checkText } from "./small.js";

const text = (declared: string): string => `
class Counter { n = 0; go(): void { this.n++; } }
export default defineSystem(${declared}, (given) => ({
  nodes: { a: () => new Counter() },
  actions: { go: { times: Number(given["N"]), run: (a) => a.go() } },
  always: { small: ({ nodes }) => nodes["a"]!.n < 3 && given["NAME"] !== "b" && given["BUG"] !== true },
}));`;
const declared = '{ N: 2, NAME: "a", BUG: false }';

async function answer(defines: readonly string[], parameters = declared) {
  const { properties, diagnostics } = await checkText(text(parameters), { defines });
  const problem = diagnostics.find(({ severity }) => severity === "error");
  return problem?.message ?? properties.find(({ property }) => property.name === "small")?.verdict;
}

describe("declared parameters", () => {
  test.each([
    [[], "holds"],
    [["N=3"], "violated"],
    [["NAME=b"], "violated"],
    [["NAME=7"], "holds"],
    [["BUG"], "violated"],
    [["n=3"], "the system has no parameter 'n' (-D takes: N, NAME, BUG)"],
    // The name of a method of every object.
    [["toString"], "the system has no parameter 'toString' (-D takes: N, NAME, BUG)"],
    [["N=two"], "the parameter 'N' must be a number: -D N=2"],
    [["N"], "the parameter 'N' must be a number: -D N=2"],
    [["BUG=1"], "the parameter 'BUG' must be given without a value: -D BUG"],
  ])("%j: %s", async (defines, expected) => {
    expect(await answer(defines)).toBe(expected);
  });

  test("a default has a kind that -D can have", async () => {
    expect(await answer([], "{ N: [2] }")).toContain("the default of the parameter 'N' must be a number");
    expect(await answer(["N=1"], "{}")).toBe("the system has no parameter 'N' (-D takes: none)");
  });
});

class Counter implements Node {
  n = 0;
  constructor(readonly environment: Environment) {}
  onTimer(): void {
    this.n++;
  }
}
const make = (environment: Environment): Counter => new Counter(environment);

/** What it shows is that it compiles. */
test("types of nodes in conditions", () => {
  const files = [
    defineSystem<Counter>({
      nodes: { a: make },
      // @ts-expect-error: the node may be down
      always: { x: ({ nodes }) => nodes["a"].n === 0 },
    }),
    defineSystem<Counter>({ nodes: { a: make }, always: { x: ({ nodes }) => nodes["a"]?.n !== 1 } }),
    defineSystem({ CRASHES: 1 }, ({ CRASHES }): SystemDefinition<Counter> => ({
      nodes: { a: make },
      faults: { crashes: CRASHES },
      always: { x: ({ nodes }) => nodes["a"]?.n !== CRASHES },
    })),
    // @ts-expect-error: a parameter that is not declared
    defineSystem({ CRASHES: 1 }, ({ CRASH }) => ({ nodes: { a: make }, budgets: { b: Number(CRASH) } })),
  ];
  expect(files.map(({ everypath }) => everypath)).toEqual(files.map(() => "system"));
});
