/**
 * Escapes from the realms of a system, and endless code. Each fixture states its outcome: `contained` (no access to the
 * host), `reported` (with the diagnostic), or `known escape` (with the target). The end of this test shows that the
 * parent process survives.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { overallVerdict, type CheckReport } from "../../src/report/index.js";
import { checkApart } from "../../src/session/apart/index.js";
import { registry } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const folder = inRepository("test/fixtures/code/system-escapes");

for (const workers of [1, 2])
  for (const name of readdirSync(folder).filter((file) => isFor(file, workers))) {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    const [, expectation] = /^\/\/ expect: (.*)$/m.exec(text)!;
    test(`${name}, ${workers} threads: ${expectation}`, { timeout: 240_000 }, async () => {
      // Filling memory is slow on a busy machine, but not endless.
      const limits = { hangMs: name.startsWith("endless") ? 6000 : 60_000, heapMb: 96 };
      const how = workers === 1 && text.includes(" guide: ") ? ({ search: "guided" } as const) : {};
      const { report } = await checkApart({ file, text }, { workers, ...how }, registry, limits);
      expect(outcomeOf(report, expectation!)).toBe(expectation);
      expect(existsSync("/everypath-escape")).toBe(false);
    });
  }

/** Endless code and memory bombs are slow: threads run one of them. */
function isFor(file: string, workers: number): boolean {
  if (file === "endless-late.ts") return workers > 1;
  return workers === 1 || !/endless|bomb/.test(file);
}

/** The outcome in the notation of the expectation. */
function outcomeOf(report: CheckReport, expectation: string): string {
  const { diagnostics, properties, stats } = report;
  if (overallVerdict(report) === "holds") return "contained";
  const violated = properties.find(({ verdict }) => verdict === "violated");
  const trace = violated?.trace && expectation.includes("trace") ? ", with a trace" : "";
  if (violated?.property.name === "stays inside")
    return `known escape: ${violated.reason.replace(/^.*: /, "")}`;
  if (violated) return `reported, ${violated.property.name}${trace}`;
  const { code, message } = diagnostics.find(({ severity }) => severity !== "note")!;
  const told = expectation.includes(`: ${message}`) ? `: ${message}` : "";
  const way = properties.some((property) => property.trace) ? ", with a trace" : "";
  const figures = stats.states > 0 && stats.states <= 12_002 ? ", with figures" : "";
  return `reported, ${code}${told}${figures}${way}`;
}
