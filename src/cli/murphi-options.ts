/** Options of Murphi models. */
import { Option, type Command } from "commander";
import type { ModelOptions } from "../session/index.js";
import { count, oneOf } from "./values.js";

export interface MurphiFlags {
  readonly dialect?: "rumur" | "cmurphi";
  /** A boolean where `--no-deadlock` is another option of the command. */
  readonly deadlock?: NonNullable<ModelOptions["deadlock"]> | boolean;
  readonly symmetry?: NonNullable<ModelOptions["symmetry"]>;
  readonly loopLimit?: number;
  readonly callDepth?: number;
}

export const addMurphiOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--dialect <name>",
        "Murphi: where the tools differ, as rumur (the default) or cmurphi has it",
      ).argParser(oneOf("--dialect", ["rumur", "cmurphi"])),
    )
    .addOption(
      new Option(
        "--deadlock <mode>",
        "Murphi, nets, networks, message-passing programs: definition of deadlock: stuttering (no rule leads to another state), stuck (no rule is enabled) or off (the default except for Murphi)",
      ).argParser(oneOf("--deadlock", ["stuttering", "stuck", "off"])),
    )
    .addOption(
      new Option(
        "--symmetry <form>",
        "Murphi: representatives of states that differ in names of elements: exact (the default), heuristic (several a state), force (even where it is not known to be sound)",
      ).argParser(oneOf("--symmetry", ["exact", "heuristic", "force"])),
    )
    .addOption(
      new Option(
        "--loop-limit <n>",
        "Murphi: rounds of a `while` loop before it is an error (1000000)",
      ).argParser(count("--loop-limit")),
    )
    .addOption(
      new Option(
        "--call-depth <n>",
        "Murphi: calls inside each other before it is an error (1000)",
      ).argParser(count("--call-depth")),
    );

export const murphiOptions = (flags: MurphiFlags): ModelOptions => ({
  ...(flags.dialect === undefined ? {} : { dialect: flags.dialect }),
  ...(typeof flags.deadlock === "string" ? { deadlock: flags.deadlock } : {}),
  ...(flags.symmetry === undefined ? {} : { symmetry: flags.symmetry }),
  ...(flags.loopLimit === undefined ? {} : { loopLimit: flags.loopLimit }),
  ...(flags.callDepth === undefined ? {} : { callDepth: flags.callDepth }),
});

/** As trace files record them. */
export const recordedMurphiOptions: readonly (readonly [string, keyof MurphiFlags, keyof ModelOptions])[] = [
  ["--dialect", "dialect", "dialect"],
  ["--deadlock", "deadlock", "deadlock"],
  ["--loop-limit", "loopLimit", "loopLimit"],
  ["--call-depth", "callDepth", "callDepth"],
];
