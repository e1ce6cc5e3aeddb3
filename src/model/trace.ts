/**
 * A trace is a list of choices. Everything else about it (steps, values, lines) is found by replaying the
 * choices through the system, so a trace checks itself, can be shared as a short string, and is an
 * address in the explorer.
 */
export interface Trace {
  readonly choices: readonly number[];
  /** The finding: the fault's site, or -1 if the last state itself is the finding. */
  readonly fault: number;
  /** For a lasso: the step at which the loop begins. */
  readonly loopStart: number | undefined;
  /** Chosen integers, in decimal: undefined initial values first, then the inputs of the steps. Absent: the system takes none. */
  readonly inputs?: readonly string[];
}

/**
 * `0.2.1*3.0`: choices in order, a run of equal choices with its length. The loop of a lasso is in brackets,
 * `0.2(1.0)`; an empty one means that the run ends there. Inputs follow a colon: `0.2:7,-1`.
 */
export function formatSchedule(
  choices: readonly number[],
  loopStart?: number,
  inputs: readonly string[] = [],
): string {
  if (inputs.length > 0) return `${formatSchedule(choices, loopStart)}:${inputs.join(",")}`;
  if (loopStart === undefined) return formatChoices(choices);
  return `${formatChoices(choices.slice(0, loopStart))}(${formatChoices(choices.slice(loopStart))})`;
}

function formatChoices(choices: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < choices.length;) {
    let end = i + 1;
    while (end < choices.length && choices[end] === choices[i]) end++;
    parts.push(end - i > 1 ? `${choices[i]}*${end - i}` : `${choices[i]}`);
    i = end;
  }
  return parts.join(".");
}

/** Parses a schedule string; undefined if it is invalid. */
export function parseSchedule(text: string): Pick<Trace, "choices" | "loopStart" | "inputs"> | undefined {
  const [, before, loop, given] = /^([^():]*)(?:\(([^():]*)\))?(?::(.*))?$/.exec(text) ?? [];
  if (before === undefined) return undefined;
  const inputs = given?.split(",");
  if (inputs?.some((input) => !/^-?\d{1,1000}$/.test(input))) return undefined;
  const prefix = parseChoices(before);
  const cycle = loop === undefined ? [] : parseChoices(loop);
  if (!prefix || !cycle || prefix.length + cycle.length > longestSchedule) return undefined;
  const choices = cycle.length === 0 ? prefix : [...prefix, ...cycle];
  return {
    choices,
    loopStart: loop === undefined ? undefined : prefix.length,
    ...(inputs ? { inputs } : {}),
  };
}

function parseChoices(text: string): number[] | undefined {
  if (text === "") return [];
  const choices: number[] = [];
  for (const part of text.split(".")) {
    const match = /^(\d{1,9})(?:\*(\d{1,9}))?$/.exec(part);
    if (!match || choices.length + Number(match[2] ?? 1) > longestSchedule) return undefined;
    for (let n = Number(match[2] ?? 1); n > 0; n--) choices.push(Number(match[1]));
  }
  return choices;
}

/** A short string can denote any number of choices; this number fits into memory. */
const longestSchedule = 5e7;
