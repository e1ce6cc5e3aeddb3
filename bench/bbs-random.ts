/**
 * Random task programs, with an interpreter of their own that visits every run: interrupts before every statement and at the end of every task.
 * The interpreter shares no code with the back ends.
 */
import type { TaskBounds } from "../src/model/tasks.js";
import { runSequential, sequentialC } from "../src/programs/index.js";
import { leastPhase, taskProgramOf } from "./bbs-run.js";

type Statement =
  | { readonly kind: "set"; readonly to: number; readonly value: number }
  | { readonly kind: "copy"; readonly to: number; readonly from: number }
  | { readonly kind: "step"; readonly to: number }
  | {
      readonly kind: "assert" | "assume";
      readonly variable: number;
      readonly isNot: boolean;
      readonly value: number;
    }
  | {
      readonly kind: "if";
      readonly variable: number;
      readonly value: number;
      readonly body: readonly Statement[];
    }
  | { readonly kind: "post"; readonly task: number; readonly result: number | undefined }
  | { readonly kind: "atomic"; readonly body: readonly Statement[] };

export interface RandomTasks {
  readonly seed: number;
  readonly text: string;
  readonly variables: number;
  readonly main: readonly Statement[];
  readonly tasks: readonly (readonly Statement[])[];
  readonly handlers: readonly (readonly Statement[])[];
}

/** Deterministic: mulberry32. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export function randomTasks(seed: number): RandomTasks {
  const below = generator(seed * 7919 + 17);
  const variables = 1 + below(2);
  const taskCount = 1 + below(2);
  const handlerCount = below(2);
  const statement = (depth: number, isHandler: boolean): Statement => {
    const variable = below(variables);
    switch (below(depth > 0 ? 6 : isHandler ? 7 : 9)) {
      case 0:
        return { kind: "set", to: variable, value: below(3) };
      case 1:
        return { kind: "step", to: variable };
      case 2:
        return { kind: "copy", to: variable, from: below(variables) };
      case 3:
        return { kind: below(4) === 0 ? "assume" : "assert", variable, isNot: true, value: below(3) };
      case 4:
      case 5:
        return { kind: "post", task: below(taskCount), result: below(3) === 0 ? variable : undefined };
      case 6:
        return { kind: "if", variable, value: below(3), body: [statement(1, isHandler)] };
      case 7:
        return { kind: "assert", variable, isNot: true, value: below(3) };
      default:
        return { kind: "atomic", body: [statement(1, isHandler), statement(1, isHandler)] };
    }
  };
  const body = (most: number, isHandler: boolean): Statement[] =>
    Array.from({ length: 1 + below(most) }, () => statement(0, isHandler));
  const program = {
    seed,
    variables,
    main: body(3, false),
    tasks: Array.from({ length: taskCount }, () => body(3, false)),
    handlers: Array.from({ length: handlerCount }, () => body(2, true)),
  };
  return { ...program, text: textOf(program) };
}

const name = (variable: number): string => "xyz"[variable] ?? "x";

function statementText(statement: Statement): string {
  switch (statement.kind) {
    case "set":
      return `${name(statement.to)} = ${statement.value};`;
    case "copy":
      return `${name(statement.to)} = ${name(statement.from)};`;
    case "step":
      return `${name(statement.to)} = (${name(statement.to)} + 1) % 3;`;
    case "assert":
      return `assert(${name(statement.variable)} ${statement.isNot ? "!=" : "=="} ${statement.value});`;
    case "assume":
      return `__assume(${name(statement.variable)} ${statement.isNot ? "!=" : "=="} ${statement.value});`;
    case "if":
      return `if (${name(statement.variable)} == ${statement.value}) { ${statement.body.map(statementText).join(" ")} }`;
    case "post":
      return statement.result === undefined
        ? `__post(t${statement.task});`
        : `${name(statement.result)} = __post(t${statement.task}) ? 1 : 0;`;
    case "atomic":
      return `__atomic { ${statement.body.map(statementText).join(" ")} }`;
  }
}

const textOf = ({ variables, main, tasks, handlers }: Omit<RandomTasks, "text">): string =>
  [
    `unsigned char ${Array.from({ length: variables }, (_, index) => name(index)).join(", ")};`,
    ...tasks.map((_, index) => `__task void t${index}(void);`),
    ...tasks.map((body, index) => `__task void t${index}(void) { ${body.map(statementText).join("\n  ")} }`),
    ...handlers.map(
      (body, index) =>
        `__interrupt(${index + 1}) void h${index}(void) { ${body.map(statementText).join(" ")} }`,
    ),
    `int main(void) { ${main.map(statementText).join("\n  ")} return 0; }`,
    "",
  ].join("\n");

/** One action of a run: a test ends or blocks it, a branch chooses what follows. */
interface Frame {
  readonly rest: readonly Statement[];
  readonly isHandler: boolean;
  readonly atomic: boolean;
}

interface State {
  readonly values: readonly number[];
  readonly frames: readonly Frame[];
  readonly phase: number;
  readonly queue: readonly { readonly task: number; readonly phase: number }[];
  /** An interrupt has arrived at this point already. */
  readonly hasArrived: boolean;
}

