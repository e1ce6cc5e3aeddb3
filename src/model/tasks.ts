/**
 * Task programs: C programs of tasks that a queue runs one after the other, with interrupt handlers that may run in between.
 *
 * `src/programs/tasks` recognises one in a `Module` and instruments it: posts, atomic sections and interrupt points become calls of
 * functions whose names begin with `PRIMITIVE`. An engine gives these functions their meaning: a real queue, or the sequential program
 * that runs a posted task at once on guessed variables.
 */
import type { Module, Place } from "./module.js";
import type { Subject } from "./subject.js";

export type QueueMode = "fifo" | "tinyos";
export type InterruptReduction = "none" | "global" | "per-handler";

export interface TaskBounds {
  /** Tasks posted in the last phase are not run. The program starts in phase 1. */
  readonly phases: number;
  /** `tinyos`: a task that is in the queue is not added again. */
  readonly queue: QueueMode;
  readonly reduction: InterruptReduction;
  readonly granularity: "statement" | "access";
  /** Largest number of interrupts at one point. */
  readonly perPoint: number;
  /** Largest number of interrupts at the end of a task, when the processor may sleep. */
  readonly atTaskEnd: number;
  /** Largest number of turns of a loop, each time it is entered. */
  readonly unwind: number;
}

export interface Task {
  readonly name: string;
  readonly span: Place | undefined;
}

export interface Handler extends Task {
  readonly vector: number;
}

/** A guessed variable: bytes that are integers or addresses. */
export interface Slot {
  readonly global: string;
  readonly at: number;
  readonly size: number;
  readonly isPointer: boolean;
  /** Of a pointer: what it may point to, `offset` undefined if it may be any. `undefined`: a variable of a function. */
  readonly targets: readonly { readonly symbol: string | undefined; readonly offset: number | undefined }[];
}

export interface TaskStatistics {
  readonly tasks: readonly string[];
  readonly handlers: readonly string[];
  /** Variables of the program, and those that tasks and handlers access with at least one write. */
  readonly variables: readonly string[];
  readonly raced: readonly string[];
  /** Interrupt points: inserted, and without reduction. */
  readonly points: number;
  readonly pointsWithout: number;
}

export interface TaskProgram {
  /** Instrumented; its `main` is the scheduler. */
  readonly module: Module;
  readonly tasks: readonly Task[];
  readonly handlers: readonly Handler[];
  readonly bounds: TaskBounds;
  /** The variables that some task, handler or `main` may write. */
  readonly slots: readonly Slot[];
  /** The sequential program does not model what these say. */
  readonly notSequential: readonly string[];
  readonly statistics: TaskStatistics;
}

export interface TaskSubject extends Subject {
  readonly kind: "tasks";
  /** The program with other bounds on phases, or another reduction. */
  readonly instrument: (change: Partial<TaskBounds>) => TaskProgram;
  readonly bounds: TaskBounds;
  /** The sequential program in C, or why there is none. */
  readonly exported: () => string | { readonly why: string };
}

export const isTaskSubject = (subject: Subject | undefined): subject is TaskSubject =>
  subject?.kind === "tasks";

/** Functions that the engine provides; no C identifier contains a space. */
export const PRIMITIVE = {
  start: "task start",
  next: "task next",
  argument: "task argument",
  leave: "task leave",
  finish: "task finish",
  post: "task post",
  interrupt: "task interrupt",
  interruptEnd: "task interrupt end",
  atomicBegin: "task atomic begin",
  atomicEnd: "task atomic end",
  enable: "task enable",
  turns: "task turns",
  drain: "task drain",
  sleep: "task sleep",
} as const;

/** Results of a post. */
export const EBUSY = 5;
/** The engine wants the posted task to run at once. */
export const RUN_NOW = 0xffff_ffff;
