/** Options about proofs that messages stay where they may be. */
import { Option, type Command } from "commander";
import type { CheckOptions, NetEncoding } from "../session/index.js";
import { count, oneOf } from "./values.js";

export interface ProvenanceFlags {
  readonly count?: readonly number[];
  readonly certificate?: string;
  readonly emitNet?: string;
  readonly netEncoding?: NetEncoding;
  readonly emitProgram?: string;
}

export const addProvenanceOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--count <list>",
        "provenance: count messages of a kind exactly up to each of these numbers in turn (0,1,2,…)",
      ).argParser((value: string) => value.split(",").map((part) => count("--count", 0)(part))),
    )
    .option("--certificate <file>", "write proofs of the properties that hold, for certify")
    .option("--emit-net <file>", "write the net, or a message-passing program as a net, in Mist's format")
    .addOption(
      new Option(
        "--net-encoding <kind>",
        "provenance in that net: product (the default: a place for each class) or compact (in bits)",
      ).argParser(oneOf("--net-encoding", ["product", "compact"])),
    )
    .option("--emit-program <file>", "write a net as a message-passing program");

export const provenanceOptions = ({
  count: counts,
  certificate,
}: ProvenanceFlags): Pick<CheckOptions, "counts" | "wantsProofs"> => ({
  ...(counts ? { counts } : {}),
  ...(certificate === undefined ? {} : { wantsProofs: true }),
});
