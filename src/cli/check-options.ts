/** The options of `everypath check`, and what they ask of a session. */
import { Option, type Command } from "commander";
import type { AcceptedScope } from "../report/index.js";
import type { CheckOptions, SearchOrder, StoreName } from "../session/index.js";
import {
  addModelOptions,
  addOutputOptions,
  modelOptions,
  type ModelFlags,
  type OutputFlags,
  type ProgressFlags,
} from "./options.js";
import { collect, count, countOrAll, duration, oneOf, size } from "./values.js";

export interface CheckFlags extends ModelFlags, OutputFlags, ProgressFlags {
  readonly property?: readonly string[];
  readonly deadlock: boolean;
  readonly search: SearchOrder;
  readonly store: StoreName | "auto";
  readonly plain?: boolean;
  readonly maxStates?: number;
  readonly maxDepth?: number;
  readonly memory?: number;
  readonly time?: number;
  readonly errors: number;
  readonly accept?: AcceptedScope;
  readonly html?: string;
  readonly trace?: string;
  readonly svg?: string;
  readonly emitCode?: string;
  readonly warnTruncation?: boolean;
}

export function addCheckOptions(command: Command): Command {
  const option = <T>(flags: string, description: string, parse: (value: string, previous: T) => T): Option =>
    new Option(flags, description).argParser(parse);
  command
    .addOption(option("--property <name>", "check this property only; repeatable", collect))
    .option("--no-deadlock", "a state in which nothing can move is no error")
    .addOption(
      option(
        "--search <order>",
        "bfs (finds a shortest trace) or dfs",
        oneOf("--search", ["bfs", "dfs"], ["random", "guided"]),
      ).default("bfs"),
    )
    .addOption(
      option(
        "--store <kind>",
        "exact (states as they are), tree (their parts once each) or auto",
        oneOf("--store", ["exact", "tree", "auto"], laterStores),
      ).default("auto"),
    )
    .addOption(
      option(
        "--reduction <kind>",
        "none or auto",
        oneOf("--reduction", ["none", "auto"], laterReductions),
      ).default("auto"),
    )
    .option("--plain", "one transition a statement: nothing reduced, nothing merged")
    .addOption(option("--max-states <n>", "stop after so many states", count("--max-states")))
    .addOption(option("--max-depth <n>", "look no deeper than so many steps", count("--max-depth")))
    .addOption(
      option("--memory <size>", "memory for states, such as 2G (most of the machine's)", size("--memory")),
    )
    .addOption(option("--time <duration>", "stop after so long, such as 90s or 5m", duration("--time")))
    .addOption(
      option("--errors <n>", "stop after so many errors, or 'all'", countOrAll("--errors")).default(1, "1"),
    )
    .option("--warn-truncation", "warn about assignments that cut a value to fit its variable")
    .addOption(option("--seed <n>", "for every random choice (a full search makes none)", count("--seed", 0)))
    .addOption(
      option(
        "--accept <scope>",
        "bounded: exit with 0 when nothing was found within the budget",
        oneOf("--accept", ["bounded", "probabilistic"]),
      ),
    );
  addModelOptions(command);
  return addOutputOptions(command)
    .option("--html <file>", "write the report as a page that needs nothing else")
    .option("--trace <file>", "write the trace of the first violation, for replay")
    .option("--svg <file>", "write the trace as a message sequence chart")
    .option("--emit-code <file>", "write the JavaScript that the model was compiled to")
    .addOption(
      option(
        "--progress <how>",
        "auto, plain or none",
        oneOf("--progress", ["auto", "plain", "none"]),
      ).default("auto"),
    );
}

export const checkOptions = (flags: CheckFlags): CheckOptions => ({
  ...modelOptions(flags),
  ...(flags.property ? { properties: flags.property } : {}),
  ...(flags.accept ? { accept: flags.accept } : {}),
  checksDeadlock: flags.deadlock,
  search: flags.search,
  ...(flags.store === "auto" ? {} : { store: flags.store }),
  isPlain: flags.plain ?? false,
  warnsTruncation: flags.warnTruncation ?? false,
  maxErrors: flags.errors,
  budget: {
    ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
    ...(flags.maxDepth === undefined ? {} : { maxDepth: flags.maxDepth }),
    ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory }),
    ...(flags.time === undefined ? {} : { timeMs: flags.time }),
  },
});

const laterStores = ["delta", "compact", "bitstate"];
const laterReductions = ["por", "symmetry", "merge", "dead", "slice", "transactions"];
