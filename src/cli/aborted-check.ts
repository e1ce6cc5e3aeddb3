/** The result of a check whose process died: `unknown`, with the last known figures. */
import { Sources, worst, type Progress, type Verdict } from "../model/index.js";
import { checkJson, noStats, renderCheck, version, type CheckReport } from "../report/index.js";
import { nothingChecked } from "../session/index.js";
import { combine, Exit } from "./exit.js";
import type { AbortedCheck } from "./supervise.js";
import { hasColor, type Terminal } from "./terminal.js";

export function reportAborted(aborted: AbortedCheck, { stdout, env }: Terminal): number {
  const { check, done } = aborted;
  const reports = check.files.slice(done.length).map((file, index) =>
    index === 0
      ? unknown(file, aborted)
      : unknown(file, {
          ...aborted,
          reason: "not checked: the check of an earlier file was aborted",
          progress: undefined,
          seconds: 0,
        }),
  );
  if (check.json)
    stdout.write(
      `${JSON.stringify(asJson([...done.map(({ json }) => json), ...reports.map(checkJson)]), null, 2)}\n`,
    );
  else
    for (const report of reports) {
      const color = hasColor(check.color, stdout, env);
      stdout.write(
        renderCheck(report, {
          color,
          width: stdout.columns,
          traceFile: undefined,
          traceFormat: undefined,
          isQuiet: true,
        }),
      );
    }
  return combine([...done.map(({ code }) => code), Exit.unknown]);
}

function asJson(all: readonly unknown[]): unknown {
  if (all.length === 1) return all[0];
  const verdicts = all.map((json) => (json as { verdict: Verdict["kind"] }).verdict);
  return { everypath: version, verdict: worst(verdicts), files: all };
}

function unknown(file: string, { reason, advice, progress, seconds }: AbortedCheck): CheckReport {
  const { states = 0, transitions = 0, depth = 0, bytes = 0 } = (progress ?? {}) as Partial<Progress>;
  const stats = {
    ...noStats,
    states,
    transitions,
    depth,
    seconds,
    peakBytes: bytes,
    bytesPerState: states && bytes / states,
  };
  const property = { name: "everything", kind: "assertion", span: { file, start: 0, end: 0 } } as const;
  return {
    ...nothingChecked(file, "", [], new Sources()),
    scope: { kind: "partial", by: "exhaustion", notes: [reason] },
    properties: [
      { property, verdict: "unknown", fault: undefined, reason, advice, violations: [], trace: undefined },
    ],
    stats: { ...stats, totalSeconds: seconds },
  };
}
