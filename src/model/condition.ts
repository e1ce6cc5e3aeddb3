/** Soundness condition of a reduction, tested in a state. A violation is an internal error and invalidates all verdicts. */
import type { ProcessView, Shown } from "./system.js";

export interface BrokenCondition {
  /** Which reduction, by its name. */
  readonly reduction: string;
  /** Description of the violated condition. */
  readonly condition: string;
  /** The state, as traces show it. */
  readonly shown: readonly Shown[];
  readonly processes: readonly ProcessView[];
}
