/** Options shared by several commands, and planned options. */
import { Option, type Command } from "commander";
import type { ModelOptions } from "../session/index.js";
import { addNetOptions, netOptions, type NetFlags } from "./net-options.js";
import type { ColorChoice, ProgressChoice } from "./terminal.js";
import { addProgramOptions, programOptions, type ProgramFlags } from "./program-options.js";
import { addMurphiOptions, murphiOptions, type MurphiFlags } from "./murphi-options.js";
import {
  collect,
  collectActionFormulas,
  collectDefines,
  collectFormulas,
  collectInvariants,
  count,
  faultList,
  oneOf,
} from "./values.js";

/** As commander hands them over. */
export interface ModelFlags extends MurphiFlags, NetFlags, ProgramFlags {
  readonly language?: string;
  readonly define?: readonly string[];
  readonly faults?: readonly string[];
  readonly refines?: string;
  readonly invariant?: readonly string[];
  readonly ltl?: readonly string[];
  readonly formula?: readonly string[];
  readonly claim?: readonly string[];
  readonly loseWhenFull?: boolean;
  readonly endNeedsEmptyChannels?: boolean;
  readonly limitProcesses?: number;
  readonly integers?: "bounded" | "unbounded";
  readonly refactor?: "apply" | "verify";
  readonly arrays?: "allow" | "warn" | "forbid";
  readonly concrete?: number;
}

export interface OutputFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

export interface ProgressFlags {
  readonly progress: ProgressChoice;
}

export const addModelOptions = (command: Command): Command =>
  addProgramOptions(addNetOptions(addMurphiOptions(addCommonOptions(command))));

const addCommonOptions = (command: Command): Command =>
  command
    .option("--language <name>", "the language of the file (default: by extension)")
    .addOption(
      new Option(
        "-D, --define <name[=value]>",
        "define a preprocessor macro, or override a constant; repeatable",
      ).argParser(collectDefines),
    )
    .addOption(
      new Option(
        "--faults <list>",
        "systems in TypeScript: limits instead of those in the file, such as crashes=3,loss",
      ).argParser(faultList),
    )
    .option("--refines <file>", "systems in TypeScript: the specification, in Promela, Murphi or TypeScript")
    .addOption(
      new Option(
        "--invariant <expression>",
        "check that a condition holds in every state; repeatable",
      ).argParser(collectInvariants),
    )
    .addOption(
      new Option(
        "--ltl <formula>",
        "check that every execution satisfies a temporal formula; repeatable",
      ).argParser(collectFormulas),
    )
    .addOption(
      new Option(
        "--formula <formula>",
        "transition systems: a formula over actions, such as 'AG [error] false'; repeatable",
      ).argParser(collectActionFormulas),
    )
    .addOption(
      new Option(
        "--claim <file>",
        "read more properties: never claims, ltl blocks (Spin's -N); repeatable",
      ).argParser(collect),
    )
    .option("--lose-when-full", "let sends to full channels succeed and lose the message (Spin's -m)")
    .option("--end-needs-empty-channels", "require empty channels in valid end states (Spin's -q)")
    .addOption(
      new Option(
        "--integers <kind>",
        "bounded (the default) or unbounded: numbers do not wrap around, and a solver proves",
      ).argParser(oneOf("--integers", ["bounded", "unbounded"])),
    )
    .addOption(
      new Option(
        "--refactor <how>",
        "split processes as refactorby says: apply, or verify to compare the result with the original",
      ).argParser(oneOf("--refactor", ["apply", "verify"])),
    )
    .addOption(
      new Option(
        "--arrays <policy>",
        "allow, warn about or forbid arrays (warn beside sets and queues)",
      ).argParser(oneOf("--arrays", ["allow", "warn", "forbid"])),
    )
    .addOption(
      new Option("--limit-processes <n>", "maximum number of live processes (255)").argParser(
        count("--limit-processes"),
      ),
    )
    .addOption(
      new Option(
        "--concrete <n>",
        "networks: each client sends each packet at most n times, and copies are counted",
      ).argParser(count("--concrete")),
    );

export const addOutputOptions = (command: Command): Command =>
  command
    .option("--json", "print one JSON object instead of text")
    .option("--quiet", "print only the result line")
    .addOption(
      new Option("--color <when>", "auto, always or never")
        .default("auto")
        .argParser(oneOf("--color", ["auto", "always", "never"])),
    );

export const modelOptions = (flags: ModelFlags): ModelOptions => ({
  ...(flags.language === undefined ? {} : { language: flags.language }),
  ...(flags.integers === undefined ? {} : { integers: flags.integers }),
  ...(flags.refactor === undefined ? {} : { refactor: flags.refactor }),
  ...(flags.arrays === undefined ? {} : { arrays: flags.arrays }),
  ...(flags.limitProcesses === undefined ? {} : { maxProcesses: flags.limitProcesses }),
  ...(flags.concrete === undefined ? {} : { concrete: flags.concrete }),
  defines: flags.define ?? [],
  ...(flags.faults ? { faults: flags.faults } : {}),
  ...(flags.refines === undefined ? {} : { refines: flags.refines }),
  invariants: flags.invariant ?? [],
  ...(flags.ltl ? { ltl: flags.ltl } : {}),
  ...(flags.formula ? { formulas: flags.formula } : {}),
  ...(flags.claim ? { claims: flags.claim } : {}),
  loseWhenFull: flags.loseWhenFull ?? false,
  endNeedsEmptyChannels: flags.endNeedsEmptyChannels ?? false,
  ...murphiOptions(flags),
  ...netOptions(flags),
  ...programOptions(flags),
});
