/**
 * Every example does what its first comment says. A model's comment has a line for each way to check it,
 *
 *     expected: violated (deadlock)
 *     expected with -D FIXED --invariant 'x < 3': holds, 42 states
 *
 * and a broken one's a line for each diagnostic: `expected: promela/syntax 3:7`.
 */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  check,
  checkJson,
  firstViolated,
  overallVerdict,
  readInput,
  replay,
  type CheckOptions,
  type CheckReport,
  type Fairness,
  type Input,
  type ModelOptions,
} from "../src/index.js";
import { inRepository } from "./repository.js";

const models = examplesIn("models");
const broken = examplesIn("broken");

test("there are examples", () => {
  expect(models.length).toBeGreaterThanOrEqual(6);
  expect(broken.length).toBeGreaterThanOrEqual(1);
});

describe("example model", () => {
  for (const { name, input, expectations } of models)
    for (const { condition, outcome } of expectations)
      test(`${name}${condition ? ` with ${condition}` : ""}: ${outcome}`, async () => {
        const options = parseCondition(condition);
        const report = await check(input, { ...options, isPlain: true });
        expect(report.diagnostics).toEqual([]);
        expect(describeOutcome(report)).toBe(outcome);
        await expectReplay(input, options, report);
        const reductions = input.file.endsWith(".m") ? (["symmetry"] as const) : PROGRAM_REDUCTIONS;
        const reduced = await check(input, { ...options, reductions });
        expect(overallVerdict(reduced)).toBe(overallVerdict(report));
        expect(reduced.stats.states).toBeLessThanOrEqual(report.stats.states);
        await expectReplay(input, options, reduced);
      });
});

const PROGRAM_REDUCTIONS = ["slice", "dead", "merge", "por"] as const;

describe("broken example", () => {
  for (const { name, input, expectations } of broken)
    test(name, async () => {
      const { diagnostics } = checkJson(await check(input));
      expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(
        expectations.map(({ outcome }) => outcome),
      );
    });
});

interface Example {
  readonly name: string;
  readonly input: Input;
  readonly expectations: readonly Expectation[];
}

interface Expectation {
  /** The command-line options that it is expected with, as written. */
  readonly condition: string;
  readonly outcome: string;
}

function examplesIn(folder: string): Example[] {
  const path = inRepository(`examples/${folder}`);
  return readdirSync(path).map((name) => {
    const input = readInput(`${path}/${name}`);
    if ("code" in input) throw new Error(input.message);
    return { name, input, expectations: expectationsOf(input) };
  });
}

function expectationsOf({ file, text }: Input): Expectation[] {
  const [firstComment = ""] = /^(?:\/\*[\s\S]*?\*\/|(?:(?:\/\/|#|--).*\n)+)/.exec(text) ?? [];
  const lines = [...firstComment.matchAll(/^[\s/*#-]*expected(?: with (.*))?: (.*?)\s*(?:\*\/)?$/gm)];
  if (lines.length === 0) throw new Error(`${file} states no expectation in its first comment`);
  return lines.map(([, condition = "", outcome]) => ({ condition, outcome: outcome! }));
}

/** The options that examples are checked with: `-D NAME[=VALUE]`, `--invariant 'EXPRESSION'`, `--fairness KIND`. */
function parseCondition(condition: string): CheckOptions {
  const options = [...condition.matchAll(/(-D|--invariant|--fairness) ('[^']*'|\S+)/g)];
  if (options.map(([text]) => text).join(" ") !== condition) throw new Error(`cannot read "${condition}"`);
  const valuesOf = (option: string): string[] =>
    options.filter(([, name]) => name === option).map(([, , value]) => value!.replace(/^'(.*)'$/, "$1"));
  const [fairness = "none"] = valuesOf("--fairness") as Fairness[];
  return { defines: valuesOf("-D"), invariants: valuesOf("--invariant"), fairness };
}

function describeOutcome(report: CheckReport): string {
  const verdict = overallVerdict(report);
  const violated = firstViolated(report);
  if (violated) return `${verdict} (${violated.fault ?? violated.property.kind})`;
  return `${verdict}, ${report.stats.states} states`;
}

/** A violation can be replayed from its schedule alone. */
async function expectReplay(input: Input, options: ModelOptions, report: CheckReport): Promise<void> {
  const violated = firstViolated(report);
  if (!violated) return;
  const replayed = await replay(input, { schedule: violated.trace!.schedule }, options);
  expect(replayed).toMatchObject({ outcome: "failed", property: { kind: violated.property.kind } });
}

test("the command that the README begins with checks an example", () => {
  const readme = readFileSync(inRepository("README.md"), "utf8");
  const named = [...readme.matchAll(/examples\/models\/([\w-]+\.pml)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(models.map((model) => model.name)).toContain(name);
});
