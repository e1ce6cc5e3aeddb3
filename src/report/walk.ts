/**
 * Alternatives along a trace: in each of its states every enabled step, with its effect. A page
 * without a model can then show one step off the trace, anywhere.
 */
import {
  Entry,
  Successors,
  faultSite,
  parseSchedule,
  type MessageEvent,
  type Model,
  type Span,
  type Words,
} from "../model/index.js";
import { nth } from "../model/known.js";
import { changesBetween, type Narrative } from "./narrative.js";

export interface Walk {
  /** By the number of steps before the state; omitted states are absent. */
  readonly states: ReadonlyMap<number, readonly WalkChoice[]>;
  /** States of the trace without a list of enabled steps. */
  readonly leftOut: number;
}

export interface WalkChoice {
  readonly participants: readonly string[];
  readonly action: string;
  readonly sources: readonly Span[];
  readonly changes: ReadonlyMap<string, string | null>;
  readonly messages: readonly MessageEvent[];
  readonly output: string;
  readonly fault: string | undefined;
  /** The next step of the trace. */
  readonly isTaken: boolean;
}

/** Describes at most about `most` characters: the end of the trace first, since the error is there. */
export function walkAlong(model: Model, trace: Narrative, most: number): Walk {
  const choices = parseSchedule(trace.schedule)?.choices ?? [];
  const numbers = new Set([0, ...trace.steps.map(({ number }) => number)]);
  const visited = statesAlong(model, choices, numbers);
  const states = new Map<number, readonly WalkChoice[]>();
  let room = most;
  for (const [number, state] of visited.toReversed()) {
    const found = choicesAt(model, state, choices[number]);
    room -= found.reduce((sum, choice) => sum + sizeOf(choice), 0);
    if (room < 0) break;
    states.set(number, found);
  }
  return { states, leftOut: choices.length + 1 - states.size };
}

/** The described states of the trace, as far as the model follows it. */
function statesAlong(
  { steps }: Model,
  choices: readonly number[],
  numbers: ReadonlySet<number>,
): (readonly [number, Words])[] {
  const out = new Successors(steps.width);
  steps.initial(out);
  if (out.isDead(0)) return [];
  let state = out.stateAt(0);
  const visited: (readonly [number, Words])[] = [[0, state]];
  for (const [index, choice] of choices.entries()) {
    out.clear();
    steps.successors(state, 0, out);
    if (choice >= out.count || out.isDead(choice)) break;
    state = out.stateAt(choice);
    if (numbers.has(index + 1)) visited.push([index + 1, state]);
  }
  return visited;
}

function choicesAt(model: Model, at: Words, taken: number | undefined): WalkChoice[] {
  const { steps, sites } = model;
  const out = new Successors(steps.width, 8);
  steps.successors(at, 0, out);
  const state = widened(at, steps.width);
  const before = steps.snapshot(state, 0);
  return Array.from({ length: out.count }, (_, choice) => {
    const { participants, action, sources, messages, output } = steps.describe(state, 0, choice);
    const flags = nth(out.flags, choice);
    const isDead = (flags & Entry.dead) !== 0;
    const next = out.stateAt(choice);
    const changes = isDead
      ? new Map<string, string | null>()
      : changesBetween(before, steps.snapshot(next, 0));
    const fault = faultSite(flags) < 0 ? undefined : (sites[faultSite(flags)]?.message ?? "an error");
    return { participants, action, sources, messages, output, changes, fault, isTaken: choice === taken };
  });
}

function widened(words: Words, width: number): Words {
  if (words.length >= width) return words;
  const wider = new Int32Array(width);
  wider.set(words);
  return wider;
}

/** Estimated size as JSON. */
function sizeOf({ participants, action, changes, output, fault = "" }: WalkChoice): number {
  let size = 80 + participants.join().length + action.length + output.length + fault.length;
  for (const [name, value] of changes) size += name.length + (value ?? "null").length + 6;
  return size;
}
