/** `replay --export FORMAT[=FILE]`: a trace for other tools, to a file or to standard output. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExecutionReport, Narrative } from "../report/index.js";
import { writeProblem, writeWhole } from "./output-file.js";
import type { Terminal } from "./terminal.js";
import { BadValue, usageError } from "./usage.js";

export const EXPORT_FORMATS = ["itf", "mermaid", "plantuml", "shiviz", "page"] as const;
type Format = (typeof EXPORT_FORMATS)[number];

export interface ExportRequest {
  readonly format: Format;
  /** Undefined: standard output. */
  readonly path: string | undefined;
}

/** Collects the values of the option. */
export const exportRequests = Object.assign(
  (value: string, before: readonly ExportRequest[] = []): readonly ExportRequest[] => {
    const [, name = "", path] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
    const format = EXPORT_FORMATS.find((one) => one === name);
    if (format === undefined || path === "" || (format === "page" && path === undefined))
      throw new BadValue(
        value,
        `'--export ${value}' ${format === undefined ? "is unknown" : "needs a file"}`,
        `--export takes ${EXPORT_FORMATS.join(", ")}, with =FILE to write a file; page needs one`,
      );
    return [...before, { format, path }];
  },
  { words: EXPORT_FORMATS },
);

/** Whether an export replaces the usual output. */
export function refuseBadExports(
  flags: { readonly export?: readonly ExportRequest[]; readonly json?: boolean },
  argv: readonly string[],
): boolean {
  const requests = flags.export ?? [];
  const printed = requests.filter(({ path }) => path === undefined);
  if (printed.length > 1 || (printed.length > 0 && flags.json))
    throw usageError(argv, "one-output", "standard output takes one of them", "--export", "add =FILE");
  for (const { path } of requests) {
    const problem = path === undefined ? undefined : writeProblem(path);
    if (problem !== undefined)
      throw usageError(argv, "cannot-write", `cannot write '${path}': ${problem}`, "--export");
  }
  return printed.length > 0;
}

/** Writes all exports; the first problem ends it. */
export async function writeExports(
  report: ExecutionReport,
  trace: Narrative,
  requests: readonly ExportRequest[],
  { stdout, stderr }: Terminal,
): Promise<{ readonly code: string; readonly message: string } | undefined> {
  // sound: test/cli/export.test.ts
  if (requests.length > 0 && trace.steps.length < trace.length)
    return {
      code: "long-trace",
      message: `a trace of ${trace.length} steps is too long: exports describe ${trace.steps.length}`,
    };
  for (const { format, path } of requests) {
    const text = await textOf(report, trace, format);
    if (path === undefined) stdout.write(text);
    else {
      const problem = await writeWhole(path, text);
      if (problem !== undefined)
        return { code: "cannot-write", message: `cannot write '${path}': ${problem}` };
      if (format === "page") stderr.write(`${await linkOf(report, trace, path)}\n`);
    }
  }
  return undefined;
}

async function textOf(report: ExecutionReport, trace: Narrative, format: Format): Promise<string> {
  const title = `${report.file}: ${report.reason}`;
  switch (format) {
    case "itf":
      return (await import("../report/itf.js")).renderItf(trace, report.file);
    case "mermaid":
      return (await import("../report/mermaid.js")).renderMermaid(trace);
    case "plantuml":
      return (await import("../report/plantuml.js")).renderPlantuml(trace, title);
    case "shiviz":
      return (await import("../report/shiviz.js")).renderShiviz(trace);
    case "page":
      return (await import("../report/trace-page.js")).renderTracePage();
  }
}

async function linkOf(report: ExecutionReport, trace: Narrative, path: string): Promise<string> {
  const { traceFragment } = await import("../report/trace-page.js");
  const { file, reason, sources } = report;
  const fragment = traceFragment(trace, { file, reason, sources, date: new Date() });
  return `${pathToFileURL(resolve(path)).href}#${fragment.slice(0, -1)}`;
}
