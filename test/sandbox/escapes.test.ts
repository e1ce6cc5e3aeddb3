/**
 * Ways out of the realms of a system, and code that does not end. Each fixture states what comes of it: `contained` (nothing of the
 * host was reached), `reported`, by what, or `known escape`, to where; and is held to that. That this test ends shows that the parent survives them all.
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
    test(`${name}, ${workers} threads: ${expectation}`, { timeout: 120_000 }, async () => {
      // Filling memory takes its time on a busy machine, and is not endless.
      const limits = { hangMs: name.startsWith("endless") ? 6000 : 60_000, heapMb: 96 };
      const how = workers === 1 && text.includes(" guide: ") ? ({ search: "guided" } as const) : {};
      const { report } = await checkApart({ file, text }, { workers, ...how }, registry, limits);
      expect(outcomeOf(report, expectation!)).toBe(expectation);
      expect(existsSync("/everypath-escape")).toBe(false);
    });
  }

/** What does not end, or takes all memory, takes its time: threads try one of them. */
function isFor(file: string, workers: number): boolean {
  if (file === "endless-late.ts") return workers > 1;
  return workers === 1 || !/endless|bomb/.test(file);
}

/** In the words of the expectation, as far as it goes. */
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
