/** Options that `lts` and `compare` share. */
import { Option, type Command } from "commander";
import type { Control, Diagnostic, Progress, Sources } from "../model/index.js";
import { ProgressReporter, palette, renderDiagnostics } from "../report/index.js";
import type { LtsOptions, LtsResult } from "../session/index.js";
import { addModelOptions, modelOptions, type ModelFlags, type ProgressFlags } from "./options.js";
import { Interrupt, hasColor, progressStyle, type ColorChoice, type Terminal } from "./terminal.js";
import { collect, count, duration, oneOf, size } from "./values.js";

export interface ExplorationFlags extends ModelFlags, ProgressFlags {
  readonly visible?: readonly string[];
  readonly maxStates?: number;
  readonly memory?: number;
  readonly time?: number;
  readonly color: ColorChoice;
}

export const addExplorationOptions = (command: Command): Command =>
  addModelOptions(command)
    .addOption(
      new Option(
        "--visible <pattern>",
        "labels to keep, such as 'request!*'; all others become τ; repeatable",
      ).argParser(collect),
    )
    .addOption(new Option("--max-states <n>", "stop after n states").argParser(count("--max-states")))
    .addOption(new Option("--memory <size>", "memory for states, such as 2G").argParser(size("--memory")))
    .addOption(
      new Option("--time <duration>", "stop after this time, such as 90s or 5m").argParser(
        duration("--time"),
      ),
    )
    .addOption(
      new Option("--progress <style>", "auto, plain or none")
        .default("auto")
        .argParser(oneOf("--progress", ["auto", "plain", "none"])),
    )
    .addOption(
      new Option("--color <when>", "auto, always or never")
        .default("auto")
        .argParser(oneOf("--color", ["auto", "always", "never"])),
    );

/** Runs `work` with progress on standard error and a stop at Ctrl-C. */
export async function controlled<T>(
  flags: ExplorationFlags,
  terminal: Terminal,
  work: (options: LtsOptions) => Promise<T>,
): Promise<T> {
  const interrupt = new Interrupt(terminal);
  const progress = new ProgressReporter(terminal.stderr, progressStyle(flags.progress, terminal));
  const control: Control = {
    onProgress: (now: Progress) => progress.update(now),
    isStopped: () => interrupt.isStopped,
  };
  try {
    return await work({
      ...modelOptions(flags),
      ...(flags.visible ? { visible: flags.visible } : {}),
      budget: {
        ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
        ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory }),
        ...(flags.time === undefined ? {} : { timeMs: flags.time }),
      },
      control,
    });
  } finally {
    progress.finish();
    interrupt.release();
  }
}

export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  flags: ExplorationFlags,
  { stderr, env }: Terminal,
): void {
  if (diagnostics.length > 0)
    stderr.write(renderDiagnostics(diagnostics, sources, palette(hasColor(flags.color, stderr, env))));
}

/** Why there is no answer. */
export function stopText(stop: NonNullable<LtsResult["stop"]>): string {
  const reasons: Readonly<Record<string, string>> = {
    time: "the time is up",
    memory: "the memory is spent",
    states: "the number of states is reached",
    interrupted: "it was interrupted",
  };
  return reasons[stop] ?? stop;
}
