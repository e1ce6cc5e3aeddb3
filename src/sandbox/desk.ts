/** The explorer's queries about code, answered by a separate process. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { packed, type SystemSource } from "../code/system/index.js";
import { bundleInput } from "../session/code.js";
import type { Input, ModelOptions } from "../session/index.js";
import type { Answered, Asked } from "../explorer/model-service.js";
import { brokenBy, problemOf } from "./check.js";
import type { ToChild } from "./job.js";
import { converse, startChild } from "./parent.js";

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
  const job = {
    kind: "desk",
    source: packed(source),
    text: input.text,
    reads: [resolve(input.file)],
    options,
  } as const;
  const open = new Set<number>();
  let isGone = false;
  const answer = (answered: Answered): void => {
    if (open.delete(answered.id)) onAnswer(answered);
  };
  const conversation = converse(child, job, {
    hangMs: undefined,
    leavesSignals: true,
    onNews: (news) => {
      if (news.kind === "answered") answer(news.answered);
    },
  });
  void conversation.then((ending) => {
    isGone = true;
    const isBug = ending.kind === "answered";
    const error = isBug ? brokenBy(ending.answer).message : problemOf(input, ending).message;
    for (const id of open) answer({ id, error: `the model cannot be looked at: ${error}`, isBug });
  });
  const bundled = textsOf(source);
  return {
    ask: (asked) => {
      open.add(asked.id);
      child.send({ kind: "ask", asked } satisfies ToChild, () => undefined);
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
