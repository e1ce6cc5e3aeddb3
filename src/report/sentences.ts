/** Shared by text and page: the verdict as a sentence, and the command that replays a trace. */
import type { Scope } from "../model/index.js";
import { counted, formatCount } from "./figures.js";
import type { Narrative } from "./narrative.js";
import { firstViolated, overallVerdict, type CheckReport, type PropertyReport } from "./result.js";
import { known, nth } from "../model/known.js";

/** The verdict as one sentence, with method and scope. */
export function verdictSentence(report: CheckReport): string {
  const verdict = overallVerdict(report);
  switch (verdict) {
    case "holds":
      return scopeSentence(report.scope);
    case "violated": {
      const { reason, trace } = known(firstViolated(report), "the violated property");
      return trace ? `${reason}, after ${counted(trace.loopStart ?? trace.length, "step")}` : reason;
    }
    case "unknown":
      return unknownSentence(report);
  }
}

export function scopeSentence(scope: Scope): string {
  const notes = scope.notes.length > 0 ? ` (${scope.notes.join("; ")})` : "";
  switch (scope.kind) {
    case "complete":
      if (scope.by === "witness") return `a state was reached that shows it${notes}`;
      return scope.by === "exhaustion"
        ? `every execution was explored${notes}`
        : `for every execution, by ${scope.by}${notes}`;
    case "bounded":
      return `for every execution within the bounds, by ${scope.by}${notes}`;
    case "probabilistic":
      return `nothing was found, but states may have been missed${notes}`;
    case "partial":
      return `only part of the executions was explored${notes}`;
  }
}

/** The property, with the kind of fault where its name does not say it. */
export const propertyTitle = ({ property, fault }: PropertyReport): string =>
  fault && fault !== property.kind ? `${property.name} (${fault})` : property.name;

/** The verdict in the property's words: a state that ought to be reachable is reached or not. */
export function verdictWord({ property: { kind }, verdict }: PropertyReport): string {
  if (kind !== "cover" || verdict === "unknown") return verdict;
  return verdict === "holds" ? "reached" : "never reached";
}

/** Why; of several violations the first, and how many there are. */
export function propertyReason({ reason, verdict, violations }: PropertyReport): string {
  if (verdict !== "violated" || violations.length < 2) return reason;
  return `${reason} (the first of ${formatCount(violations.length)})`;
}

/** The command that shows the trace again, or undefined if its schedule is too long for a command line. */
export function replayCommand(
  report: CheckReport,
  trace: Pick<Narrative, "schedule" | "test">,
  traceFile: string | undefined,
): string | undefined {
  if (traceFile !== undefined) return `everypath replay ${quote(traceFile)}`;
  if (trace.schedule.length > 200) return undefined;
  return [
    "everypath replay",
    quote(trace.schedule),
    quote(report.file),
    ...(trace.test === undefined ? [] : ["--property", quote(trace.test)]),
    ...report.modelOptions.map(quote),
  ].join(" ");
}

/** Each reason with the properties it is about, unless it is about all of them. */
function unknownSentence(report: CheckReport): string {
  const unknown = report.properties.filter((p) => p.verdict === "unknown");
  const reasons = [...new Set(unknown.map((p) => p.reason))];
  const about = (reason: string): string =>
    unknown
      .filter((p) => p.reason === reason)
      .map((p) => p.property.name)
      .join(", ");
  const sentence =
    reasons.length === 1 && unknown.length === report.properties.length
      ? nth(reasons, 0)
      : reasons.map((reason) => `${about(reason)}: ${reason}`).join("; ");
  return report.accepted
    ? `${sentence} (accepted: --accept ${report.accepted})`
    : sentence || scopeSentence(report.scope);
}

/** As a shell reads it. */
export const quote = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
