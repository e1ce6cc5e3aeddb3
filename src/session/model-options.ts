/** The options that decide which system a text stands for, as command-line arguments: for replay commands. */
import type { ModelOptions } from "./request.js";

export function modelArguments(options: ModelOptions): string[] {
  return [
    ...(options.language === undefined ? [] : ["--language", options.language]),
    ...(options.defines ?? []).flatMap((define) => ["-D", define]),
    ...(options.invariants ?? []).flatMap((invariant) => ["--invariant", invariant]),
    ...(options.ltl ?? []).flatMap((formula) => ["--ltl", formula]),
    ...(options.claims ?? []).flatMap((file) => ["--claim", file]),
    ...(options.loseWhenFull ? ["--lose-when-full"] : []),
    ...(options.endNeedsEmptyChannels ? ["--end-needs-empty-channels"] : []),
    ...(options.maxProcesses === undefined ? [] : ["--limit-processes", `${options.maxProcesses}`]),
    ...(options.concrete === undefined ? [] : ["--concrete", `${options.concrete}`]),
  ];
}
