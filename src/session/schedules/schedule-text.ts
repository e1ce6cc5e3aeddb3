/**
 * A schedule as a short text: its choices, and a checksum of their numbers of options. If the code changes the meaning of
 * the choices, the checksum differs, and the schedule is stale.
 */
import { formatSchedule, parseSchedule, type Plan } from "../../model/index.js";

interface Chosen {
  readonly options: readonly number[];
  readonly report: { readonly made: readonly { readonly options: number; readonly value: number }[] };
}

/** Omits trailing default choices. */
export function scheduleText({ report: { made } }: Chosen): string {
  const values = made.map(({ value }) => value);
  while (values.at(-1) === 0) values.pop();
  return `${formatSchedule(values)}#${markOf(made.map(({ options }) => options))}`;
}

export interface ParsedSchedule {
  readonly plan: Plan;
  readonly mark: string | undefined;
}

export function parseScheduleText(text: string): ParsedSchedule | undefined {
  const [choices = "", mark] = text.trim().split("#");
  const parsed = parseSchedule(choices);
  return parsed && { plan: { prefix: parsed.choices, tail: { kind: "first" } }, mark };
}

/** Does the run match the checksum? */
export const isStale = (mark: string | undefined, { options, report }: Chosen & { report: Stuck }): boolean =>
  (mark !== undefined && mark !== markOf(options)) || report.diverged !== undefined || report.unused > 0; // sound: test/testing/conditions.test.ts

interface Stuck {
  readonly diverged?: number;
  readonly unused: number;
}

export function markOf(options: readonly number[]): string {
  let hash = 0x811c9dc5;
  for (const n of options) hash = Math.imul(hash ^ n, 0x01000193);
  return ((hash >>> 0) % 0x100000).toString(36).padStart(4, "0");
}
