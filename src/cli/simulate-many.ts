/** `everypath simulate FILE --runs N`: many random runs of a system of nodes. The answer has the form of a check. */
import { Option, type Command } from "commander";
import { freshSeed } from "../session/index.js";
import { runCheck } from "./check.js";
import type { CheckFlags } from "./check-options.js";
import type { SimulateFlags } from "./simulate.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { collect, count, duration, oneOf, shardOf } from "./values.js";

export function addRunsOptions(command: Command): Command {
  const option = <T>(flags: string, description: string, parse: (value: string, previous: T) => T): Option =>
    new Option(flags, description).argParser(parse);
  return command
    .addOption(
      option("--runs <n>", "systems in TypeScript: n random runs, with mixes of faults", count("--runs")),
    )
    .addOption(option("--shard <i/n>", "with --runs: make the i-th of n parts of the runs", shardOf))
    .addOption(option("--workers <n>", "with --runs: n processes (1)", count("--workers", 1, MOST_WORKERS)))
    .addOption(option("--property <name>", "with --runs: check this property only; repeatable", collect))
    .addOption(
      option("--time <duration>", "with --runs: stop after this time, such as 5m", duration("--time")),
    )
    .addOption(
      option(
        "--accept <scope>",
        "with --runs: probabilistic: exit with 0 if no run fails",
        oneOf("--accept", ["probabilistic"]),
      ),
    )
    .option("--coverage", "with --runs: report executed lines and branches")
    .option("--no-minimise", "with --runs: show the trace as it was found")
    .option("--html <file>", "with --runs: write the report as a self-contained page")
    .option("--svg <file>", "with --runs: write the trace as a message sequence chart")
    .addOption(
      option(
        "--progress <how>",
        "with --runs: auto, plain or none",
        oneOf("--progress", ["auto", "plain", "none"]),
      ),
    );
}

const MOST_WORKERS = 256;

/** Options that say nothing about a single run. */
export function refuseWithoutRuns(flags: SimulateFlags, argv: readonly string[]): void {
  const names = [
    "shard",
    "workers",
    "property",
    "time",
    "accept",
    "coverage",
    "html",
    "svg",
    "progress",
  ] as const;
  const given =
    names.find((name) => flags[name] !== undefined) ?? (flags.minimise === false ? "no-minimise" : undefined);
  if (given === undefined) return;
  throw usageError(argv, "needs-runs", `--${given} is for many runs`, `--${given}`, "add --runs N");
}

export function runMany(
  file: string,
  flags: SimulateFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const { runs, steps, shard, seed = freshSeed(), interactive, ...rest } = flags;
  if (interactive)
    throw usageError(argv, "one-chooser", "--interactive and --runs exclude each other", "--interactive");
  const swarm = {
    by: "swarm",
    ...(runs === undefined ? {} : { runs }),
    ...(steps === undefined ? {} : { steps }),
    ...(shard === undefined ? {} : { shard }),
  } as const;
  const check: CheckFlags = { progress: "auto", ...rest, seed, swarm };
  return runCheck([file], check, terminal, argv);
}
