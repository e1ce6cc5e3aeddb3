/** The options of `everypath check`, and the session options they set. */
import { Option, type Command } from "commander";
import type { AcceptedScope } from "../report/index.js";
import { EMPTINESS_ALGORITHMS } from "../engines/explicit/emptiness/index.js";
import type { StoreName } from "../model/index.js";
import {
  automaticReductionNames,
  optionalReductionNames,
  type ReductionName,
} from "../transforms/reduction/names.js";
import type { CheckOptions, Fairness, OutputName } from "../session/index.js";
import { addProvenanceOptions, provenanceOptions, type ProvenanceFlags } from "./provenance-options.js";
import { addNetworkOptions, networkOptions, type NetworkFlags } from "./network-options.js";
import { addCodeOptions, codeOptions, type CodeFlags } from "./code-options.js";
import {
  boundOption,
  runsOption,
  scheduleOrders,
  searchOptions,
  stateOrders,
  type SearchFlags,
} from "./search-options.js";
import { addSymbolicOptions, symbolicOptions, type SymbolicFlags } from "./symbolic-options.js";
import { addStoreOptions, storeRequest, type StoreFlags } from "./store-options.js";
import {
  addModelOptions,
  addOutputOptions,
  modelOptions,
  type ModelFlags,
  type OutputFlags,
  type ProgressFlags,
} from "./options.js";
import { collect, count, countOrAll, duration, oneOf, size } from "./values.js";

export interface CheckFlags
  extends
    ModelFlags,
    OutputFlags,
    ProgressFlags,
    StoreFlags,
    ProvenanceFlags,
    NetworkFlags,
    CodeFlags,
    SymbolicFlags,
    SearchFlags {
  readonly property?: readonly string[];
  readonly traceFormat?: "rumur" | "cmurphi";
  readonly engine?: string;
  readonly fairness?: Fairness;
  readonly emptiness?: string;
  readonly store?: StoreName | "auto";
  readonly plain?: boolean;
  readonly reduction?: "auto" | "all" | readonly ReductionName[];
  readonly checkReduction?: boolean;
  readonly maxStates?: number;
  readonly maxDepth?: number;
  readonly memory?: number;
  readonly time?: number;
  readonly workers?: number;
  readonly device?: string;
  readonly gpuMemory?: number;
  readonly disk?: string;
  readonly resume?: string;
  readonly errors?: number;
  readonly seed?: number;
  readonly accept?: AcceptedScope;
  readonly html?: string;
  readonly trace?: string;
  readonly svg?: string;
  readonly emitCode?: string;
  readonly warnTruncation?: boolean;
  readonly coverage?: boolean;
}

