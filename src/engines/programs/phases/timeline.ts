/** One run of a task program with a real queue: what its scheduler did, and the lines that were executed, in order. */
import type { Place } from "../../../model/module.js";
import type { TaskProgram } from "../../../model/tasks.js";
import { runConcretely, type ConcreteRun } from "../run.js";
import type { PathState } from "../state.js";
import { DirectProgram, type PhaseStart, type Scheduling } from "./direct.js";
import { eventList, type TaskEvent } from "./events.js";

export type TimelineEntry =
  | { readonly kind: "event"; readonly event: TaskEvent }
  | {
      readonly kind: "line";
      readonly span: Place;
      readonly instance: number;
      readonly handler: string | undefined;
    };

export interface TaskRun {
  readonly run: ConcreteRun;
  readonly entries: readonly TimelineEntry[];
  /** Entries that were left out: only the last lines are kept. */
  readonly omitted: number;
  /** The phase in which the run ended. */
  readonly phase: number;
  /** The phase in which each input was requested. */
  readonly inputPhases: readonly number[];
  readonly starts: readonly PhaseStart[];
}

const KEPT_LINES = 400;

export function runTasks(program: TaskProgram, inputs: readonly bigint[], maxSteps: number): TaskRun {
  const direct = new DirectProgram(program);
  const timeline = new Timeline(program);
  const run = runConcretely(direct, inputs, maxSteps, false, timeline);
  timeline.catchUp();
  return { run, ...timeline.result(), starts: direct.starts };
}

class Timeline {
  readonly #program: TaskProgram;
  #entries: TimelineEntry[] = [];
  #lines = 0;
  #omitted = 0;
  #events = 0;
  #state: PathState | undefined;
  #last: Place | undefined;
  #instance = -1;
  #phase = 1;
  readonly #inputPhases: number[] = [];

  constructor(program: TaskProgram) {
    this.#program = program;
  }

  startRun(): void {
    this.#entries = [];
  }

  note(state: PathState): void {
    this.#state = state;
    this.catchUp();
    const { fn, block, at } = state.frame;
    const scheduling = state.scheduling as Scheduling | undefined;
    if (fn.isLibrary || !scheduling) return;
    const here = fn.blocks[block];
    const span = (here?.instructions[at] ?? here?.end)?.span;
    if (!span || (this.#last?.line === span.line && this.#instance === scheduling.instance)) return;
    this.#last = span;
    this.#instance = scheduling.instance;
    const { instance, handler } = scheduling;
    const name = handler === undefined ? undefined : this.#program.handlers[handler]?.name;
    this.#entries.push({ kind: "line", span, instance, handler: name });
    if (++this.#lines > 2 * KEPT_LINES) this.#forget();
  }

  /** Events stay: they are the schedule. */
  #forget(): void {
    let surplus = this.#lines - KEPT_LINES;
    this.#entries = this.#entries.filter(({ kind }) => kind === "event" || surplus-- <= 0);
    this.#omitted += this.#lines - KEPT_LINES;
    this.#lines = KEPT_LINES;
  }

  catchUp(): void {
    const scheduling = this.#state?.scheduling as Scheduling | undefined;
    while (this.#inputPhases.length < (this.#state?.inputs.length ?? 0)) this.#inputPhases.push(this.#phase);
    this.#phase = scheduling?.phase ?? 1;
    const { events } = scheduling ?? {};
    if (!events || events.count <= this.#events) return;
    for (const event of eventList(events, this.#events)) this.#entries.push({ kind: "event", event });
    this.#events = events.count;
    this.#last = undefined;
  }

  result(): Pick<TaskRun, "entries" | "omitted" | "phase" | "inputPhases"> {
    const scheduling = this.#state?.scheduling as Scheduling | undefined;
    return {
      entries: this.#entries,
      omitted: this.#omitted,
      phase: scheduling?.phase ?? 1,
      inputPhases: this.#inputPhases,
    };
  }
}
