/** Views of a model for the page: positions as small numbers, only changes. */
import type { Diagnostic, Model, ProcessView, Sources, Span, Words } from "../model/index.js";
import { diagnosticJson, type NarratedStep, type Narration, type Narrative } from "../report/index.js";
import type { Ending } from "../session/index.js";
import type { DiagnosticView, EndingView, Place, StepView, TraceView } from "./protocol.js";

/** Positions in the texts of one model, with the list of files that they refer to. */
export class Places {
  readonly #sources: Sources;
  readonly files: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.files = sources.files();
    this.#numbers = new Map(this.files.map((file, index) => [file, index]));
  }

  of(span: Span): Place {
    const { line, column } = this.#sources.position(span.file, span.start);
    return [this.#numbers.get(span.file) ?? 0, line, column];
  }

  ofProcesses(processes: readonly ProcessView[]): [string, Place][] {
    return processes.map(({ name, span }) => [name, this.of(span)]);
  }
}

export const diagnosticView = (diagnostic: Diagnostic, sources: Sources): DiagnosticView => ({
  ...diagnosticJson(diagnostic, sources),
  start: diagnostic.span.start,
  end: diagnostic.span.end,
});

export function stepView(
  model: Model | undefined,
  step: NarratedStep,
  places: Places,
  moves: StepView["moves"],
): StepView {
  const { number, participants, action, sources, changes, messages, output, isIntermediate, fault } = step;
  return {
    number,
    participants,
    action,
    sources: sources.map((span) => places.of(span)),
    changes: [...changes],
    moves,
    messages,
    output,
    isIntermediate,
    fault: fault < 0 ? null : (model?.sites[fault]?.message ?? "an error"),
  };
}

/** Collects changes of process locations, state by state. */
export class Movements {
  readonly #model: Model;
  readonly #places: Places;
  readonly #all: [string, Place][][] = [];
  #now = new Map<string, Place>();
  #isFirst = true;
  initial: [string, Place][] = [];

  constructor(model: Model, places: Places) {
    this.#model = model;
    this.#places = places;
  }

  readonly note = (state: Words): void => {
    const standing = this.#places.ofProcesses(this.#model.steps.processes(state, 0));
    const moves: [string, Place | null][] = [];
    for (const [name, place] of standing)
      if (this.#now.get(name)?.join() !== place.join()) moves.push([name, place]);
    const alive = new Set(standing.map(([name]) => name));
    for (const name of this.#now.keys()) if (!alive.has(name)) moves.push([name, null]);
    this.#now = new Map(standing);
    if (this.#isFirst) this.initial = standing;
    else this.#all.push(moves as [string, Place][]);
    this.#isFirst = false;
  };

  after(step: number): StepView["moves"] {
    return this.#all[step] ?? [];
  }
}

/** Without a model, the locations of processes are unknown. */
export function traceView(
  model: Model | undefined,
  narrative: Narrative,
  places: Places,
  movements: Movements | undefined,
  about: Pick<TraceView, "mark" | "ending" | "truths">,
): TraceView {
  return {
    ...about,
    files: places.files,
    schedule: narrative.schedule,
    length: narrative.length,
    loopStart: narrative.loopStart ?? null,
    initial: narrative.initial.map(({ name, value }) => [name, value]),
    places: movements?.initial ?? [],
    steps: narrative.steps.map((step, index) => stepView(model, step, places, movements?.after(index) ?? [])),
  };
}

export function endingView(ending: Ending, places: Places): EndingView {
  switch (ending.kind) {
    case "failed": {
      const { span } = ending.property;
      return { kind: "failed", text: ending.reason, ...(span ? { place: places.of(span) } : {}) };
    }
    case "ended":
      return { kind: "ended", text: "the run ends here, as it may" };
    case "open":
      return {
        kind: "open",
        text: `${ending.choices} ${ending.choices === 1 ? "step is" : "steps are"} possible`,
      };
  }
}

export function divergedView(narration: Narration & { readonly kind: "diverged" }): EndingView {
  const { step, offered } = narration;
  const text = `the model offers ${offered === 0 ? "no step" : `only ${offered}`} at step ${step}: the schedule belongs to another model`;
  return { kind: "diverged", text };
}
