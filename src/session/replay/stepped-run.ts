/** A single run that grows step by step, with undo: of a model, or of a program without states. */
import type { ProcessView, Shown, Step } from "../../model/index.js";
import type { NarratedStep, Narrative } from "../../report/index.js";
import type { Ending } from "./ending.js";

export interface SteppedRun {
  /** The choices taken so far. */
  readonly choices: readonly number[];
  /** Number of possible steps. */
  readonly count: number;
  /** Steps of a run whose length nobody has limited. */
  readonly usualSteps: number;
  /** What it means that the run has ended. */
  readonly endReason: string;
  /** Values of the current state for display. */
  values(): readonly Shown[];
  processes(): readonly ProcessView[];
  /** The reason why the run stops; `open` if it can continue. */
  ending(): Ending;
  describe(choice: number): Step;
  /** Steps are numbered from 1. */
  take(choice: number): NarratedStep;
  /** Undoes the last step; false at the beginning. */
  undo(): boolean;
  /** The run so far. */
  narrative(): Narrative;
}
