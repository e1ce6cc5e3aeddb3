/** The files that a check writes: page, trace, chart, code. */
import { dirname, relative } from "node:path";
import type { Diagnostic } from "../model/index.js";
import { firstViolated, type CheckReport } from "../report/index.js";
import { exportedNet, exportedProgram, traceFile, type Checked, type Exported } from "../session/index.js";
import type { CheckFlags } from "./check-options.js";
import { modelOptions } from "./options.js";
import { isSameFile, writeProblem, writeWhole } from "./output-file.js";
import { usageError } from "./usage.js";
import { known } from "../model/known.js";

/** Before a long search, not after it. */
export function refuseBadOutputs(files: readonly string[], flags: CheckFlags, argv: readonly string[]): void {
  const outputs = outputsOf(flags);
  for (const [index, [option, path]] of outputs.entries()) {
    if (files.length > 1)
      throw usageError(
        argv,
        "one-file",
        `${option} writes one file, but ${files.length} models are given`,
        option,
        "check them one by one",
      );
    const problem = writeProblem(path);
    if (problem !== undefined)
      throw usageError(argv, "cannot-write", `cannot write '${path}': ${problem}`, path);
    const input = files.find((file) => isSameFile(file, path));
    if (input !== undefined)
      throw usageError(argv, "overwrites-input", `${option} would overwrite the model '${input}'`, option);
    const [other] = outputs.slice(0, index).find(([, earlier]) => isSameFile(earlier, path)) ?? [];
    if (other !== undefined)
      throw usageError(
        argv,
        "same-output",
        `${other} and ${option} would write the same file '${path}'`,
        option,
      );
  }
}

export interface Written {
  readonly diagnostics: readonly Diagnostic[];
  /** A requested output could not be written. */
  readonly hasFailed: boolean;
}

/** Writes the requested outputs; a note names each output without content. */
export async function writeOutputs(checked: Checked, flags: CheckFlags): Promise<Written> {
  const { report } = checked;
  const documents = documentsOf(checked, flags);
  const span = { file: report.file, start: 0, end: 0 };
  const overwriting = overwritesSources(report, flags);
  if (overwriting.length > 0) return { diagnostics: overwriting, hasFailed: false };
  const diagnostics: Diagnostic[] = [];
  let hasFailed = false;
  for (const [option, path] of outputsOf(flags)) {
    const text = (await documents.get(option)?.()) ?? { why: "" };
    if (typeof text !== "string") {
      const message = `${option}: nothing to write to '${path}'${text.why === "" ? "" : `: ${text.why}`}`;
      diagnostics.push({ code: "cli/nothing-to-write", severity: "note", message, span });
      continue;
    }
    const problem = await writeWhole(path, text);
    if (problem === undefined) continue;
    const message = `cannot write '${path}': ${problem}`;
    diagnostics.push({ code: "cli/cannot-write", severity: "error", message, span });
    hasFailed = true;
  }
  return { diagnostics, hasFailed };
}

/** Files that the model includes are known only now. */
const overwritesSources = ({ file, sources }: CheckReport, flags: CheckFlags): Diagnostic[] =>
  outputsOf(flags)
    .filter(([, path]) => sources.files().some((source) => isSameFile(source, path)))
    .map(([option, path]) => ({
      code: "cli/cannot-write",
      severity: "error",
      message: `${option} would overwrite '${path}', which is part of the model; nothing was written`,
      span: { file, start: 0, end: 0 },
    }));

/** Outputs that this check can write, by option. */
function documentsOf(
  checked: Checked,
  flags: CheckFlags,
): ReadonlyMap<string, () => Promise<Exported> | string> {
  const documents = new Map<string, () => Promise<Exported> | string>();
  const { report, code, model, certificate } = checked;
  documents.set("--emit-net", () => exportedNet(checked, flags.netEncoding));
  documents.set("--emit-program", () => exportedProgram(checked));
  documents.set("--emit-murphi", async () =>
    (await import("../session/export/network.js")).exportedMurphi(checked),
  );
  documents.set("--emit-promela", async () =>
    (await import("../session/export/booleans.js")).exportedPromela(checked),
  );
  documents.set("--emit-seq", async () =>
    (await import("../session/export/tasks.js")).exportedSequential(checked),
  );
  documents.set("--certify-laws", async () =>
    (await import("../session/export/laws.js")).exportedLaws(checked),
  );
  if (report.runs.length > 0)
    documents.set("--assumptions", async () => {
      const { exportedAssumptions } = await import("../session/export/assumptions.js");
      return exportedAssumptions(report, known(flags.assumptions, "the file of --assumptions"));
    });
  if (report.runs.length > 0)
    documents.set("--html", async () => (await import("../report/html.js")).renderHtml(report, model));
  const graphs = report.properties.flatMap(({ abstraction }) => abstraction ?? []);
  if (graphs.length > 0)
    documents.set("--dot", async () => {
      const { renderAbstractDot } = await import("../report/abstract-drawing.js");
      return graphs.map(renderAbstractDot).join("");
    });
  if (code !== undefined) documents.set("--emit-code", code);
  if (certificate)
    documents.set("--certificate", () => {
      const path = known(flags.certificate, "the file of --certificate");
      const claims = flags.claim?.map((claim) => relativeTo(path, claim));
      const place = { file: relativeTo(path, report.file), ...(claims ? { claims } : {}) };
      return `${JSON.stringify({ ...certificate, ...place }, null, 1)}\n`;
    });
  const violated = firstViolated(report);
  const trace = violated?.trace;
  const { picture } = report;
  if (report.runs.length > 0 && picture?.standsForChart)
    documents.set("--svg", async () => {
      const { emptyScene, sceneAt } = await import("../report/picture.js");
      if (!violated || !trace) return picture.draw(emptyScene({ title: report.file }));
      const about = { title: `${report.file}: ${violated.reason}`, property: violated.property.name };
      return picture.draw(sceneAt(trace, trace.steps.length, about));
    });
  if (!violated || !trace) return documents;
  if (!picture?.standsForChart)
    documents.set("--svg", async () => {
      const { renderChart } = await import("../report/chart.js");
      return renderChart(trace, { title: `${report.file}: ${violated.reason}` });
    });
  documents.set("--trace", () => {
    const model = relativeTo(known(flags.trace, "the file of --trace"), report.file);
    return `${JSON.stringify(traceFile(report, violated, modelOptions(flags), model), null, 1)}\n`;
  });
  return documents;
}

/** The path to the model as seen from a file that is written. */
const relativeTo = (from: string, model: string): string =>
  relative(dirname(from), model).replaceAll("\\", "/");

/** Requested output paths, by option. */
function outputsOf(flags: CheckFlags): (readonly [option: string, path: string])[] {
  const { html, trace, svg, emitCode, certificate, assumptions, dot } = flags;
  const { emitNet, emitProgram, emitMurphi, emitPromela, certifyLaws, emitSeq } = flags;
  const all = {
    "--html": html,
    "--trace": trace,
    "--svg": svg,
    "--emit-code": emitCode,
    "--certificate": certificate,
    "--assumptions": assumptions,
    "--dot": dot,
    "--emit-murphi": emitMurphi,
    "--emit-promela": emitPromela,
    "--certify-laws": certifyLaws,
    "--emit-seq": emitSeq,
    "--emit-net": emitNet,
    "--emit-program": emitProgram,
  };
  return Object.entries(all).flatMap(([option, path]) =>
    path === undefined ? [] : [[option, path] as const],
  );
}
