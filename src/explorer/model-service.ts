/**
 * Answers queries about one model, in a thread or, if the model is code, in a separate process: its contents, the end of a schedule, the enabled steps, its graph.
 * It keeps the model until the text changes.
 */
import { hasErrors, parseSchedule, type Model, type Sources, type Words } from "../model/index.js";
import { narrate, type Scene } from "../report/index.js";
import {
  inspect,
  load,
  registry,
  type LoadedInput,
  type ModelOptions,
  type Registry,
} from "../session/index.js";
import { endingOf, shows } from "../session/replay/ending.js";
import { CannotAnswer } from "./cannot-answer.js";
import { automatonView } from "./automaton-view.js";
import { controlView } from "./control-view.js";
import { graphView } from "./graph.js";
import { mentions, valuesMention } from "./mentions.js";
import { Project, markOf } from "./project.js";
import type {
  AnotherRequest,
  AnotherView,
  AutomatonView,
  ControlView,
  EndingView,
  FindRequest,
  FoundView,
  GraphRequest,
  GraphView,
  LoadedView,
  PassingView,
  PictureRequest,
  PictureView,
  StandingView,
  TraceView,
  WalkView,
} from "./protocol.js";
import type { ModelSource } from "./threads.js";
import { Movements, Places, diagnosticView, divergedView, endingView, stepView, traceView } from "./views.js";
import { Truths } from "./truths.js";
import { Walker } from "./walker.js";
import { another, passing } from "./why.js";

/** Every question with its answer. */
export interface ModelQuestions {
  /** The text of the file, or unsaved text. */
  load: { readonly asks: { readonly text?: string }; readonly answers: LoadedView };
  trace: {
    readonly asks: { readonly schedule: string; readonly around?: number };
    readonly answers: TraceView;
  };
  find: { readonly asks: FindRequest; readonly answers: FoundView };
  walk: { readonly asks: { readonly schedule: string }; readonly answers: WalkView };
  /** Walks at random, until an event or for a number of steps. */
  wander: {
    readonly asks: { readonly schedule: string; readonly steps: number; readonly seed: number };
    readonly answers: WalkView;
  };
  graph: { readonly asks: GraphRequest; readonly answers: GraphView };
  picture: { readonly asks: PictureRequest; readonly answers: PictureView };
  automaton: { readonly asks: { readonly property: string }; readonly answers: AutomatonView };
  another: { readonly asks: AnotherRequest; readonly answers: AnotherView };
  passing: { readonly asks: { readonly schedule: string }; readonly answers: PassingView };
  control: { readonly asks: Record<string, never>; readonly answers: ControlView };
  standing: { readonly asks: { readonly schedule: string }; readonly answers: StandingView };
}

export type Question = keyof ModelQuestions;

export interface Asked<Q extends Question = Question> {
  readonly id: number;
  readonly question: Q;
  readonly asks: ModelQuestions[Q]["asks"];
}

/** `error` is a message for the user. `bug` is an internal error. */
export type Answered =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string; readonly isBug: boolean };

/** Transport of queries and answers. */
export interface ModelPort {
  on(event: "message", listen: (asked: Asked) => void): unknown;
  postMessage(answered: Answered): void;
}

/** Source of the model. */
export interface ModelShelf {
  readonly project: Pick<Project, "input" | "draft">;
  readonly registry: Registry;
  /** The caller ensures that the text equals the file on disk. */
  readonly isFixed: boolean;
}

/** The files of the project, unchanged. */
export const openShelf = ({ file, startedIn }: ModelSource): ModelShelf => ({
  project: new Project(file, startedIn),
  registry,
  isFixed: false,
});

export function serveModel(
  port: ModelPort,
  { options }: Pick<ModelSource, "options">,
  shelf: ModelShelf,
): void {
  const desk = new Desk(options, shelf);
  port.on("message", (asked: Asked) => {
    void desk
      .answer(asked)
      .then((answer) => port.postMessage({ id: asked.id, answer } satisfies Answered))
      .catch((error: unknown) => {
        const { message } = error instanceof Error ? error : new Error(String(error));
        const isBug = !(error instanceof CannotAnswer);
        port.postMessage({ id: asked.id, error: message, isBug } satisfies Answered);
      });
  });
}

class Desk {
  readonly #shelf: ModelShelf;
  readonly #options: ModelOptions;
  #open: Opened | undefined;

  constructor(options: ModelOptions, shelf: ModelShelf) {
    this.#options = options;
    this.#shelf = shelf;
  }

