/** Runs of task programs as narratives: tasks, posts, interrupts and phases, with the lines that they execute. */
import { formatSchedule, type Shown, type Sources, type Span } from "../model/index.js";
import type { NarratedStep, Narrative } from "./narrative.js";

/** A run as an engine describes it. */
export interface TaskRunShown {
  readonly entries: readonly (
    | {
        readonly kind: "line";
        readonly span: Span;
        readonly instance: number;
        readonly handler: string | undefined;
      }
    | { readonly kind: "event"; readonly event: TaskEventShown }
  )[];
  readonly omitted: number;
  readonly inputs: readonly { readonly name: string; readonly values: readonly bigint[] }[];
}

interface TaskEventShown {
  readonly kind: "task" | "post" | "interrupt" | "interrupt end";
  readonly name?: string;
  readonly instance: number;
  readonly phase: number;
  readonly by?: number | undefined;
  readonly vector?: number;
  readonly result?: string;
  readonly span?: Span | undefined;
}

export function taskNarrative(
  { entries, omitted, inputs }: TaskRunShown,
  values: readonly bigint[],
  sources: Sources | undefined,
): Narrative {
  const names = new Map<number, string>();
  for (const entry of entries)
    if (entry.kind === "event" && entry.event.kind === "task")
      names.set(entry.event.instance, `${entry.event.name ?? ""}#${entry.event.instance}`);
  const who = (instance: number): string => names.get(instance) ?? `#${instance}`;
  const steps = entries.flatMap((entry): Omit<NarratedStep, "number">[] => {
    if (entry.kind === "line") {
      const { span, handler, instance } = entry;
      return [stepOf(handler ?? who(instance), lineText(span, sources), span)];
    }
    const text = eventText(entry.event, who);
    return text === undefined ? [] : [stepOf(who(entry.event.instance), text, entry.event.span)];
  });
  const given = values.map(String);
  const shown = inputs
    .filter(({ name }) => name !== "interrupt")
    .map(({ name, values: own }, index): Shown => ({
      name: `${name} #${index + 1}`,
      value: own.map(String).join(" "),
    }));
  return {
    schedule: formatSchedule([], undefined, given),
    length: steps.length + omitted,
    initial: shown,
    steps: steps.map((step, index) => ({ ...step, number: index + 1 + omitted })),
    fault: -1,
    loopStart: undefined,
    inputs: given,
    final: { words: new Int32Array(0), values: shown, processes: [] },
  };
}

function stepOf(participant: string, action: string, span: Span | undefined): Omit<NarratedStep, "number"> {
  return {
    participants: [participant],
    action,
    sources: span ? [span] : [],
    messages: [],
    output: "",
    isIntermediate: false,
    fault: -1,
    changes: new Map(),
  };
}

function eventText(event: TaskEventShown, who: (instance: number) => string): string | undefined {
  switch (event.kind) {
    case "task":
      return `phase ${event.phase}: ${event.name ?? ""} starts${event.by === undefined ? "" : `, posted by ${who(event.by)}`}`;
    case "post":
      return `posts ${event.name ?? ""} for phase ${event.phase + 1}${event.result === "queued" ? "" : `: ${event.result ?? ""}`}`;
    case "interrupt":
      return `interrupt ${event.vector === undefined || event.vector < 0 ? "" : `${event.vector} `}(${event.name ?? ""})${event.span ? "" : " at the end of the task"}`;
    case "interrupt end":
      return undefined;
  }
}

function lineText({ file, start }: Span, sources: Sources | undefined): string {
  const { line } = sources?.position(file, start) ?? { line: 0 };
  return sources?.line(file, line)?.trim() ?? "";
}