/** The smallest phase of an error in any run, by visiting all of them. */
export function referencePhase(
  program: RandomTasks,
  { phases, queue, perPoint, atTaskEnd }: Pick<TaskBounds, "phases" | "queue" | "perPoint" | "atTaskEnd">,
): number | undefined {
  let least: number | undefined;
  const visited = new Set<string>();
  const waiting: State[] = [
    {
      values: Array.from({ length: program.variables }, () => 0),
      frames: [{ rest: program.main, isHandler: false, atomic: false }],
      phase: 1,
      queue: [],
      hasArrived: false,
    },
  ];
  const go = (state: State): void => {
    const key = JSON.stringify(state);
    if (visited.has(key)) return;
    visited.add(key);
    waiting.push(state);
  };
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const frame = state.frames.at(-1);
    if (!frame) continue;
    const { rest, isHandler, atomic } = frame;
    const [first, ...after] = rest;
    const isPoint = !isHandler && !atomic && !state.hasArrived && (first ? perPoint : atTaskEnd) > 0;
    if (isPoint)
      for (const body of program.handlers)
        go({
          ...state,
          frames: [...state.frames, { rest: body, isHandler: true, atomic: false }],
          hasArrived: true,
        });
    const below = state.frames.slice(0, -1);
    if (!first) {
      if (isHandler || atomic)
        go({ ...state, frames: below, hasArrived: isHandler ? state.hasArrived : false });
      else nextTask(state, program, go);
      continue;
    }
    const next: State = {
      ...state,
      frames: [...below, { ...frame, rest: after }],
      hasArrived: isHandler ? state.hasArrived : false,
    };
    const value = "variable" in first ? (state.values[first.variable] ?? 0) : 0;
    const set = (to: number, number: number): readonly number[] =>
      state.values.map((old, index) => (index === to ? number : old));
    switch (first.kind) {
      case "set":
        go({ ...next, values: set(first.to, first.value) });
        break;
      case "copy":
        go({ ...next, values: set(first.to, state.values[first.from] ?? 0) });
        break;
      case "step":
        go({ ...next, values: set(first.to, ((state.values[first.to] ?? 0) + 1) % 3) });
        break;
      case "assert":
        if ((value === first.value) === first.isNot) least = Math.min(least ?? state.phase, state.phase);
        else go(next);
        break;
      case "assume":
        if ((value === first.value) !== first.isNot) go(next);
        break;
      case "if":
        go(
          value === first.value
            ? { ...next, frames: [...below, { ...frame, rest: [...first.body, ...after] }] }
            : next,
        );
        break;
      case "atomic":
        go({ ...next, frames: [...next.frames, { rest: first.body, isHandler, atomic: true }] });
        break;
      case "post": {
        const isBusy = queue === "tinyos" && state.queue.some(({ task }) => task === first.task);
        const posted = isBusy ? state.queue : [...state.queue, { task: first.task, phase: state.phase + 1 }];
        const values = first.result === undefined ? state.values : set(first.result, isBusy ? 1 : 0);
        go({ ...next, queue: posted, values });
      }
    }
  }
  return least;

  function nextTask(state: State, { tasks }: RandomTasks, then: (state: State) => void): void {
    const [first, ...others] = state.queue;
    if (!first || first.phase > phases) return;
    const frames = [{ rest: tasks[first.task] ?? [], isHandler: false, atomic: false }];
    then({ values: state.values, frames, phase: first.phase, queue: others, hasArrived: false });
  }
}

/** The smallest phase by trying every guess and input of the exported program, compiled. */
export function nativePhase(text: string): number | undefined | string {
  const ran = runSequential(text, {}, { EVERYPATH_DOMAIN: "3" });
  if ("problem" in ran) return ran.problem;
  const least = Number(/least phase (\d+)/.exec(ran.output)?.[1] ?? NaN);
  return least === 0 ? undefined : least;
}

/** What differs between the back ends and the interpreter; nothing: they agree. */
export function compareBackEnds(program: RandomTasks, withNative = true): string[] {
  const instrument = taskProgramOf(program.text);
  const differences: string[] = [];
  for (const queue of ["fifo", "tinyos"] as const)
    for (let phases = 1; phases <= 3; phases++) {
      const bounds = { phases, queue, perPoint: 1, atTaskEnd: 1 };
      const expected = referencePhase(program, bounds);
      const note = (who: string, obtained: unknown): void => {
        if (obtained !== expected)
          differences.push(
            `seed ${program.seed}, ${queue}, L = ${phases}: expected ${expected}, ${who} ${String(obtained)}`,
          );
      };
      if (phases === 3)
        for (const reduction of ["none", "global", "per-handler"] as const) {
          const { phase, open } = leastPhase(instrument, "direct", { ...bounds, reduction });
          note(`direct, ${reduction}`, open ?? phase);
        }
      if (phases > 2) continue;
      const { phase, open } = leastPhase(instrument, "sequential", bounds, 4_000);
      if (open === undefined || !open.includes("paths were explored")) note("sequential", open ?? phase);
      if (!withNative) continue;
      const text = sequentialC(instrument(bounds), "gcc");
      note("exported", typeof text === "string" ? nativePhase(text) : text.why);
    }
  return differences;
}
