/** Each witness in every mode: the same answer, and each trace replays. */
import { describe, expect, test } from "vitest";
import type { CheckOptions, CheckReport } from "../../src/index.js";
import { traceFile } from "../../src/session/replay/trace-file.js";
import { useLibrary } from "../cli/built-cli.js";
import { answerOf, witnesses, type Witness } from "./witnesses.js";

const library = useLibrary();

const everyReduction = ["slice", "dead", "merge", "por"] as const;

const modes: readonly (readonly [string, CheckOptions])[] = [
  ["default", {}],
  ["plain", { isPlain: true }],
  ["every reduction", { reductions: everyReduction }],
  ["two workers", { workers: 2 }],
  ["two workers, every reduction", { workers: 2, reductions: everyReduction }],
  ["depth-first", { search: "dfs" }],
  ["depth-first, every reduction", { search: "dfs", reductions: everyReduction }],
];

describe.each(witnesses())("$name", (witness) => {
  test.each(modes)("%s", async (_, mode) => {
    const all = await run(witness, { ...mode, maxErrors: Infinity });
    expect(answerOf(all)).toBe(sorted(witness.expected));
    await expectReplayed(witness, all);
  });

  // The first error depends on the search order.
  test.each(modes.slice(0, 3))("%s, the first error", async (_, mode) => {
    const first = await run(witness, { ...mode, maxErrors: 1 });
    expect(answerOf(first).split(" ")[0]).toBe(witness.expected.split(" ")[0]);
    for (const kind of kindsOf(answerOf(first))) expect(kindsOf(witness.expected)).toContain(kind);
    await expectReplayed(witness, first);
  });
});

const run = ({ text, options }: Witness, mode: CheckOptions): Promise<CheckReport> =>
  library().check({ file: "m.pml", text }, { ...options, ...mode });

const kindsOf = (answer: string): string[] => (/\((.*)\)/.exec(answer)?.[1] ?? "").split(", ").sort();

const sorted = (expected: string): string => expected.replace(/\(.*\)/, `(${kindsOf(expected).join(", ")})`);

async function expectReplayed({ text, options }: Witness, report: CheckReport): Promise<void> {
  for (const violated of report.properties.filter(({ verdict }) => verdict === "violated")) {
    const expected = traceFile(report, violated, options, "m.pml");
    const { outcome } = await library().replay(
      { file: "m.pml", text },
      { schedule: expected.schedule, expected },
      options,
    );
    expect(outcome, violated.reason).toBe("failed");
  }
}