  async answer({ question, asks }: Asked): Promise<unknown> {
    switch (question) {
      case "load":
        return this.#load((asks as ModelQuestions["load"]["asks"]).text);
      case "trace":
        return this.#traceOf(asks as ModelQuestions["trace"]["asks"]);
      case "find":
        return findIn(await this.#stepped(), asks as FindRequest);
      case "walk":
        return (await this.#stepped()).walker.at(scheduleOf(asks as { schedule: string }).choices);
      case "wander": {
        const { steps, seed, ...rest } = asks as ModelQuestions["wander"]["asks"];
        return (await this.#stepped()).walker.wander(scheduleOf(rest).choices, steps, seed);
      }
      case "graph": {
        const { model, sources, mark } = await this.#stepped();
        const request = asks as GraphRequest;
        const { choices } = scheduleOf(request);
        const { choices: along } = scheduleOf({ schedule: request.trace ?? "" });
        return graphView(model, new Places(sources), choices, request.limit, mark, along);
      }
      case "picture":
        return this.#picture(asks as PictureRequest);
      case "automaton":
        return automatonView((await this.#stepped()).model, (asks as { property: string }).property);
      case "another": {
        const { known: shown } = asks as AnotherRequest;
        return another((await this.#stepped()).model, shown.map(finiteOf));
      }
      case "passing":
        return passing((await this.#stepped()).model, finiteOf((asks as { schedule: string }).schedule));
      case "control": {
        const { model, sources } = await this.#stepped();
        return controlView(model, new Places(sources));
      }
      case "standing":
        return (await this.#stepped()).walker.standing(scheduleOf(asks as { schedule: string }).choices);
    }
  }

  async #picture(request: PictureRequest): Promise<PictureView> {
    const open = await this.#opened();
    const { userPicture } = open.loaded;
    if (!userPicture) return drawn(open, request);
    const { walker } = await this.#stepped();
    try {
      const words = walker.words(scheduleOf(request).choices);
      return { untrusted: (words && userPicture(words)) ?? null };
    } catch (error) {
      throw new CannotAnswer(error instanceof Error ? error.message : String(error));
    }
  }

  async #load(draft: string | undefined): Promise<LoadedView> {
    const { project, registry: known } = this.#shelf;
    const input = draft === undefined ? project.input() : project.draft(draft);
    if ("error" in input) throw new CannotAnswer(input.error);
    const read = draft === undefined ? load : inspect;
    return loadedView(await read(input, this.#options, known), markOf(input.text));
  }

  async #traceOf({ schedule, around }: ModelQuestions["trace"]["asks"]): Promise<TraceView> {
    const { loaded, mark } = await this.#opened();
    if (!loaded.replay) return traceViewOf(await this.#stepped(), scheduleOf({ schedule }), around);
    const judged = await loaded.replay({ schedule });
    if ("problem" in judged) throw new CannotAnswer(judged.problem);
    if (!judged.trace) throw new CannotAnswer(judged.reason);
    const kind = judged.outcome === "passed" ? "ended" : judged.outcome;
    return traceView(undefined, judged.trace, new Places(loaded.sources), undefined, {
      mark,
      ending: { kind, text: judged.reason },
    });
  }

  /** Loads the current text from disk. */
  async #opened(): Promise<Opened> {
    const { project, registry: known, isFixed } = this.#shelf;
    if (isFixed && this.#open) return this.#open;
    const input = project.input();
    if ("error" in input) throw new CannotAnswer(input.error);
    const { sources } = this.#open?.loaded ?? {};
    const isSame =
      sources?.files().every((file) => {
        const now = file === input.file ? input.text : input.readFile?.(file);
        return now === sources.text(file);
      }) ?? false;
    if (isSame && this.#open) return this.#open;
    this.#open = undefined;
    const loaded = await load(input, this.#options, known);
    if (hasErrors(loaded.diagnostics))
      throw new CannotAnswer("the model has errors: the Run view shows them");
    this.#open = { loaded, mark: markOf(input.text), stepped: undefined };
    return this.#open;
  }

  /** Its states, if it has any. */
  async #stepped(): Promise<Stepped> {
    const open = await this.#opened();
    const { model, sources, language } = open.loaded;
    if (!model) throw new CannotAnswer(`${language} has no states to step through`);
    const walker = (): Walker => new Walker(model, new Places(sources), open.mark);
    return (open.stepped ??= { model, sources, mark: open.mark, walker: walker() });
  }
}

interface Opened {
  readonly loaded: LoadedInput;
  readonly mark: string;
  stepped: Stepped | undefined;
}

interface Stepped {
  readonly model: Model;
  readonly sources: Sources;
  readonly mark: string;
  readonly walker: Walker;
}

function drawn({ loaded }: Opened, { values, before, steps }: PictureRequest): PictureView {
  const { picture, language } = loaded;
  if (!picture) throw new CannotAnswer(`${language} is not drawn`);
  const scene: Scene = {
    title: picture.title,
    values: new Map(values),
    before: before ? new Map(before) : undefined,
    steps,
  };
  return { svg: picture.draw(scene) };
}

function scheduleOf({
  schedule,
}: {
  readonly schedule: string;
}): NonNullable<ReturnType<typeof parseSchedule>> {
  const run = parseSchedule(schedule);
  if (!run) throw new CannotAnswer(`'${schedule.slice(0, 40)}' is not a schedule`);
  if (run.choices.length > LONGEST) throw new CannotAnswer("the schedule is too long to be walked here");
  return run;
}

/** Of a run that ends: a loop is about infinite executions. */
function finiteOf(schedule: string): readonly number[] {
  const { choices, loopStart } = scheduleOf({ schedule });
  if (loopStart === undefined) return choices;
  throw new CannotAnswer("this trace is a loop; only traces that end are compared with others");
}

/** Half a million steps are rendered in a few seconds; use `everypath replay` for more. */
const LONGEST = 500_000;

function loadedView(loaded: LoadedInput, mark: string): LoadedView {
  const { model, subject, sources, diagnostics, picture, userPicture } = loaded;
  const places = new Places(sources);
  const properties = subject?.properties ?? model?.properties ?? [];
  const temporal = new Set(model?.temporal?.properties.map(({ name }) => name));
  return {
    mark,
    files: places.files,
    hasStates: model !== undefined,
    hasControl: (model?.control?.automata.length ?? 0) > 0,
    picture: picture?.title ?? (userPicture ? "Picture" : null),
    properties: properties.map(({ name, kind, span }) => ({
      name,
      kind,
      place: span ? places.of(span) : null,
      isTemporal: temporal.has(name),
    })),
    diagnostics: diagnostics.map((diagnostic) => diagnosticView(diagnostic, sources)),
  };
}

function traceViewOf(
  { model, sources, mark }: Stepped,
  run: ReturnType<typeof scheduleOf>,
  around = -Infinity,
): TraceView {
  const places = new Places(sources);
  const movements = new Movements(model, places);
  const truths = new Truths(model);
  const onState = (state: Words): void => (movements.note(state), truths.note(state));
  const narration = narrate(model.steps, run, { keep: 10_000, around, onState });
  const { narrative } = narration;
  const ending =
    narration.kind === "diverged"
      ? divergedView(narration)
      : run.loopStart === undefined
        ? endingView(endingOf(model, narrative.final.words, narrative.fault), places)
        : loopView(model, run, { words: narrative.final.words, fault: narrative.fault });
  return traceView(model, narrative, places, movements, { mark, ending, truths: truths.view });
}

/** Searches every step of the run, also those that a trace view omits. */
function findIn({ model, sources }: Stepped, { schedule, text }: FindRequest): FoundView {
  const places = new Places(sources);
  const numbers: number[] = [];
  let total = 0;
  const note = (number: number): void => {
    if (++total <= MOST_FOUND) numbers.push(number);
  };
  const { narrative } = narrate(model.steps, scheduleOf({ schedule }), {
    onStep: (step) => {
      if (mentions(stepView(model, step, places, []), text)) note(step.number);
    },
  });
  if (
    valuesMention(
      narrative.initial.map(({ name, value }) => [name, value]),
      text,
    )
  ) {
    total++;
    numbers.unshift(0);
  }
  return { numbers, total };
}

const MOST_FOUND = 10_000;

function loopView(
  model: Model,
  run: ReturnType<typeof scheduleOf>,
  end: Pick<Parameters<typeof shows>[2], "words" | "fault">,
): EndingView {
  const violated = model.temporal?.properties.find((property) => shows(model, property, { ...run, ...end }));
  const start = run.loopStart! + 1;
  const loop =
    run.loopStart === run.choices.length
      ? "nothing can move any more: it stays like this forever"
      : `the loop goes back to step ${start}`;
  return { kind: "loop", text: violated ? `${violated.name} is violated: ${loop}` : loop };
}
