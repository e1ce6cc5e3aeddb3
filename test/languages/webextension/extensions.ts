/** Extensions in one text each. */
import { readFileSync } from "node:fs";
import { check, overallVerdict, type CheckReport } from "../../../src/index.js";
import { inRepository } from "../../repository.js";

export const folder = inRepository("test/fixtures/webextension");

/** Files in one text, each behind a line `== name`. */
function filesOf(name: string): Record<string, string> {
  const parts = readFileSync(`${folder}/${name}`, "utf8")
    .split(/^== (.*)\n/m)
    .slice(1);
  return Object.fromEntries(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1]!]] : [])));
}

export function reportOf(name: string): Promise<CheckReport> {
  return reportOn(filesOf(name));
}

export function reportOn(files: Record<string, string>): Promise<CheckReport> {
  return check({ file: "manifest.json", text: files["manifest.json"]!, readFile: (path) => files[path] });
}

/** Errors are told apart from verdicts. */
export function answerOf(report: CheckReport): string {
  const errors = report.diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 ? errors.map(({ code }) => code).join(" ") : overallVerdict(report);
}
