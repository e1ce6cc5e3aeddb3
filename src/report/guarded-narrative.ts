/** Runs of guarded commands: as schedules, and as narratives. */
import {
  formatSchedule,
  isTrue,
  parseSchedule,
  statesOf,
  inputsOf,
  type GuardedProgram,
  type GuardedProperty,
  type GuardedRun,
  type GuardedState,
  type Shown,
} from "../model/index.js";
import { changesBetween, type NarratedStep, type Narrative } from "./narrative.js";

/** A choice counts the enabled transitions; inputs are the undefined initial values, then those of the steps. */
export function scheduleOf(
  program: GuardedProgram,
  run: GuardedRun,
): { readonly choices: number[]; readonly inputs: string[] } {
  const states = statesOf(program, run) ?? [];
  const choices = run.steps.map(({ transition }, step) =>
    enabledIn(program, states[step] ?? []).indexOf(transition),
  );
  const open = program.variables.flatMap(({ initial }, index) =>
    initial === undefined ? [`${run.first[index]}`] : [],
  );
  return { choices, inputs: [...open, ...run.steps.flatMap(({ inputs }) => inputs.map(String))] };
}

const enabledIn = ({ transitions }: GuardedProgram, state: GuardedState): number[] =>
  transitions.flatMap(({ guard }, index) => (isTrue(guard, state) ? [index] : []));

/** The run of a schedule, or the reason why there is none. */
export function runOfSchedule(
  program: GuardedProgram,
  schedule: string,
): GuardedRun | { readonly problem: string } {
  const parsed = parseSchedule(schedule);
  if (!parsed || parsed.loopStart !== undefined)
    return { problem: `'${schedule.slice(0, 40)}' is not a schedule` };
  const inputs = (parsed.inputs ?? []).map(BigInt);
  const take = (): bigint | undefined => inputs.shift();
  const first = program.variables.map(({ initial }) => initial ?? take());
  if (!isFull(first)) return { problem: "the schedule lacks inputs: a value for every undefined variable" };
  const steps: { transition: number; inputs: bigint[] }[] = [];
  for (const choice of parsed.choices) {
    const state = statesOf(program, { first, steps })?.at(-1);
    if (!state) return { problem: "its initial values do not satisfy the initial condition" };
    const transition = enabledIn(program, state)[choice];
    const taken = transition === undefined ? undefined : program.transitions[transition];
    if (transition === undefined || !taken)
      return { problem: `the program offers no choice ${choice} at step ${steps.length + 1}` };
    const given = Array.from({ length: inputsOf(taken) }, take);
    if (!isFull(given)) return { problem: `the schedule lacks inputs at step ${steps.length + 1}` };
    steps.push({ transition, inputs: given });
  }
  if (inputs.length > 0) return { problem: "the schedule has more inputs than the run takes" };
  if (!statesOf(program, { first, steps }))
    return { problem: "its initial values do not satisfy the initial condition" };
  return { first, steps };
}

const isFull = (values: (bigint | undefined)[]): values is bigint[] =>
  values.every((value) => value !== undefined);

/** `textOf`: the source of a transition. */
export function guardedNarrative(
  program: GuardedProgram,
  run: GuardedRun,
  textOf: (transition: number) => string,
): Narrative {
  const states = (statesOf(program, run) ?? []).map((state) => shownOf(program, state));
  const { choices, inputs } = scheduleOf(program, run);
  const steps = run.steps.map(({ transition, inputs: taken }, index): NarratedStep => {
    const { process = "", span } = program.transitions[transition] ?? {};
    const with_ = taken.length > 0 ? ` (input ${taken.join(", ")})` : "";
    return {
      number: index + 1,
      participants: [process],
      action: `${textOf(transition)}${with_}`,
      sources: span ? [span] : [],
      messages: [],
      output: "",
      isIntermediate: false,
      fault: -1,
      changes: changesBetween(states[index] ?? [], states[index + 1] ?? []),
    };
  });
  return {
    schedule: formatSchedule(choices, undefined, inputs),
    length: steps.length,
    initial: states[0] ?? [],
    steps,
    fault: -1,
    loopStart: undefined,
    inputs,
    final: { words: new Int32Array(0), values: states.at(-1) ?? [], processes: [] },
  };
}

const shownOf = ({ variables }: GuardedProgram, state: GuardedState): Shown[] =>
  variables.map(({ name }, index) => ({ name, value: `${state[index] ?? ""}` }));

/** A violation in words. */
export const guardedReason = ({ asks, name, kind }: GuardedProperty): string =>
  kind === "assertion"
    ? "an assertion is violated"
    : kind === "deadlock"
      ? "deadlock: no process can move, and not all are at a valid end"
      : asks === "reach"
        ? `reachable: ${name}`
        : asks === "error"
          ? `the error ${name} is reachable`
          : `${name} does not hold`;

/** A transition as it is written in `text`, on one line; values that stand for `nondet` follow. */
export function transitionText(
  { transitions, variables }: GuardedProgram,
  text: string,
  transition: number,
): string {
  const { span, process, assignments = [], text: own } = transitions[transition] ?? {};
  if (!span || own !== undefined) return own ?? "";
  const others = transitions.filter((each) => each.span.start === span.start && each.process === process);
  const chosen = assignments.flatMap(({ variable, value }, index) =>
    value !== "nondet" &&
    value.parts.length === 0 &&
    others.some((other) => {
      const given = other.assignments[index]?.value;
      return given !== undefined && given !== "nondet" && given.constant !== value.constant;
    })
      ? [`${variables[variable]?.name ?? ""} = ${value.constant}`]
      : [],
  );
  const written = text.slice(span.start, span.end).replace(/\s+/g, " ");
  return chosen.length > 0 ? `${written} (${chosen.join(", ")})` : written;
}
