/**
 * Parses the output of `pan`, the verifier that Spin generates.
 *
 * pan prints an error line only if its text differs from the previous one, so the lines do not count errors ("errors:
 * N" does), but every kind that occurs has at least one line.
 */

/** The kinds of error, in our vocabulary (`FaultKind`, and `deadlock`). */
export type ErrorKind =
  | "assertion"
  | "deadlock"
  | "array-bounds"
  | "bad-channel"
  | "blocked-step"
  | "exclusive-access"
  | "too-many-processes"
  | "too-many-channels"
  | "bad-priority"
  | "event-trace"
  | "other";

export interface UnreachedLine {
  readonly proctype: string;
  readonly line: number;
  readonly statement: string;
}

export interface PanReport {
  /** Stored states: the nominal ones depth-first; see `nominalStates` for breadth-first. */
  readonly states: number;
  readonly nominalStates: number;
  readonly matched: number;
  /** Stored + matched: Spin's convention, which counts the initial state as an arrival. */
  readonly transitions: number;
  readonly atomicSteps: number;
  readonly depth: number;
  readonly errors: number;
  readonly errorKinds: ReadonlySet<ErrorKind>;
  /** The error lines without number and depth. */
  readonly errorMessages: readonly string[];
  readonly unreached: readonly UnreachedLine[];
  readonly vectorBytes: number;
  readonly seconds: number;
  /** Megabytes as pan reports them. */
  readonly memoryMegabytes: number;
  /** States, hash table and stack; 0 if pan does not print them. */
  readonly stateMegabytes: number;
  readonly tableMegabytes: number;
  readonly stackMegabytes: number;
  /** The reason why the figures do not cover the whole graph; undefined if they do. */
  readonly incomplete: Incomplete | undefined;
}

/** `vector`: the state exceeded the size that pan was compiled for. */
export type Incomplete = "depth" | "memory" | "vector" | "aborted";

/** The report; undefined if pan died before printing one. */
export function parsePanOutput(output: string): PanReport | undefined {
  const summary = /^State-vector (\d+) byte, depth reached (\d+), errors: (\d+)/m.exec(output);
  if (!summary) return undefined;
  const states = figure(output, /^\s*(\S+) states, stored/m);
  const errorMessages = errorLines(output);
  return {
    states,
    nominalStates: figure(output, /^\s*(\S+) nominal states/m) || states,
    matched: figure(output, /^\s*(\S+) states, matched/m),
    transitions: figure(output, /^\s*(\S+) transitions \(=/m),
    atomicSteps: figure(output, /^\s*(\S+) atomic steps/m),
    depth: Number(summary[2]),
    errors: Number(summary[3]),
    errorKinds: new Set(errorMessages.map(errorKind)),
    errorMessages,
    unreached: unreachedLines(output),
    vectorBytes: Number(summary[1]),
    seconds: figure(output, /^pan: elapsed time (\S+) seconds/m),
    memoryMegabytes: figure(output, /^\s*(\S+)\s+total actual memory usage/m),
    stateMegabytes: figure(output, /^\s*(\S+)\s+actual memory usage for states/m),
    tableMegabytes: figure(output, /^\s*(\S+)\s+memory used for hash table/m),
    stackMegabytes: figure(output, /^\s*(\S+)\s+memory used for DFS stack/m),
    incomplete: incompleteness(output),
  };
}

/** Maps pan's message to our vocabulary. */
export function errorKind(message: string): ErrorKind {
  return kinds.find(([pattern]) => pattern.test(message))?.[1] ?? "other";
}

const kinds: readonly (readonly [RegExp, ErrorKind])[] = [
  [/^assertion violated - invalid array index/, "array-bounds"],
  [/^assertion violated/, "assertion"],
  [/^invalid end state/, "deadlock"],
  [/^block in d_step/, "blocked-step"],
  [/uninitialized chan|bad queue|^error to poll rendezvous channel/, "bad-channel"],
  [/partial order reduction invalid|^x[rs] chans cannot/, "exclusive-access"],
  [/^too many processes/, "too-many-processes"],
  [/^too many queues/, "too-many-channels"],
  [/^priority is out of range/, "bad-priority"],
  [/^event_trace error/, "event-trace"],
];

const errorLines = (output: string): string[] =>
  [...output.matchAll(/^pan:\d+: (.*) \(at depth -?\d+\)$/gm)].map((line) => line[1]!);

function incompleteness(output: string): Incomplete | undefined {
  if (/max search depth too small/.test(output)) return "depth";
  if (/reached -DMEMLIM bound|pan: out of memory/.test(output)) return "memory";
  if (/VECTORSZ (is )?too small/.test(output)) return "vector";
  return /^Warning: Search not completed/m.test(output) ? "aborted" : undefined;
}

function unreachedLines(output: string): UnreachedLine[] {
  const lines: UnreachedLine[] = [];
  let proctype = "";
  for (const text of output.split("\n")) {
    const heading = /^unreached in (?:proctype |claim )?(\S+)/.exec(text);
    if (heading) proctype = heading[1]!;
    const line = /^\t\S+:(\d+), state \d+, (.*)$/.exec(text);
    if (line) lines.push({ proctype, line: Number(line[1]), statement: line[2]!.replace(/^"(.*)"$/, "$1") });
  }
  return lines;
}

const figure = (output: string, pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0);
