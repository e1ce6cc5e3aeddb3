/** Options about the store of visited states. */
import { Option, type Command } from "commander";
import { hashNames, type HashName } from "../model/index.js";
import type { StoreRequest } from "../session/index.js";
import { count, oneOf, size } from "./values.js";

export interface StoreFlags {
  readonly table?: number;
  readonly expectStates?: number;
  readonly hashFunctions?: number;
  readonly hashBits?: number;
  readonly hash?: HashName;
  readonly deltaDistance?: number;
}

export function addStoreOptions(command: Command): Command {
  const option = <T>(flags: string, description: string, parse: (value: string) => T): Option =>
    new Option(flags, description).argParser(parse);
  return command
    .addOption(option("--table <size>", "memory for the table of a lossy store", size("--table")))
    .addOption(option("--expect-states <n>", "dimension lossy stores for n states", count("--expect-states")))
    .addOption(
      option("--hash-functions <n>", "bitstate: bits set for a state", count("--hash-functions", 1, 200)),
    )
    .addOption(option("--hash-bits <n>", "compact: bits kept of a state", count("--hash-bits", 4, 64)))
    .addOption(option("--hash <name>", "how lossy stores hash", oneOf("--hash", hashNames)))
    .addOption(
      option(
        "--delta-distance <n>",
        "delta: levels between states that are kept whole",
        count("--delta-distance", 1, 65535),
      ),
    );
}

export const storeRequest = (flags: StoreFlags): StoreRequest => ({
  ...(flags.table === undefined ? {} : { tableBytes: flags.table }),
  ...(flags.expectStates === undefined ? {} : { expectStates: flags.expectStates }),
  ...(flags.hashFunctions === undefined ? {} : { hashFunctions: flags.hashFunctions }),
  ...(flags.hashBits === undefined ? {} : { hashBits: flags.hashBits }),
  ...(flags.hash === undefined ? {} : { hash: flags.hash }),
  ...(flags.deltaDistance === undefined ? {} : { deltaDistance: flags.deltaDistance }),
});
