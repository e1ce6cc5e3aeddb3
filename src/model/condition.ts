/** What a reduction rests on, tested in a state: a condition that does not hold there is a bug of ours, and no verdict counts. */
import type { ProcessView, Shown } from "./system.js";

export interface BrokenCondition {
  /** Which reduction, by its name. */
  readonly reduction: string;
  /** What does not hold, in words. */
  readonly condition: string;
  /** The state, as traces show it. */
  readonly shown: readonly Shown[];
  readonly processes: readonly ProcessView[];
}
