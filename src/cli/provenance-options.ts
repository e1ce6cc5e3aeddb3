/** Options about proofs that messages stay where they may be. */
import { Option, type Command } from "commander";
import type { CheckOptions } from "../session/index.js";
import { count } from "./values.js";

export interface ProvenanceFlags {
  readonly count?: readonly number[];
  readonly certificate?: string;
}

export const addProvenanceOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--count <list>",
        "provenance: count messages of a kind exactly up to so many, one after the other (0,1,2,…)",
      ).argParser((value: string) => value.split(",").map((part) => count("--count", 0)(part))),
    )
    .option("--certificate <file>", "write proofs of what holds, for certify");

export const provenanceOptions = ({
  count: counts,
  certificate,
}: ProvenanceFlags): Pick<CheckOptions, "counts" | "wantsProofs"> => ({
  ...(counts ? { counts } : {}),
  ...(certificate === undefined ? {} : { wantsProofs: true }),
});