export function addCheckOptions(command: Command): Command {
  const option = <T>(flags: string, description: string, parse: (value: string, previous: T) => T): Option =>
    new Option(flags, description).argParser(parse);
  command
    .addOption(option("--property <name>", "check this property only; repeatable", collect))
    .option("--no-deadlock", "do not report states without enabled transitions")
    .option("--engine <name>", "select one of several engines (everypath engines)")
    .addOption(
      option(
        "--search <order>",
        "bfs (the default; finds a shortest trace), dfs, random or guided (rare values first); of nodes also delays, preemptions, pct",
        oneOf("--search", [...stateOrders, ...scheduleOrders]),
      ),
    )
    .addOption(boundOption())
    .addOption(runsOption())
    .addOption(
      option(
        "--fairness <kind>",
        "fairness of infinite executions: none (the default), weak or strong",
        oneOf("--fairness", ["none", "weak", "strong"]),
      ),
    )
    .addOption(
      option(
        "--emptiness <name>",
        "the emptiness check for temporal properties, or auto (the default)",
        oneOf("--emptiness", ["auto", ...EMPTINESS_ALGORITHMS]),
      ),
    )
    .addOption(
      option(
        "--store <kind>",
        "auto (the default), exact, tree, delta; lossy: compact, bitstate",
        oneOf("--store", ["auto", "exact", "tree", "delta", "compact", "bitstate"]),
      ),
    );
  addStoreOptions(command)
    .addOption(
      option(
        "--reduction <which>",
        "auto (the default: once a search has outgrown the whole system), all, none, or a list: por, merge, dead, slice, symmetry; of networks: see docs",
        reductions,
      ),
    )
    .option("--check-reduction", "also search the unreduced system, and compare")
    .option("--plain", "one transition per statement: no reduction, no merging")
    .addOption(option("--max-states <n>", "stop after n states", count("--max-states")))
    .addOption(option("--max-depth <n>", "limit the depth to n steps", count("--max-depth")))
    .addOption(
      option("--memory <size>", "memory for states, such as 2G (most of the machine's)", size("--memory")),
    )
    .addOption(option("--time <duration>", "stop after this time, such as 90s or 5m", duration("--time")))
    .addOption(option("--workers <n>", "search with n threads (1)", count("--workers", 1, MOST_WORKERS)))
    .option("--device <name>", "with --engine gpu: the device, by name or number (everypath devices)")
    .addOption(
      option(
        "--gpu-memory <size>",
        "with --engine gpu: memory of the device for states (most of it)",
        size("--gpu-memory"),
      ),
    )
    .option("--disk <dir>", "when memory is exhausted, store states in this folder")
    .option("--resume <dir>", "continue the search in this folder")
    .addOption(option("--errors <n>", "stop after n errors, or 'all' (1)", countOrAll("--errors")))
    .option("--coverage", "systems in TypeScript: report executed lines and branches")
    .option("--warn-truncation", "warn about assignments that truncate a value")
    .addOption(
      option(
        "--seed <n>",
        "seed of every random choice, such as the hash of lossy stores (1)",
        count("--seed", 0),
      ),
    )
    .addOption(
      option(
        "--accept <scope>",
        "bounded, probabilistic: exit with 0 if no violation was found within the bounds, or with a lossy store",
        oneOf("--accept", ["bounded", "probabilistic"]),
      ),
    );
  addProvenanceOptions(command);
  addSymbolicOptions(command);
  addModelOptions(command);
  addNetworkOptions(command);
  addCodeOptions(command);
  return addOutputOptions(command)
    .option("--html <file>", "write the report as a self-contained page")
    .option("--trace <file>", "write the trace of the first violation, for replay")
    .addOption(
      option(
        "--trace-format <tool>",
        "Murphi: print the trace in the format of rumur or cmurphi",
        oneOf("--trace-format", ["rumur", "cmurphi"]),
      ),
    )
    .option("--svg <file>", "write the trace as a message sequence chart; of a net, the net with its tokens")
    .option("--emit-code <file>", "write the generated JavaScript")
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
  ...networkOptions(flags),
  ...(flags.property ? { properties: flags.property } : {}),
  ...(flags.accept ? { accept: flags.accept } : {}),
  checksDeadlock: flags.deadlock !== false,
  ...(flags.engine === undefined ? {} : { engine: flags.engine }),
  ...searchOptions(flags),
  ...(flags.fairness === undefined ? {} : { fairness: flags.fairness }),
  ...(flags.emptiness === undefined ? {} : { emptiness: flags.emptiness }),
  ...(flags.store === undefined || flags.store === "auto" ? {} : { store: flags.store }),
  storeRequest: storeRequest(flags),
  ...(flags.seed === undefined ? {} : { seed: flags.seed }),
  isPlain: flags.plain ?? false,
  ...(flags.reduction === undefined || flags.reduction === "auto"
    ? {}
    : flags.reduction === "all"
      ? { reducesAtOnce: true }
      : { reductions: flags.reduction }),
  checksReduction: flags.checkReduction ?? false,
  warnsTruncation: flags.warnTruncation ?? false,
  measuresCoverage: flags.coverage ?? false,
  ...provenanceOptions(flags),
  ...symbolicOptions(flags),
  ...codeOptions(flags),
  ...(flags.errors === undefined ? {} : { maxErrors: flags.errors }),
  ...(flags.workers === undefined ? {} : { workers: flags.workers }),
  ...(flags.device === undefined ? {} : { device: flags.device }),
  ...(flags.gpuMemory === undefined ? {} : { gpuMemoryBytes: flags.gpuMemory }),
  ...(flags.disk === undefined ? {} : { disk: { directory: flags.disk, resumes: false } }),
  ...(flags.resume === undefined ? {} : { disk: { directory: flags.resume, resumes: true } }),
  budget: {
    ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
    ...(flags.maxDepth === undefined ? {} : { maxDepth: flags.maxDepth }),
    ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory }),
    ...(flags.time === undefined ? {} : { timeMs: flags.time }),
  },
  outputs: outputNames.filter((name) => flags[name] !== undefined),
});

const outputNames = [
  "html",
  "trace",
  "svg",
  "traceFormat",
  "emitCode",
  "emitNet",
  "netEncoding",
  "emitProgram",
  "emitMurphi",
  "emitPromela",
  "certifyLaws",
  "emitSeq",
] as const satisfies readonly OutputName[];

/** More threads than any machine of today has cores only cost memory. */
const MOST_WORKERS = 256;

/** `auto`, `all`, `none`, or names with commas between them. */
function reductions(value: string): "auto" | "all" | readonly ReductionName[] {
  if (value === "auto" || value === "all") return value;
  if (value === "none") return [];
  const isKnown = oneOf(
    "--reduction",
    [...automaticReductionNames, ...optionalReductionNames],
    ["transactions"],
  );
  return value.split(",").map((name) => isKnown(name));
}
