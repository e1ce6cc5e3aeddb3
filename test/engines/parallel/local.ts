/** A crew of one worker in this thread: nothing is started, and a search takes milliseconds. */
import { EventEmitter } from "node:events";
import type { MessagePort, Worker } from "node:worker_threads";
import { Crew, type WorkerSource } from "../../../src/engines/explicit/parallel/crew.js";
import { searchInParallel, type ParallelOptions } from "../../../src/engines/explicit/parallel/search.js";
import { serveSearch } from "../../../src/engines/explicit/parallel/worker.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import type { Model } from "../../../src/model/index.js";
import { make } from "./made-models.js";

class LocalWorker extends EventEmitter {
  #serve!: (request: unknown) => void;
  readonly #onFailure = (error: unknown): void => void this.emit("error", error);

  constructor() {
    super();
    process.on("unhandledRejection", this.#onFailure);
    const port = {
      on: (_: string, serve: (request: unknown) => void) => void (this.#serve = serve),
      postMessage: (reply: unknown) => void this.emit("message", structuredClone(reply)),
    };
    serveSearch(port as unknown as MessagePort, make);
  }

  postMessage(request: unknown): void {
    this.#serve(structuredClone(request));
  }

  terminate(): void {
    process.off("unhandledRejection", this.#onFailure);
  }
}

export const local: WorkerSource = { count: 1, make, start: () => new LocalWorker() as unknown as Worker };

export async function searchLocally(
  model: Model,
  options: SearchOptions,
  more: ParallelOptions,
): Promise<SearchResult & { readonly model: Model }> {
  const crew = new Crew(local);
  try {
    const found = await searchInParallel(model, options, local, crew, more);
    if (!found) throw new Error("the search was left to one thread");
    return { ...found.result, model: found.model };
  } finally {
    await crew.dismiss();
  }
}
