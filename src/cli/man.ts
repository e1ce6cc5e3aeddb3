/** The manual page `everypath(1)`, in roff. The build writes it into the package. */
import { version } from "../report/index.js";
import type { CommandFacts, OptionFacts } from "./command-facts.js";
import { exitCodeTexts } from "./exit-codes.js";

export function manualPage(description: string, commands: readonly CommandFacts[]): string {
  return [
    `.TH EVERYPATH 1 "" "everypath ${text(version)}" "User Commands"`,
    ".SH NAME",
    "everypath \\- explore every path that a concurrent system can take",
    ".SH SYNOPSIS",
    ".B everypath",
    "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...",
    ".SH DESCRIPTION",
    text(description),
    ".SH COMMANDS",
    ...commands.flatMap(({ name, description: what, operands }) => [
      ".TP",
      `\\fB${text(name)}\\fR ${text(operands.join(" "))}`.trimEnd(),
      text(what),
    ]),
    ...commands.flatMap(({ name, options }) =>
      options.length === 0
        ? []
        : [`.SH OPTIONS OF ${text(name.toUpperCase())}`, ...options.flatMap(optionLines)],
    ),
    ".SH EXIT STATUS",
    ...exitCodeTexts.flatMap(([code, what]) => [".TP", `.B ${code}`, text(what)]),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, what]) => [".TP", `.B ${name}`, text(what)]),
    "",
  ].join("\n");
}

const environment = [
  ["NO_COLOR", "print without colours"],
  ["FORCE_COLOR", "print colours even if the output is not a terminal; 0: never"],
  ["EVERYPATH_DEBUG", "add the stack to an internal error"],
] as const;

const optionLines = ({ short, long, value, description }: OptionFacts): string[] => [
  ".TP",
  `\\fB${text([short, long].filter(Boolean).join(", "))}\\fR ${text(value)}`.trimEnd(),
  text(description),
];

/** A line of text: backslashes and hyphens escaped; a full stop or quote at its start is no request. */
const text = (line: string): string =>
  line
    .replace(/\\/g, "\\e")
    .replace(/-/g, "\\-")
    .replace(/^([.'])/, "\\&$1");
