/**
 * The threads of a parallel search. A worker that fails or ends without a request fails the pending request; the creator of the crew
 * dismisses it on every way out.
 */
import type { Worker } from "node:worker_threads";
import type { MakeModel, Recipe } from "../../../model/index.js";
import type { Reply, Request } from "./protocol.js";

/** Source of threads: the composing layer supplies it, since the engine cannot make models. */
export interface WorkerSource {
  readonly count: number;
  /** Starts a thread that runs `serveSearch`. */
  start(): Worker;
  /** The same as in the threads. */
  readonly make: MakeModel;
}

type ReplyOf<K extends Reply["kind"]> = Extract<Reply, { readonly kind: K }>;

export class Crew {
  readonly #workers: readonly Worker[];
  #failure: Error | undefined;
  readonly #waiting = new Set<(failure: Error) => void>();
  #isDismissed = false;

  constructor(source: WorkerSource) {
    this.#workers = Array.from({ length: source.count }, () => source.start());
    for (const worker of this.#workers) {
      worker.on("error", (error: unknown) => this.#fail(asError(error)));
      worker.on("exit", (code) => {
        if (!this.#isDismissed) this.#fail(new Error(`a worker of the search ended with code ${code}`));
      });
    }
  }

  get size(): number {
    return this.#workers.length;
  }

  /** Lets all workers make a model they will not use, so that the code that makes models is loaded and compiled. */
  warm(recipe: Recipe, width: number): void {
    for (const worker of this.#workers) worker.postMessage({ kind: "warm", recipe, width } satisfies Request);
  }

  /** Asks all workers, and waits for their answers. */
  ask<K extends Reply["kind"]>(requests: readonly Request[], ...kinds: K[]): Promise<ReplyOf<K>[]> {
    return Promise.all(requests.map((request, index) => this.#askOne(index, request, kinds)));
  }

  /** Ends all threads at once. */
  async dismiss(): Promise<void> {
    this.#isDismissed = true;
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #askOne<K extends Reply["kind"]>(
    index: number,
    request: Request,
    kinds: readonly K[],
  ): Promise<ReplyOf<K>> {
    const worker = this.#workers[index]!;
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const onMessage = (reply: Reply): void => {
        this.#waiting.delete(reject);
        if ((kinds as readonly string[]).includes(reply.kind)) resolve(reply as ReplyOf<K>);
        else reject(new Error(`a worker answered '${reply.kind}' to '${request.kind}'`));
      };
      this.#waiting.add(reject);
      worker.once("message", onMessage);
      worker.postMessage(request);
    });
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const reject of this.#waiting) reject(this.#failure);
    this.#waiting.clear();
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
