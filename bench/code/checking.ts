/** Checks and replays the protocol examples through the library; `-D`s are separated by blanks. */
import { readFileSync } from "node:fs";
import type { CheckReport, ExecutionReport, PropertyReport } from "../../src/report/index.js";
import { checkInput } from "../../src/session/check/check.js";
import { registry } from "../../src/session/registry.js";
import { replayInput } from "../../src/session/replay/replay.js";
import type { CheckOptions } from "../../src/session/request.js";

const processorSeconds = new WeakMap<CheckReport, number>();

export async function check(file: string, defines: string, options: CheckOptions = {}): Promise<CheckReport> {
  const before = process.cpuUsage();
  const { report } = await checkInput(
    input(file),
    // The published figures count all states.
    { reductions: [], ...options, defines: listOf(defines) },
    registry,
  );
  processorSeconds.set(report, process.cpuUsage(before).user / 1e6);
  const errors = report.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return report;
}

export function replay(file: string, schedule: string, defines: string): Promise<ExecutionReport> {
  return replayInput(input(file), { schedule }, { defines: listOf(defines) }, registry);
}

/** Reports CPU time: wall-clock time depends on other load. */
export function figures(report: CheckReport): string {
  const { states, transitions } = report.stats;
  return `${states} states, ${transitions} transitions, ${processorSeconds.get(report)!.toFixed(1)} s`;
}

export function verdictOf({ properties }: CheckReport): string {
  const verdicts = properties.map(({ verdict }) => verdict);
  return verdicts.includes("violated") ? "violated" : verdicts.includes("unknown") ? "unknown" : "holds";
}

export const violationsIn = ({ properties }: CheckReport): PropertyReport[] =>
  properties.filter(({ verdict }) => verdict === "violated");

/** Each error of a check that continued after errors. */
export const errorsIn = (report: CheckReport): { property: string; schedule: string; steps: number }[] =>
  violationsIn(report).flatMap(({ property, violations }) =>
    violations.map(({ schedule, steps }) => ({ property: property.name, schedule, steps })),
  );

export function listOf(defines: string): string[] {
  return defines.split(" ").filter((define) => define !== "");
}

function input(file: string): { file: string; text: string } {
  return { file, text: readFileSync(file, "utf8") };
}
