/** The commands and options as data, for completion and the manual page. */
import type { Command, Option } from "commander";
import { registry } from "../session/index.js";

export interface CommandFacts {
  readonly name: string;
  readonly description: string;
  /** As `--help` shows them: `<file...>`. */
  readonly operands: readonly string[];
  readonly options: readonly OptionFacts[];
}

export interface OptionFacts {
  /** `-D` or empty. */
  readonly short: string;
  /** `--define`. */
  readonly long: string;
  /** `<name[=value]>`; empty if the option takes none. */
  readonly value: string;
  readonly description: string;
  /** All possible values; empty if there are too many. */
  readonly words: readonly string[];
  readonly isFile: boolean;
  readonly isFolder: boolean;
}

export const commandFacts = (program: Command): readonly CommandFacts[] =>
  program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    operands: command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}${argument.variadic ? "..." : ""}>` : `[${argument.name()}]`,
    ),
    options: command.options.map(optionFacts),
  }));

function optionFacts(option: Option): OptionFacts {
  const value = /[<[].*$/.exec(option.flags)?.[0] ?? "";
  const [isFile, isFolder] = [/file/.test(value), /dir/.test(value)];
  const { short = "", long = "", description } = option;
  return { short, long, value, description, words: wordsOf(option), isFile, isFolder };
}

function wordsOf({ long, argChoices, parseArg }: Option): readonly string[] {
  if (long === "--language") return registry.languages.map(({ name }) => name);
  if (long === "--engine") return registry.engines.map(({ name }) => name);
  return argChoices ?? (parseArg as { readonly words?: readonly string[] } | undefined)?.words ?? [];
}
