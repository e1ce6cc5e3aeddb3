/** Searches that go on in a folder: which search is in it, and what can be wrong with it. */
import { createHash } from "node:crypto";
import type { DiskProblem, DiskProblemKind } from "../../engines/explicit/index.js";
import type { Diagnostic, Property } from "../../model/index.js";
import { version } from "../../report/index.js";
import type { LoadedInput } from "../load.js";
import { modelArguments, type CheckOptions } from "../request.js";
import { hashOf } from "../replay/trace-file.js";

/** Equal for searches that one can go on where the other stopped: budgets may differ. */
export function identityOf(
  { sources, language }: LoadedInput,
  properties: readonly Property[],
  options: CheckOptions,
): string {
  const identity = {
    version,
    language,
    texts: hashOf(sources),
    model: modelArguments(options),
    isPlain: options.isPlain ?? false,
    warnsTruncation: options.warnsTruncation ?? false,
    properties: properties.map(({ name }) => name),
  };
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}

/** What the user has to mend, if the error is about the folder. */
export function diskProblem(error: unknown, file: string): Diagnostic | undefined {
  // By its name: the engine is not loaded just to ask for its class.
  if (!(error instanceof Error) || error.name !== "DiskProblem") return undefined;
  const { kind, message, hint } = error as DiskProblem;
  return { code: codes[kind], severity: "error", message, span: { file, start: 0, end: 0 }, hint };
}

const codes: Record<DiskProblemKind, string> = {
  unusable: "session/disk-unusable",
  "not-ours": "session/disk-not-ours",
  "in-use": "session/disk-in-use",
  "other-search": "session/disk-other-search",
  "nothing-there": "session/disk-nothing-there",
  damaged: "session/disk-damaged",
};
