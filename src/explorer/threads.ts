/**
 * Long computations run in threads, so that the server always responds.
 *
 * Like the threads of a parallel search, this module is both sides: imported, it starts threads; run as a thread, it works. It
 * must be imported dynamically, which makes it a separate file in a bundle.
 */
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import type { ModelOptions } from "../session/index.js";
import type { RunRequest } from "./protocol.js";

const NAME = "everypath explorer thread";

/** Parts of a model: plain data. */
export interface ModelSource {
  readonly file: string;
  /** The folder that the command was started in. */
  readonly startedIn: string;
  readonly options: ModelOptions;
}

export type ThreadTask =
  | { readonly task: "model"; readonly source: ModelSource }
  | {
      readonly task: "check";
      readonly source: ModelSource;
      readonly request: RunRequest;
      /** One word: non-zero requests a stop. */
      readonly stop: SharedArrayBuffer;
    };

export const startThread = (task: ThreadTask): Worker =>
  new Worker(new URL(import.meta.url), { workerData: { name: NAME, task } });

interface ThreadData {
  readonly name: string;
  readonly task: ThreadTask;
}

async function work({ task }: ThreadData): Promise<void> {
  if (task.task === "model") {
    const { openShelf, serveModel } = await import("./model-service.js");
    serveModel(parentPort!, task.source, openShelf(task.source));
  } else await (await import("./check-service.js")).serveCheck(parentPort!, task);
}

if (!isMainThread && (workerData as ThreadData | undefined)?.name === NAME)
  await work(workerData as ThreadData);
