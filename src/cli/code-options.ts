/** Options of checks of systems of nodes. */
import { Option, type Command } from "commander";
import type { CheckOptions } from "../session/index.js";
import type { SliceRequest } from "../session/request.js";
import { count } from "./values.js";

export interface CodeFlags {
  readonly slice?: string;
  readonly sliceValues?: number;
  readonly minimise?: boolean;
}

export const addCodeOptions = (command: Command): Command =>
  command
    .option(
      "--slice <fields>",
      "systems in TypeScript: compare states without fields that seem to change nothing: auto, or a list",
    )
    .addOption(
      new Option(
        "--slice-values <n>",
        "with --slice auto: look at numbers with more values than that (64)",
      ).argParser(count("--slice-values")),
    )
    .option("--no-minimise", "systems in TypeScript: show traces as they were found");

export const codeOptions = (flags: CodeFlags): Pick<CheckOptions, "slice" | "minimises"> => ({
  minimises: flags.minimise !== false,
  ...(flags.slice === undefined ? {} : { slice: sliceRequest(flags.slice, flags.sliceValues) }),
});

const sliceRequest = (slice: string, moreValuesThan: number | undefined): SliceRequest => ({
  paths: slice === "auto" ? "auto" : slice.split(",").map((path) => path.trim()),
  ...(moreValuesThan === undefined ? {} : { moreValuesThan }),
});
