/**
 * Learns the protocol of a class in TypeScript or JavaScript: the sequences of calls that its objects accept. A call that throws or rejects is refused.
 *
 * `wrapper.ts` makes a system with one node of the class, so the code runs in the locked process of systems and its states are captured
 * as theirs are; `here.ts` learns in that process. Always true: a protocol is complete only if all states of the object were compared.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Sources, type Control, type Diagnostic } from "../../model/index.js";
import { converse, startChild } from "../../sandbox/index.js";
import { problemOf } from "../apart/check.js";
import { nodesJob } from "../apart/job.js";
import { bundleInput } from "../nodes/load.js";
import type { Input } from "../request.js";
import type { LearnAnswer, LearnJob, LearnedProtocol } from "./job.js";
import { wrapperOf, type ClassRequest } from "./wrapper.js";

export type { LearnedProtocol } from "./job.js";
export { CALL, type ClassRequest } from "./wrapper.js";

export interface LearnRequest extends ClassRequest {
  /** Pairs of states that a comparison may visit. */
  readonly maxStates?: number;
  readonly timeMs?: number;
  readonly control?: Control;
}

export interface LearnResult {
  readonly file: string;
  /** Absent if there is none, or if the process has ended. */
  readonly protocol: LearnedProtocol | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

export async function learnClass(input: Input, request: LearnRequest): Promise<LearnResult> {
  const sources = new Sources();
  sources.add(input.file, input.text);
  const folder = mkdtempSync(join(tmpdir(), "everypath-learn-"));
  try {
    const { protocol, diagnostics } = await learned(input, request, folder);
    return {
      file: input.file,
      protocol,
      diagnostics: diagnostics.map((each) => placed(each, input, folder)),
      sources,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function learned(input: Input, request: LearnRequest, folder: string): Promise<LearnAnswer> {
  const { maxStates = 100_000, timeMs, control = {} } = request;
  const file = join(folder, "protocol.ts");
  const text = wrapperOf(resolve(input.file), request);
  writeFileSync(file, text);
  const source = await bundleInput({ file, text }, {});
  if (!("code" in source)) return { protocol: undefined, diagnostics: source };
  const job: LearnJob = { kind: "learn", ...nodesJob(source, { file, text }), maxStates, timeMs };
  const child = await startChild({});
  try {
    const ending = await converse<LearnAnswer, never>(child, job, {
      isStopped: () => control.isStopped?.() ?? false,
    });
    if (ending.kind === "answered") return ending.answer;
    return { protocol: undefined, diagnostics: [problemOf(input, ending)] };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Positions inside of the generated file mean the class. */
function placed(diagnostic: Diagnostic, { file }: Input, folder: string): Diagnostic {
  const isOurs = resolve(folder, diagnostic.span.file).startsWith(folder);
  return isOurs ? { ...diagnostic, span: { file, start: 0, end: 0 } } : diagnostic;
}
