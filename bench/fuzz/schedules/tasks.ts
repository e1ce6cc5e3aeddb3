/** Random async programs over shared variables, as data and as the text of a test: for comparison with an enumeration. */
import { randomBelow } from "../../../src/model/index.js";

export const joinKinds = ["all", "allSettled", "race", "any"] as const;
export type JoinKind = (typeof joinKinds)[number];

/** `k` is a small constant. */
export type Step =
  /** Waits: a turn of the world, unless the gate is open. */
  | { readonly do: "pause" | "gate" | "tick" }
  | { readonly do: "ask" | "stale" | "tell" | "may" | "fifo" | "sleep" | "caught"; readonly k: number }
  /** Touches of shared variables. */
  | { readonly do: "double" | "push" | "bump" | "throw" | "later"; readonly k: number }
  | { readonly do: "mix" | "open" | "say" | "walk" }
  | { readonly do: "join"; readonly how: JoinKind; readonly parts: readonly (readonly Step[])[] };

export interface TaskProgram {
  /** Of the world: maximum lateness of timers. */
  readonly latenessMs: number;
  readonly how: JoinKind;
  readonly tasks: readonly (readonly Step[])[];
}

type Kind = Step["do"];

const waits: readonly Kind[] = [
  "pause",
  "pause",
  "pause",
  "ask",
  "stale",
  "tell",
  "may",
  "caught",
  "fifo",
  "sleep",
  "sleep",
  "gate",
  "tick",
];
const touches: readonly Kind[] = [
  "double",
  "double",
  "mix",
  "mix",
  "push",
  "push",
  "bump",
  "throw",
  "later",
  "later",
  "open",
  "say",
  "walk",
];

export function makeTasks(seed: number): TaskProgram {
  const below = randomBelow(Math.imul(seed, 0x9e3779b1) | 1);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const step = (kind: Kind): Step => ({ do: kind, k: 1 + below(3) }) as Step;
  const simple = (length: number): Step[] =>
    Array.from({ length }, () => [step(pick(waits)), ...(below(5) > 0 ? [step(pick(touches))] : [])]).flat();
  const task = (length: number): Step[] => {
    if (below(8) > 0) return simple(length);
    const parts = [simple(1), simple(1)];
    return [{ do: "join", how: pick(joinKinds), parts }, step(pick(touches))];
  };
  const shapes = [
    [1, 1],
    [2, 1],
    [2, 2],
    [3, 1],
    [1, 1, 1],
    [2, 1, 1],
  ];
  return {
    latenessMs: pick([0, 1, 2, 10]),
    how: below(2) === 0 ? "all" : pick(joinKinds),
    tasks: pick(shapes).map(task),
  };
}

/** A file with one test for each program, in JavaScript. */
export const fileOfTasks = (programs: readonly (readonly [string, TaskProgram])[]): string =>
  [
    'import { everySchedule } from "everypath/code";',
    ...programs.map(
      ([name, program]) =>
        `everySchedule(${JSON.stringify(name)}, async (world) => {\n${textOf(program)}\n});`,
    ),
  ].join("\n");

/** The body, in JavaScript: shared data, services, tasks, and the end, which prints the data. */
export function textOf({ how, tasks }: TaskProgram): string {
  return `let x = 1, y = 0;
  const log = [];
  let open = () => {};
  const gate = new Promise((resolve) => { open = resolve; });
  const ask = world.service("ask", (k) => x + k, { effect: "completion" });
  const tell = world.service("tell", (k) => void (y += k), { effect: "either" });
  const may = world.service("may", (k) => k, { effect: "call", fails: 1 });
  const fifo = world.service("fifo", (k) => void log.push(k), { effect: "completion", order: "fifo" });
  await ${joinText(how, tasks)}.catch(() => { y = -1; });
  console.log("end " + JSON.stringify([x, y, log]));`;
}

const joinText = (how: JoinKind, parts: readonly (readonly Step[])[]): string =>
  `Promise.${how}([${parts.map((steps) => `(async () => { ${steps.map(stepText).join(" ")} })()`).join(", ")}])`;

function stepText(step: Step): string {
  switch (step.do) {
    case "pause":
      return "await world.pause();";
    case "gate":
      return "await gate;";
    case "tick":
      return "await null;";
    case "ask":
      return `{ const seen = await ask(${step.k}); y = y * 2 + seen; }`;
    case "stale":
      return `x += await ask(${step.k});`;
    case "tell":
      return `await tell(${step.k});`;
    case "may":
      return `await may(${step.k});`;
    case "caught":
      return `try { await may(${step.k}); } catch { x -= ${step.k}; }`;
    case "fifo":
      return `await fifo(${step.k});`;
    case "sleep":
      return `await world.sleep(${step.k});`;
    case "double":
      return `x = x * 2 + ${step.k};`;
    case "push":
      return `log.push(${step.k});`;
    case "bump":
      return `if (x > ${step.k}) y++;`;
    case "throw":
      return `if (y > ${3 * step.k}) throw new Error("too much");`;
    case "later":
      return `setTimeout(() => { y = y * 2 + ${step.k}; console.log("late " + y); }, ${step.k});`;
    case "mix":
      return "y = y * 3 + x;";
    case "open":
      return "open();";
    case "say":
      return 'console.log("say " + x);';
    case "walk":
      return "for (const v of log) { await world.pause(); y = y * 3 + v; }";
    case "join":
      return `await ${joinText(step.how, step.parts)};`;
  }
}
