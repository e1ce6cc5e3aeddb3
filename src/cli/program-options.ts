/** Options of C programs. */
import { Option, type Command } from "commander";
import type { ModelOptions } from "../session/index.js";
import { settingProblem, SETTINGS_HINT } from "../programs/index.js";
import { BadValue } from "./usage.js";
import { count } from "./values.js";

export interface ProgramFlags {
  readonly symArg?: readonly string[];
  readonly symStdin?: number;
  readonly cc?: string;
  readonly tasks?: readonly string[];
}

export const addProgramOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--sym-arg <position:length>",
        "C: argument 1, 2, … is any string of up to this length, such as 1:8; repeatable",
      ).argParser(collectArguments),
    )
    .addOption(
      new Option("--sym-stdin <length>", "C: standard input is any text of up to this length").argParser(
        count("--sym-stdin", 1, MOST_BYTES),
      ),
    )
    .option("--cc <command>", "C: the clang to use (default: the newest on PATH, 15 or later)")
    .addOption(
      new Option(
        "--tasks <settings>",
        "C: a program of tasks and interrupts; dialect and bounds, such as tinyos,phases=4",
      ).argParser(collectSettings),
    );

const MOST_BYTES = 65_536;

function collectArguments(value: string, previous: readonly string[] = []): readonly string[] {
  const [, position, length] = /^(\d{1,3}):(\d{1,5})$/.exec(value) ?? [];
  if (previous.some((other) => other.split(":")[0] === position))
    throw new BadValue(value, `argument ${position} is symbolic twice`, "state each position once");
  if (Number(position) >= 1 && Number(length) >= 1 && Number(length) <= MOST_BYTES)
    return [...previous, value];
  throw new BadValue(
    value,
    `'${value}' is not a symbolic argument`,
    "--sym-arg takes a position from 1 and a length, such as 1:8",
  );
}

function collectSettings(value: string, previous: readonly string[] = []): readonly string[] {
  const settings = value.split(",").map((setting) => setting.trim());
  for (const setting of settings) {
    const problem = settingProblem(setting);
    if (problem !== undefined) throw new BadValue(value, problem, SETTINGS_HINT);
  }
  return [...previous, ...settings];
}

export const programOptions = ({
  symArg,
  symStdin,
  cc,
  tasks,
}: ProgramFlags): Pick<ModelOptions, "symbolicArgs" | "symbolicStdin" | "compiler" | "tasks"> => ({
  ...(symArg ? { symbolicArgs: symArg } : {}),
  ...(symStdin === undefined ? {} : { symbolicStdin: symStdin }),
  ...(cc === undefined ? {} : { compiler: cc }),
  ...(tasks ? { tasks } : {}),
});
