/** Runs the project's tests of captured nodes with an audit of every capture. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface AuditedTests {
  /** Total of all test files. */
  readonly captures: number;
  /** Paths of missed changes. */
  readonly differing: readonly string[];
  readonly files: number;
  readonly passed: number;
  readonly failed: readonly string[];
}

interface Outcome {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export function auditTests(): AuditedTests {
  const folder = mkdtempSync(join(tmpdir(), "everypath-audit-"));
  try {
    const [notes, report] = [join(folder, "notes"), join(folder, "report.json")];
    spawnSync(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--config",
        "bench/code/audited-tests.config.ts",
        "--root",
        ".",
      ].concat(["--reporter", "json", "--outputFile", report]),
      { env: { ...process.env, EVERYPATH_AUDIT: notes }, stdio: "ignore" },
    );
    const found = readFileSync(notes, "utf8").trim().split("\n");
    const audits = found.map((line) => JSON.parse(line) as { captures: number; differing: string[] });
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as Outcome;
    return {
      captures: audits.reduce((sum, { captures }) => sum + captures, 0),
      differing: audits.flatMap(({ differing }) => differing),
      files: testResults.length,
      passed: numPassedTests,
      failed: testResults.flatMap(({ name, status, assertionResults }) => {
        const tests = assertionResults.filter((test) => test.status === "failed");
        return tests.length === 0 && status === "failed" ? [name] : tests.map(({ fullName }) => fullName);
      }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
