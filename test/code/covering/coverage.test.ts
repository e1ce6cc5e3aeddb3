/** Covered lines and branches: equal by V8's counts and by counters, for systems and for tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script, createContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { V8Coverage, countedScript, pointsOf } from "../../../src/code/covering/index.js";
import type { FileCoverage } from "../../../src/model/index.js";
import { explore, type Exploration } from "../../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../../src/session/schedules/options.js";
import { checkInput, readInput, registry } from "../../../src/session/index.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/code/covering");

/** As marked in the fixture. */
const unreachedIn = (name: string): number[] =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .flatMap((text, index) => (text.endsWith("// unreached") ? [index + 1] : []));

const only = (coverage: readonly FileCoverage[] | undefined): FileCoverage => {
  expect(coverage?.map(({ file }) => file)).toHaveLength(1);
  return coverage![0]!;
};

describe("of a test under every schedule", () => {
  const exploreFixture = (title: string, options: ScheduleOptions): Promise<Exploration> =>
    explore(
      { file: join(folder, "stock.test-file.ts"), framework: "vitest", names: [title], body: () => {} },
      options,
    );

  test("lines and branches are those of all schedules together", async () => {
    const found = await exploreFixture("one gets it", { coverage: true });
    expect(found.verdict).toBe("holds");
    const { file, unreachedLines, unreachedBranches, lines, branches } = only(found.coverage);
    expect(file).toMatch(/covering\/stock\.ts$/);
    expect(unreachedLines).toEqual(unreachedIn("stock.ts"));
    expect(lines.total - lines.covered).toBe(unreachedLines.length);
    // Branches that no schedule takes: "second", the right side of ||, `return 2`, no else.
    expect(unreachedBranches.map(({ line }) => line)).toEqual([12, 17, 28, 42, 42]);
    expect(branches.total).toBeGreaterThan(branches.covered);
    expect(found.message).toContain("lines never run\n    13-14, 24, 33, 37");
  });

  test("a single schedule runs less", async () => {
    const options = { coverage: true, schedules: 1, replayEvery: 0 } as const;
    const one = only((await exploreFixture("one gets it", options)).coverage);
    const all = only((await exploreFixture("one gets it", { coverage: true })).coverage);
    expect(one.branches.covered).toBeLessThan(all.branches.covered);
    expect(one.branches.total).toBe(all.branches.total);
  });

  test("a failure is told as without it", async () => {
    const found = await exploreFixture("a is first", { coverage: true });
    const plain = await exploreFixture("a is first", {});
    expect(found.verdict).toBe("violated");
    expect(found.stack).toEqual(plain.stack);
    expect(found.message).toContain("Coverage");
    expect(plain.coverage).toBeUndefined();
  });
});

describe("of a system of nodes", () => {
  const check = async (name: string, text?: string) => {
    const input = text === undefined ? readInput(join(folder, name)) : { file: name, text };
    if ("code" in input) throw new Error(input.message);
    return (await checkInput(input, { measuresCoverage: true }, registry)).report;
  };

  test("lines are named", async () => {
    const report = await check("stock-system.ts");
    expect(report.diagnostics).toEqual([]);
    expect(only(report.coverage).unreachedLines).toEqual(unreachedIn("stock-system.ts"));
  });

  test("other languages are told that there is none", async () => {
    const report = await check("m.pml", "active proctype P() { skip }");
    expect(report.diagnostics).toMatchObject([{ code: "session/option-not-taken", severity: "error" }]);
  });
});

test("V8 and the counters agree", () => {
  const v8 = new V8Coverage();
  fc.assert(
    fc.property(program, ({ text, input }) => {
      const points = pointsOf(text);
      const realm = (): object => createContext({ input });
      const counted = new Script(countedScript(text, () => true));
      const context = realm();
      counted.runInContext(context);
      const hits = new Script('globalThis[Symbol.for("everypath.hits")]()').runInContext(context) as string;
      const name = `measured-${measured++}.js`;
      new Script(`${text}// ${name}`, { filename: name }).runInContext(realm());
      const run = v8.found(name, text.length, points);
      expect(points.map(({ at }, i) => [at, run[i] ? "1" : "0"])).toEqual(
        points.map(({ at }, i) => [at, hits[i]]),
      );
    }),
    { numRuns: 60, seed: 1 },
  );
  v8.end();
});

let measured = 0;

/** A function with nested branches, called with some numbers. */
const { statement } = fc.letrec<{ statement: string; expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("x", "(x % 2)", "(x > 1)", "(x === 2)"),
    fc
      .tuple(tie("expression"), fc.constantFrom("&&", "||"), tie("expression"))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
  statement: fc.oneof(
    { maxDepth: 3 },
    tie("expression").map((e) => `y = ${e};`),
    tie("expression").map((e) => `if (${e}) return y;`),
    fc.tuple(tie("expression"), tie("statement")).map(([e, s]) => `if (${e}) ${s}`),
    fc
      .tuple(tie("expression"), tie("statement"), tie("statement"))
      .map(([e, s, t]) => `if (${e}) { ${s} } else ${t}`),
    fc
      .tuple(tie("expression"), tie("statement"))
      .map(([e, s]) => `switch (${e}) { case 1: ${s} break; default: ${s} }`),
  ),
}));

const program = fc.record({
  text: fc
    .array(statement, { minLength: 1, maxLength: 3 })
    .map(
      (all) => `const f = (x) => { let y = 0; ${all.join(" ")} return y; };\ninput.forEach((x) => f(x));\n`,
    ),
  input: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
});
