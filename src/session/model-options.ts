/** The options that decide which system a text stands for, as command-line arguments: for replay commands. */
import type { ModelOptions } from "./request.js";

export function modelArguments(options: ModelOptions): string[] {
  return [
    ...(options.language === undefined ? [] : ["--language", options.language]),
    ...(options.defines ?? []).flatMap((define) => ["-D", define]),
    ...(options.invariants ?? []).flatMap((invariant) => ["--invariant", invariant]),
    ...(options.ltl ?? []).flatMap((formula) => ["--ltl", formula]),
    ...(options.claims ?? []).flatMap((file) => ["--claim", file]),
    ...(options.targets ?? []).flatMap((target) => ["--target", target]),
    ...(options.asksBoundedness ? ["--bounded"] : []),
    ...(options.loseWhenFull ? ["--lose-when-full"] : []),
    ...(options.endNeedsEmptyChannels ? ["--end-needs-empty-channels"] : []),
    ...(options.maxProcesses === undefined ? [] : ["--limit-processes", `${options.maxProcesses}`]),
    ...(options.dialect === undefined ? [] : ["--dialect", options.dialect]),
    ...(options.deadlock === undefined ? [] : ["--deadlock", options.deadlock]),
    ...(options.loopLimit === undefined ? [] : ["--loop-limit", `${options.loopLimit}`]),
    ...(options.callDepth === undefined ? [] : ["--call-depth", `${options.callDepth}`]),
    ...(options.concrete === undefined ? [] : ["--concrete", `${options.concrete}`]),
  ];
}
