/** Options of checks of systems of nodes. */
import { Option, type Command } from "commander";
import type { CheckOptions } from "../session/index.js";
import { count } from "./values.js";

export interface CodeFlags {
  readonly slice?: string;
  readonly sliceValues?: number;
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
    );

export const codeOptions = ({ slice, sliceValues }: CodeFlags): Pick<CheckOptions, "slice"> =>
  slice === undefined
    ? {}
    : {
        slice: {
          paths: slice === "auto" ? "auto" : slice.split(",").map((path) => path.trim()),
          ...(sliceValues === undefined ? {} : { moreValuesThan: sliceValues }),
        },
      };
