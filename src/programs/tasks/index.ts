/**
 * Task programs in C: tasks that a queue runs one after the other, and interrupt handlers. In: the module of a text that `dialect.ts` has
 * prepared. Out: a `TaskProgram`.
 *
 * Read `recognise.ts` first (tasks, handlers, posts), then `instrument.ts` (points at which interrupts arrive), with `statements.ts`,
 * `effects.ts` and `points-to.ts` for the question which points are needed; `export.ts` prints the sequential program in C.
 *
 * Always true: an instrumented module behaves like the program under the scheduler that its engine provides, but for the bounds.
 */
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Module } from "../../model/module.js";
import type { TaskBounds, TaskProgram } from "../../model/tasks.js";
import type { TaskDialect } from "./dialect.js";
import { instrument } from "./instrument.js";
import { recognise, TaskProblem } from "./recognise.js";

export { includesHeader, TASK_HEADER, type TaskDialect } from "./dialect.js";
export { sequentialC } from "./export.js";
export { replaySequential, runSequential, type QueuedRun } from "./native.js";
export { settingProblem, SETTINGS_HINT, taskSettings, type TaskSettings } from "./settings.js";

/** The program with any bounds, or diagnostics. */
export function taskProgram(
  module: Module,
  dialect: TaskDialect,
  file: string,
):
  | { readonly instrument: (bounds: TaskBounds) => TaskProgram }
  | { readonly diagnostics: readonly Diagnostic[] } {
  try {
    const recognised = recognise(module, dialect === "nescc");
    return { instrument: (bounds) => instrument(recognised, bounds) };
  } catch (problem) {
    if (!(problem instanceof TaskProblem)) throw problem;
    const { code, message, span, hint } = problem;
    return {
      diagnostics: [
        {
          code,
          severity: "error",
          message,
          span: span ?? { file, start: 0, end: 0 },
          ...(hint === undefined ? {} : { hint }),
        },
      ],
    };
  }
}
