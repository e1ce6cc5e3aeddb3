/** A crew of one worker in this thread: nothing is started, and a search takes milliseconds. */
import { EventEmitter } from "node:events";
import type { MessagePort, Worker } from "node:worker_threads";
import { Crew, type WorkerSource } from "../../../src/engines/explicit/parallel/crew.js";
import { searchInParallel, type ParallelOptions } from "../../../src/engines/explicit/parallel/search.js";
import { serveSearch } from "../../../src/engines/explicit/parallel/worker.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import type { MakeModel, Model } from "../../../src/model/index.js";
import { make } from "./made-models.js";

class LocalWorker extends EventEmitter {
  #serve!: (request: unknown) => void;
  readonly #onFailure = (error: unknown): void => void this.emit("error", error);

  readonly #onRequest: (kind: string) => void;

  constructor(onRequest: (kind: string) => void, makeModel: MakeModel) {
    super();
    this.#onRequest = onRequest;
    process.on("unhandledRejection", this.#onFailure);
    const port = {
      on: (_: string, serve: (request: unknown) => void) => void (this.#serve = serve),
      postMessage: (reply: unknown) => void this.emit("message", structuredClone(reply)),
    };
    serveSearch(port as unknown as MessagePort, makeModel);
  }

  postMessage(request: unknown): void {
    this.#onRequest((request as { readonly kind: string }).kind);
    this.#serve(structuredClone(request));
  }

  terminate(): void {
    process.off("unhandledRejection", this.#onFailure);
  }
}

/** Calls `onRequest` with the kind of each request to the worker. */
function sourceWith(onRequest: (kind: string) => void, makeModel: MakeModel): WorkerSource {
  const start = () => new LocalWorker(onRequest, makeModel) as unknown as Worker;
  return { count: 1, make: makeModel, start };
}

export async function searchLocally(
  model: Model,
  options: SearchOptions,
  more: ParallelOptions,
  makeModel: MakeModel = make,
): Promise<SearchResult & { readonly model: Model; readonly rounds: number }> {
  let rounds = 0;
  const source = sourceWith((kind) => void (rounds += kind === "expand" ? 1 : 0), makeModel);
  const crew = new Crew(source);
  try {
    const found = await searchInParallel(model, options, source, crew, more);
    if (!found) throw new Error("the search was left to one thread");
    return { ...found.result, model: found.model, rounds };
  } finally {
    await crew.dismiss();
  }
}
