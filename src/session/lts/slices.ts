/** Runs a computation in slices, within a budget. */
import { drive, type Stop } from "../../engines/explicit/index.js";
import type { Slices } from "../../engines/lts/index.js";
import type { Budget, Control } from "../../model/index.js";

export async function run<T>(
  slices: Slices<T>,
  budget: Budget,
  control: Control,
): Promise<{ readonly result: T | undefined; readonly stop: Stop | undefined }> {
  let isOutOfRoom = false;
  const task = {
    advance: (quota: number): boolean => {
      isOutOfRoom = slices.bytes > (budget.memoryBytes ?? Infinity);
      return !isOutOfRoom && slices.advance(16 * quota);
    },
    progress: (seconds: number) => ({
      states: slices.handled,
      transitions: 0,
      depth: 0,
      frontier: 0,
      bytes: slices.bytes,
      seconds,
    }),
  };
  const outside = await drive(task, budget, control, performance.now());
  const stop = outside ?? (isOutOfRoom ? "memory" : undefined);
  return { result: stop === undefined ? slices.result() : undefined, stop };
}
