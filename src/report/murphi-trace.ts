/**
 * A trace in the formats of Murphi tools, for scripts and users of these: the first state in full, then
 * the changes of each step. A failing step is shown without its writes.
 */
import type { NarratedStep, Narrative } from "./narrative.js";
import type { PropertyReport } from "./result.js";

export type MurphiTraceFormat = "rumur" | "cmurphi";

export function renderMurphiTrace(
  trace: Narrative,
  violated: PropertyReport,
  format: MurphiTraceFormat,
): string[] {
  // A deadlock, or a property that cannot be evaluated, is not a step.
  const steps = trace.steps.filter(({ participants }) => !participants.includes("model"));
  return format === "rumur" ? rumurLines(steps, violated) : cmurphiLines(steps, violated, trace);
}

const rumurLines = (steps: readonly NarratedStep[], violated: PropertyReport): string[] => [
  "The following is the error trace for the error:",
  "",
  `\t${rumurMessage(violated)}`,
  "",
  ...steps.flatMap((step) => [`${capital(step.action)} fired.`, ...changesOf(step), "----------", ""]),
  "End of the error trace.",
];

function rumurMessage({ property, reason }: PropertyReport): string {
  if (property.kind === "deadlock") return "deadlock";
  if (property.kind === "agef") return `liveness property "${property.name}" violated`;
  return reason.startsWith("invariant violated") ? `invariant "${property.name}" failed` : reason;
}

const cmurphiLines = (
  steps: readonly NarratedStep[],
  violated: PropertyReport,
  trace: Narrative,
): string[] => [
  "The following is the error trace for the error:",
  "",
  `\t${cmurphiMessage(violated)}`,
  "",
  ...steps.flatMap((step) => [`${cmurphiTitle(step.action)} fired.`, ...changesOf(step), "----------", ""]),
  "The last state of the trace (in full) is:",
  ...trace.final.values.map(({ name, value }) => `${name}:${value}`),
  "",
  "End of the error trace.",
];

function cmurphiMessage({ property, reason }: PropertyReport): string {
  if (property.kind === "deadlock") return "Deadlocked state found.";
  return reason.startsWith("invariant violated")
    ? `Invariant "${property.name}" failed.`
    : `${capital(reason)}.`;
}

/** Names without quotes; unnamed rules are numbered from 0 and named after their kind. */
function cmurphiTitle(action: string): string {
  const [, kind, name, number, parameters] = /^(\w+) (?:"(.*?)"|(\d+))((?:, .*)?)$/.exec(action) ?? [];
  if (kind === undefined) return capital(action);
  const title = name ?? `${capital(kind)} ${Number(number) - 1}`;
  return `${capital(kind)} ${title}${parameters!.replace(/: /g, ":")}`;
}

const changesOf = ({ changes }: NarratedStep): string[] =>
  [...changes].map(([name, value]) => `${name}:${value ?? "Undefined"}`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
