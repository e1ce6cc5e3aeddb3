/** The explorer's queries about code, answered by a separate process. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SystemSource } from "../code/system/index.js";
import { ask, converse, startChild } from "../sandbox/index.js";
import { problemOf } from "../session/apart/check.js";
import { nodesJob } from "../session/apart/job.js";
import { bundleInput } from "../session/nodes/load.js";
import type { Input, ModelOptions } from "../session/index.js";
import type { DeskJob } from "./desk-here.js";
import type { Answered, Asked } from "./model-service.js";

export interface CodeDesk {
  /** Every query gets an answer, or the reason for its failure. */
  ask(asked: Asked): void;
  /** Is the process there, and are the files still those that were bundled? */
  isCurrent(): boolean;
  close(): void;
}

/** Undefined: the file cannot be bundled, so there is nothing to run. */
export async function openCodeDesk(
  input: Input,
  options: ModelOptions,
  onAnswer: (answered: Answered) => void,
): Promise<CodeDesk | undefined> {
  const source = await bundleInput(input, options);
  if (!("code" in source)) return undefined;
  const child = await startChild({});
  const job: DeskJob = { kind: "desk", ...nodesJob(source, input), options };
  const open = new Set<number>();
  let isGone = false;
  const answer = (answered: Answered): void => {
    if (open.delete(answered.id)) onAnswer(answered);
  };
  const conversation = converse<never, Answered>(child, job, { leavesSignals: true, onNews: answer });
  void conversation.then((ending) => {
    isGone = true;
    if (ending.kind === "answered") return;
    const isBug = ending.kind === "broken";
    const error = (isBug ? ending.error : problemOf(input, ending)).message;
    for (const id of open) answer({ id, error: `the model cannot be looked at: ${error}`, isBug });
  });
  const bundled = textsOf(source);
  return {
    ask: (asked) => {
      open.add(asked.id);
      ask(child, asked);
    },
    isCurrent: () => !isGone && textsOf(source).every((text, index) => text === bundled[index]),
    close: () => {
      isGone = true;
      child.kill("SIGKILL");
    },
  };
}

function textsOf({ files, directory }: SystemSource): (string | undefined)[] {
  return files.map((file) => {
    try {
      return readFileSync(resolve(directory, file), "utf8");
    } catch {
      return undefined;
    }
  });
}
