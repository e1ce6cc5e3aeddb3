/** Runs of programs with concrete inputs, as narratives. */
import { formatSchedule, type Shown, type Sources, type Span } from "../model/index.js";
import type { NarratedStep, Narrative } from "./narrative.js";

/** A run as an engine describes it. */
export interface ProgramRun {
  readonly inputs: readonly {
    readonly name: string;
    readonly values: readonly bigint[];
    readonly isText: boolean;
  }[];
  readonly lines: readonly { readonly span: Span; readonly fn: string }[];
  readonly lineCount: number;
}

interface RunError {
  readonly kind: string;
  readonly message: string;
  readonly span: Span | undefined;
}

/** The kind of property that an error violates. */
export const errorProperty = ({ kind }: RunError): "assertion" | "runtime" =>
  kind === "assertion" || kind === "abort" ? "assertion" : "runtime";

/** An error in words, with its place. */
export function errorReason({ kind, message, span }: RunError, sources: Sources | undefined): string {
  const what = kind === "assertion" || kind === "abort" ? message : `${kind}: ${message}`;
  if (!span || !sources) return what;
  return `${what} (${span.file}:${sources.position(span.file, span.start).line})`;
}

/** Inputs are the initial values; steps are the last executed places of the source. */
export function runNarrative(
  { inputs, lines, lineCount }: ProgramRun,
  values: readonly bigint[],
  sources: Sources | undefined,
): Narrative {
  const shown = inputs.map(({ name, values: own, isText }, index): Shown => {
    const isRepeated = inputs.some((other, at) => other.name === name && at !== index);
    return {
      name: isRepeated ? `${name} #${index + 1}` : name,
      value: isText ? textOf(own) : `${own[0] ?? ""}`,
    };
  });
  const steps = lines.map(({ span, fn }, index): NarratedStep => ({
    number: lineCount - lines.length + index + 1,
    participants: [fn],
    action: lineText(span, sources),
    sources: [span],
    messages: [],
    output: "",
    isIntermediate: false,
    fault: -1,
    changes: new Map(),
  }));
  const given = values.map(String);
  return {
    schedule: formatSchedule([], undefined, given),
    length: lineCount,
    initial: shown,
    steps,
    fault: -1,
    loopStart: undefined,
    inputs: given,
    final: { words: new Int32Array(0), values: shown, processes: [] },
  };
}

function lineText({ file, start }: Span, sources: Sources | undefined): string {
  const { line } = sources?.position(file, start) ?? { line: 0 };
  return sources?.line(file, line)?.trim() ?? "";
}

/** Bytes as a string of C. */
const textOf = (bytes: readonly bigint[]): string =>
  `"${bytes
    .map((byte) => {
      const code = Number(byte);
      if (code === 34 || code === 92) return `\\${String.fromCharCode(code)}`;
      return code >= 32 && code < 127
        ? String.fromCharCode(code)
        : `\\x${code.toString(16).padStart(2, "0")}`;
    })
    .join("")}"`;
