/** The explorer's questions about code, answered in its process: the same desk as in the thread for other models. */
import type { Worker } from "../sandbox/index.js";
import { inputOf, registryFor, watch } from "../session/apart/here.js";
import type { NodesJob } from "../session/apart/job.js";
import type { ModelOptions } from "../session/index.js";
import { serveModel, type Answered, type Asked } from "./model-service.js";

/** Questions, one after the other, until the process is ended; news are the answers. */
export interface DeskJob extends NodesJob {
  readonly kind: "desk";
  readonly options: ModelOptions;
}

/** Never completes: the parent ends it. */
export const deskHere: Worker<DeskJob> = {
  work: (job, parent) => {
    watch(job, parent);
    const input = inputOf(job);
    const port = {
      on: (_: "message", listen: (asked: Asked) => void): void =>
        parent.onAsked((asked) => listen(asked as Asked)),
      postMessage: (answered: Answered): void => parent.send(answered),
    };
    const project = { input: () => input, draft: (text: string) => ({ ...input, text }) };
    serveModel(port, { options: job.options }, { project, registry: registryFor(job), isFixed: true });
    return new Promise<never>(() => undefined);
  },
};
