/**
 * The server's side of queries about the model: a thread or, if the model is code, a separate process. It is
 * replaced if it does not answer in time.
 */
import type { Worker } from "node:worker_threads";
import { runsCode } from "../session/apart/index.js";
import { registry, type Input } from "../session/index.js";
import type { CodeDesk } from "./code-desk.js";
import { refusal, type Refusal } from "./gate.js";
import type { Answered, Asked, ModelQuestions, Question } from "./model-service.js";
import { Project } from "./project.js";
import type { ModelSource } from "./threads.js";

export class ModelDesk {
  readonly #source: ModelSource;
  readonly #project: Project;
  readonly #waiting = new Map<number, (answered: Answered) => void>();
  #thread: Promise<Worker> | undefined;
  #process: Promise<CodeDesk | undefined> | undefined;
  #last = 0;

  constructor(source: ModelSource) {
    this.#source = source;
    this.#project = new Project(source.file, source.startedIn);
  }

  async ask<Q extends Question>(
    question: Q,
    asks: ModelQuestions[Q]["asks"],
  ): Promise<ModelQuestions[Q]["answers"] | Refusal> {
    const send = await this.#receiver("text" in asks && asks.text !== undefined);
    const id = ++this.#last;
    const answered = await new Promise<Answered>((resolve) => {
      const timer = setTimeout(() => void this.#giveUp(), LONGEST_MS);
      timer.unref();
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      send({ id, question, asks } satisfies Asked<Q>);
    });
    this.#waiting.delete(id);
    if ("answer" in answered) return answered.answer as ModelQuestions[Q]["answers"];
    return refusal(answered.isBug ? 500 : 422, answered.error);
  }

  /** Answers come from a process that runs the user's code. */
  get isCode(): boolean {
    const input = this.#project.input();
    return !("error" in input) && runsCode(input, this.#source.options.language, registry);
  }

  async close(): Promise<void> {
    const [thread, desk] = await Promise.all([this.#thread, this.#process]);
    this.#thread = undefined;
    this.#process = undefined;
    desk?.close();
    await thread?.terminate();
  }

  /** Inspects unsaved text without running it. Text that cannot be bundled is also not run: the thread reports the error. */
  async #receiver(isDraft: boolean): Promise<(asked: Asked) => void> {
    const input = this.#project.input();
    const desk = !isDraft && this.isCode && !("error" in input) ? await this.#codeDesk(input) : undefined;
    if (desk) return (asked) => desk.ask(asked);
    const thread = await (this.#thread ??= this.#start());
    return (asked) => thread.postMessage(asked);
  }

  /** Sequential: one process handles one query at a time. */
  #codeDesk(input: Input): Promise<CodeDesk | undefined> {
    const open = async (known: CodeDesk | undefined): Promise<CodeDesk | undefined> => {
      if (known?.isCurrent()) return known;
      known?.close();
      const { openCodeDesk } = await import("./code-desk.js");
      return openCodeDesk(input, this.#source.options, (answered) => this.#answer(answered));
    };
    return (this.#process = (this.#process ?? Promise.resolve(undefined)).then(open));
  }

  #answer(answered: Answered): void {
    this.#waiting.get(answered.id)?.(answered);
  }

  async #start(): Promise<Worker> {
    const { startThread } = await import("./threads.js");
    const thread = startThread({ task: "model", source: this.#source });
    thread.on("message", (answered: Answered) => this.#answer(answered));
    thread.on("error", (error) => this.#fail(`the model cannot be looked at: ${error.message}`));
    return thread;
  }

  async #giveUp(): Promise<void> {
    const [thread, desk] = await Promise.all([this.#thread, this.#process]);
    this.#fail(`no answer within ${LONGEST_MS / 1000} s: the model may have a step that never ends`);
    desk?.close();
    await thread?.terminate();
  }

  #fail(error: string): void {
    this.#thread = undefined;
    this.#process = undefined;
    for (const [id, answer] of this.#waiting) answer({ id, error, isBug: false });
    this.#waiting.clear();
  }
}

const LONGEST_MS = 30_000;
