/** Questions about nets. */
import { Option, type Command } from "commander";
import type { ModelOptions } from "../session/index.js";
import { collect } from "./values.js";

export interface NetFlags {
  readonly target?: readonly string[];
  readonly bounded?: boolean;
}

export const addNetOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--target <tokens>",
        "nets: check whether a marking is coverable, such as 'p >= 2, q >= 1'; repeatable",
      ).argParser(collect),
    )
    .option("--bounded", "nets: is there a largest number of tokens in every place");

export const netOptions = ({
  target,
  bounded,
}: NetFlags): Pick<ModelOptions, "targets" | "asksBoundedness"> => ({
  ...(target ? { targets: target } : {}),
  ...(bounded ? { asksBoundedness: true } : {}),
});
