/**
 * Systems with a drawing render one moment of a run. A picture uses the description of the run, values by name
 * and earlier steps, not the words of a state: so every described run can be drawn.
 * Reports and the explorer depend only on this interface.
 */
import type { MessageEvent } from "../model/index.js";
import { valuesAfter, type Narrative } from "./narrative.js";

export interface Picture {
  /** Title of the picture, in a word or two. */
  readonly title: string;
  /** Prefer the picture to a sequence chart. */
  readonly standsForChart: boolean;
  /** As SVG, every text of the model escaped. */
  draw(scene: Scene): string;
  /** Additional view of a whole run, as HTML. */
  overview?(trace: Narrative): string;
}

/** One moment. Nothing in it is the moment before anything is known. */
export interface Scene {
  readonly title: string;
  readonly values: ReadonlyMap<string, string>;
  /** The values before the last step; absent at the start. */
  readonly before?: ReadonlyMap<string, string> | undefined;
  /** The earlier steps, as far as they are described. */
  readonly steps: readonly SceneStep[];
  /** The property that the run is about, if it is about one. */
  readonly property?: string | undefined;
}

export interface SceneStep {
  readonly number: number;
  readonly participants: readonly string[];
  readonly action: string;
  readonly messages: readonly MessageEvent[];
}

/** Number of described steps. */
export const sceneAt = (
  trace: Narrative,
  position: number,
  about: Pick<Scene, "title" | "property">,
): Scene => ({
  ...about,
  values: valuesAfter(trace, position),
  before: position === 0 ? undefined : valuesAfter(trace, position - 1),
  steps: trace.steps.slice(0, position),
});

export const emptyScene = (about: Pick<Scene, "title" | "property">): Scene => ({
  ...about,
  values: new Map(),
  steps: [],
});
