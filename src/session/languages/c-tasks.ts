/** Task programs in C: a subject for the engines that explore them phase by phase, and replay with a real queue. */
import { runTasks } from "../../engines/programs/index.js";
import { parseSchedule, type Property } from "../../model/index.js";
import type { Module } from "../../model/module.js";
import type { TaskBounds, TaskProgram, TaskSubject } from "../../model/tasks.js";
import {
  includesHeader,
  replaySequential,
  sequentialC,
  taskProgram,
  taskSettings,
  type TaskSettings,
} from "../../programs/index.js";
import { errorProperty, errorReason, taskNarrative } from "../../report/index.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import { taskPrograms } from "../declarations.js";

/** Undefined: the text is an ordinary program. */
export const settingsOf = (text: string, tasks: readonly string[] | undefined): TaskSettings | undefined =>
  tasks !== undefined || includesHeader(text) ? taskSettings(tasks ?? []) : undefined;

export function loadTasks(
  module: Module,
  { dialect, bounds, flavour }: TaskSettings,
  file: string,
  properties: readonly Property[],
  sources: LoadOptions["sources"],
): Loaded {
  const found = taskProgram(module, dialect, file);
  if ("diagnostics" in found) return { model: undefined, unsupported: [], diagnostics: found.diagnostics };
  const known = new Map<string, TaskProgram>();
  const subject: TaskSubject = {
    kind: "tasks",
    properties,
    bounds,
    instrument: (change) => {
      const all: TaskBounds = { ...bounds, ...change };
      const key = JSON.stringify(all);
      const program = known.get(key) ?? found.instrument(all);
      known.set(key, program);
      return program;
    },
    exported: () => sequentialC(subject.instrument({}), flavour),
  };
  return {
    model: undefined,
    subject,
    unsupported: [],
    accepts: taskPrograms,
    diagnostics:
      dialect === "nescc"
        ? [
            {
              code: "c/target",
              severity: "note",
              message:
                "integers and pointers have the sizes of x86-64 Linux, not of the processor of the sensor node",
              span: { file, start: 0, end: 0 },
            },
          ]
        : [],
    replay: async (request) => replayed(subject, properties, sources, request),
  };
}

type Replay = NonNullable<Loaded["replay"]>;
const MOST_STEPS = 1e8;

async function replayed(
  subject: TaskSubject,
  properties: readonly Property[],
  sources: LoadOptions["sources"],
  request: Parameters<Replay>[0],
): ReturnType<Replay> {
  if (!("schedule" in request)) return { problem: "a task program is replayed by a schedule" };
  if (request.property !== undefined)
    return { problem: "--property is for test files: a program has one run" };
  const parsed = parseSchedule(request.schedule);
  if (!parsed || parsed.choices.length > 0 || parsed.loopStart !== undefined)
    return { problem: `'${request.schedule.slice(0, 40)}' is not a list of inputs` };
  const inputs = (parsed.inputs ?? []).map(BigInt);
  const program = subject.instrument({});
  const shown = runTasks(program, inputs, MOST_STEPS);
  const { run, phase } = shown;
  const { end } = run;
  if (run.isLonger) return { problem: "the schedule has more inputs than the program requests" };
  if (end?.kind === "dropped")
    return { problem: "the schedule lacks inputs, or an assumption is false for them" };
  if (end?.kind === "unsupported") return { problem: `the run reaches ${end.what}` };
  if (end === undefined) return { problem: `the run has not ended after ${MOST_STEPS} instructions` };
  const trace = taskNarrative({ ...shown, inputs: run.inputs }, inputs, sources);
  const wanted = request.expected?.property.name;
  const error = end.kind === "error" ? end.error : undefined;
  const found = error && properties.find(({ kind }) => kind === errorProperty(error));
  if (!error || !found || (wanted !== undefined && found.name !== wanted))
    return {
      outcome: wanted === undefined ? "passed" : "diverged",
      reason: "the run ends without an error",
      property: undefined,
      trace,
    };
  const reason = `${errorReason(error, sources)}, in phase ${phase}`;
  const judged = { outcome: "failed" as const, reason, property: found, trace };
  if (request.isNative !== true) return judged;
  const native = replaySequential(program, shown);
  if ("problem" in native) return native;
  // sound: test/session/bbs.test.ts
  return native.outcome === "same"
    ? { ...judged, reason: `${reason}; natively, ${native.report}`, native }
    : { ...judged, outcome: "diverged", reason: `natively not seen (${native.report}): ${reason}`, native };
}
