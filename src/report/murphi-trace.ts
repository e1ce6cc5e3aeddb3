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
  return format === "rumur" ? rumurLines(trace, violated) : cmurphiLines(trace, violated);
}

/** Each step with its changes. Neither tool has lassos: remarks mark the beginning and the end of a loop. */
function stepLines({ steps, loopStart, length }: Narrative, titleOf: (action: string) => string): string[] {
  // Excludes entries for deadlocks and for properties that cannot be evaluated.
  const taken = steps.filter(({ participants }) => !participants.includes("model"));
  const lines = taken.flatMap((step) => [
    ...(loopStart !== undefined && step.number === loopStart + 1 ? ["-- the loop begins here", ""] : []),
    `${titleOf(step.action)} fired.`,
    ...changesOf(step),
    "----------",
    "",
  ]);
  if (loopStart === undefined) return lines;
  const end = loopStart === length ? "-- no rule leads on: it stays like this" : "-- the loop goes back";
  return [...lines, end, ""];
}

const rumurLines = (trace: Narrative, violated: PropertyReport): string[] => [
  "The following is the error trace for the error:",
  "",
  `\t${rumurMessage(violated)}`,
  "",
  ...stepLines(trace, capital),
  "End of the error trace.",
];

function rumurMessage({ property, reason }: PropertyReport): string {
  if (property.kind === "deadlock") return "deadlock";
  if (property.kind === "agef") return `liveness property "${property.name}" violated`;
  return reason.startsWith("invariant violated") ? `invariant "${property.name}" failed` : reason;
}

const cmurphiLines = (trace: Narrative, violated: PropertyReport): string[] => [
  "The following is the error trace for the error:",
  "",
  `\t${cmurphiMessage(violated)}`,
  "",
  ...stepLines(trace, cmurphiTitle),
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
  const [, kind, name, number, parameters = ""] = /^(\w+) (?:"(.*?)"|(\d+))((?:, .*)?)$/.exec(action) ?? [];
  if (kind === undefined) return capital(action);
  const title = name ?? `${capital(kind)} ${Number(number) - 1}`;
  return `${capital(kind)} ${title}${parameters.replace(/: /g, ":")}`;
}

const changesOf = ({ changes }: NarratedStep): string[] =>
  [...changes].map(([name, value]) => `${name}:${value ?? "Undefined"}`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
