/**
 * A trace is a list of choices. Everything else about it (steps, values, lines) is found by replaying the
 * choices through the system, so a trace checks itself, can be shared as a short string, and is an
 * address in the explorer.
 */
import {
  Entry,
  Successors,
  faultSite,
  type Explainer,
  type Shown,
  type Step,
  type System,
  type Words,
} from "./system.js";

export interface Trace {
  readonly choices: readonly number[];
  /** What stands at the end: the fault's site, or -1 when the last state itself is the finding. */
  readonly fault: number;
  /** For a lasso: the step at which the loop begins. */
  readonly loopStart: number | undefined;
}

/** A trace with everything people look at. */
export interface ReplayedTrace {
  readonly schedule: string;
  readonly initial: readonly Shown[];
  readonly steps: readonly ReplayedStep[];
  readonly loopStart: number | undefined;
  /** The state at the end; of a step that failed without a successor, the state before it. */
  readonly final: Words;
}

export interface ReplayedStep extends Step {
  /** Inside an atomic sequence after this step. */
  readonly isIntermediate: boolean;
  readonly fault: number;
  /** Variables whose value differs from before the step, by name; `null` when gone. */
  readonly changes: ReadonlyMap<string, string | null>;
  readonly values: readonly Shown[];
}

/** `0.2.1*3.0`: choices in order, a run of equal choices with its length. */
export function formatSchedule(choices: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < choices.length;) {
    let end = i + 1;
    while (end < choices.length && choices[end] === choices[i]) end++;
    parts.push(end - i > 1 ? `${choices[i]}*${end - i}` : `${choices[i]}`);
    i = end;
  }
  return parts.join(".");
}

/** The choices of a schedule string, or undefined if it is none. */
export function parseSchedule(text: string): number[] | undefined {
  if (text === "") return [];
  const choices: number[] = [];
  for (const part of text.split(".")) {
    const match = /^(\d{1,9})(?:\*(\d{1,9}))?$/.exec(part);
    if (!match) return undefined;
    for (let n = Number(match[2] ?? 1); n > 0; n--) choices.push(Number(match[1]));
  }
  return choices;
}

export type ReplayResult =
  | { readonly kind: "replayed"; readonly trace: ReplayedTrace }
  /** The system does not offer the choice at step `step` (counted from 0). */
  | { readonly kind: "diverged"; readonly step: number; readonly offered: number };

/**
 * Runs the choices through the system, from its first initial state. Choice `i` counts the entries of
 * `successors`, faults included; a fault without a successor ends the trace.
 */
export function replay(system: System, explainer: Explainer, trace: Trace): ReplayResult {
  const out = new Successors(system.width);
  system.initial(out);
  let state = entryWords(out, 0);
  const initial = explainer.snapshot(state, 0);
  let before = initial;
  const steps: ReplayedStep[] = [];
  for (const [index, choice] of trace.choices.entries()) {
    out.clear();
    system.successors(state, 0, out);
    if (choice >= out.count) return { kind: "diverged", step: index, offered: out.count };
    const flags = out.flags[choice]!;
    const isDead = (flags & Entry.dead) !== 0;
    const step = explainer.describe(state, 0, choice);
    if (!isDead) state = entryWords(out, choice);
    const values = isDead ? before : explainer.snapshot(state, 0);
    const isIntermediate = (flags & Entry.intermediate) !== 0;
    steps.push({
      ...step,
      isIntermediate,
      fault: faultSite(flags),
      changes: changes(before, values),
      values,
    });
    before = values;
    if (isDead && index + 1 < trace.choices.length) return { kind: "diverged", step: index + 1, offered: 0 };
  }
  const schedule = formatSchedule(trace.choices);
  return { kind: "replayed", trace: { schedule, initial, steps, loopStart: trace.loopStart, final: state } };
}

const entryWords = (out: Successors, entry: number): Words =>
  out.words.slice(entry * out.stride, (entry + 1) * out.stride);

function changes(before: readonly Shown[], after: readonly Shown[]): ReadonlyMap<string, string | null> {
  const old = new Map(before.map((v) => [v.name, v.value]));
  const changed = new Map<string, string | null>();
  for (const { name, value } of after) {
    if (old.get(name) !== value) changed.set(name, value);
    old.delete(name);
  }
  for (const name of old.keys()) changed.set(name, null);
  return changed;
}
