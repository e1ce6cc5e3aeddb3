/**
 * Systems that can be drawn say how they look at one moment of a run. A picture is made of what is told of the run, values by name
 * and the steps before, and not of the words of a state: so whatever can be told can be drawn, whoever tells it.
 * Reports and the explorer know pictures by this interface alone.
 */
import type { MessageEvent } from "../model/index.js";
import { valuesAfter, type Narrative } from "./narrative.js";

export interface Picture {
  /** What it is a picture of, in a word or two. */
  readonly title: string;
  /** The run has no better drawing: no sequence chart is drawn where one is asked for. */
  readonly standsForChart: boolean;
  /** As SVG, every text of the model escaped. */
  draw(scene: Scene): string;
  /** What else is worth seeing of a whole run, as HTML. */
  overview?(trace: Narrative): string;
}

/** One moment. Nothing in it is the moment before anything is known. */
export interface Scene {
  readonly title: string;
  readonly values: ReadonlyMap<string, string>;
  /** The values before the last step; absent at the start. */
  readonly before?: ReadonlyMap<string, string> | undefined;
  /** The steps that led here, as far as they are told. */
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

/** After that many told steps. */
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
