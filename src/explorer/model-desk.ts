/** The server's side of the thread that answers questions about the model. A thread that does not answer in time is replaced. */
import type { Worker } from "node:worker_threads";
import { refusal, type Refusal } from "./gate.js";
import type { Answered, Asked, ModelQuestions, Question } from "./model-service.js";
import type { ModelSource } from "./threads.js";

export class ModelDesk {
  readonly #source: ModelSource;
  readonly #waiting = new Map<number, (answered: Answered) => void>();
  #thread: Promise<Worker> | undefined;
  #last = 0;

  constructor(source: ModelSource) {
    this.#source = source;
  }

  async ask<Q extends Question>(
    question: Q,
    asks: ModelQuestions[Q]["asks"],
  ): Promise<ModelQuestions[Q]["answers"] | Refusal> {
    const thread = await (this.#thread ??= this.#start());
    const id = ++this.#last;
    const answered = await new Promise<Answered>((resolve) => {
      this.#waiting.set(id, resolve);
      const timer = setTimeout(() => void this.#giveUp(), LONGEST_MS);
      timer.unref();
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      thread.postMessage({ id, question, asks } satisfies Asked<Q>);
    });
    this.#waiting.delete(id);
    if ("answer" in answered) return answered.answer as ModelQuestions[Q]["answers"];
    return refusal(answered.isBug ? 500 : 422, answered.error);
  }

  async close(): Promise<void> {
    const thread = await this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #start(): Promise<Worker> {
    const { startThread } = await import("./threads.js");
    const thread = startThread({ task: "model", source: this.#source });
    thread.on("message", (answered: Answered) => this.#waiting.get(answered.id)?.(answered));
    thread.on("error", (error) => this.#fail(`the model cannot be looked at: ${error.message}`));
    return thread;
  }

  async #giveUp(): Promise<void> {
    const thread = await this.#thread;
    this.#fail(`no answer within ${LONGEST_MS / 1000} s: the model may have a step that never ends`);
    await thread?.terminate();
  }

  #fail(error: string): void {
    this.#thread = undefined;
    for (const [id, answer] of this.#waiting) answer({ id, error, isBug: false });
    this.#waiting.clear();
  }
}

const LONGEST_MS = 30_000;
