/** Searches on disk: the identity of the stored search, and diagnostics about its folder. */
import { createHash } from "node:crypto";
import type { DiskProblem, DiskProblemKind } from "../../engines/explicit/index.js";
import type { Diagnostic, Property } from "../../model/index.js";
import { version } from "../../report/index.js";
import type { LoadedInput } from "../load.js";
import { modelArguments, type CheckOptions } from "../request.js";
import { hashOf } from "../replay/trace-file.js";

/** Equal for searches that can resume each other; budgets may differ. */
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

/** Diagnoses an error about the folder; undefined for other errors. */
export function diskProblem(error: unknown, file: string): Diagnostic | undefined {
  // Compares the name, since `instanceof` would load the engine.
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
