/** The explorer's questions about code, answered in its process: the same desk as in the thread for other models. */
import { serveModel, type Answered, type Asked } from "../explorer/model-service.js";
import type { Input, Registry } from "../session/index.js";
import type { DeskJob } from "./job.js";
import type { Questions } from "./questions.js";

/** Never resolves: the caller ends it. */
export function deskHere(
  input: Input,
  { options }: DeskJob,
  registry: Registry,
  questions: Questions,
  postMessage: (answered: Answered) => void,
): Promise<never> {
  const on = (_: "message", listen: (asked: Asked) => void): void => questions.take(listen);
  const project = { input: () => input, draft: (text: string) => ({ ...input, text }) };
  serveModel({ on, postMessage }, { options }, { project, registry, isFixed: true });
  return new Promise(() => undefined);
}
