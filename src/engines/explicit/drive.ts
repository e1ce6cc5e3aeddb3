/**
 * The driver of all searches: lets a task advance in slices, and between slices looks at the clock, reports progress,
 * and lets the event loop run, so that Ctrl-C is seen.
 */
import {
  StepTooLong,
  isTimeUp,
  withDeadline,
  type Budget,
  type Control,
  type Progress,
} from "../../model/index.js";
import type { Stop } from "./order.js";

export interface Task {
  /** Does about `quota` units of its work. False when nothing is left to do or it cannot continue. */
  advance(quota: number): boolean;
  progress(seconds: number): Progress;
}

/** Returns why the task was stopped from outside; undefined if it was not stopped. */
export async function drive(
  task: Task,
  budget: Budget,
  control: Control,
  started: number,
): Promise<Stop | undefined> {
  const deadline = started + (budget.timeMs ?? Infinity);
  let quota = FIRST_SLICE;
  let lastYield = started;
  let lastReport = started;
  let now = performance.now();
  for (;;) {
    const sliceStart = now;
    const hasMore = advance(task, quota, deadline);
    now = performance.now();
    if (typeof hasMore === "string") return hasMore;
    // sound: test/engines/explicit/endings.test.ts
    if (!hasMore) return undefined;
    // Systems differ in speed by orders of magnitude: slices are about as long for all.
    if (now - sliceStart > 2 * SLICE_MS) quota = Math.max(1, quota >> 1);
    else if (now - sliceStart < SLICE_MS) quota = Math.min(LARGEST_SLICE, 2 * quota);
    if (now - lastReport >= REPORT_MS) {
      lastReport = now;
      control.onProgress?.(task.progress((now - started) / 1000));
    }
    if (now - lastYield >= YIELD_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      lastYield = now = performance.now();
    }
    // sound: test/engines/explicit/endings.test.ts
    if (control.isStopped?.()) return "interrupted";
    // sound: test/engines/explicit/endings.test.ts
    if (isTimeUp(budget, now, deadline)) return "time";
  }
}

function advance(task: Task, quota: number, deadline: number): boolean | Stop {
  try {
    return withDeadline(deadline, () => task.advance(quota));
  } catch (error) {
    if (error instanceof StepTooLong) return error.stop; // sound: test/engines/explicit/endings.test.ts
    throw error;
  }
}

/** Small, so that a search of slow steps looks at its budget early: it doubles until a slice is long enough. */
const FIRST_SLICE = 16;
const LARGEST_SLICE = 1 << 16;
const SLICE_MS = 5;
const YIELD_MS = 50;
const REPORT_MS = 200;
