/** `everypath explore FILE`: opens a page in the browser and serves it until Ctrl-C. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Option, type Command } from "commander";
import { parseSchedule, type Diagnostic } from "../model/index.js";
import { palette, renderDiagnostics } from "../report/index.js";
import {
  inspect,
  readInput,
  registry,
  type Input,
  type LoadedInput,
  type ModelOptions,
} from "../session/index.js";
import { Exit } from "./exit.js";
import { addModelOptions, modelOptions, type ModelFlags } from "./options.js";
import { hasColor, type Terminal } from "./terminal.js";
import { BadValue, usageError } from "./usage.js";
import { count } from "./values.js";

export interface ExploreFlags extends ModelFlags {
  readonly at?: string;
  readonly port: number;
  readonly open: boolean;
}

export const addExploreOptions = (command: Command): Command =>
  addModelOptions(
    command
      .addOption(new Option("--at <schedule>", "begin at the end of this schedule").argParser(schedule))
      .addOption(
        new Option("--port <n>", "the port to listen on (any that is free)")
          .argParser(count("--port", 0, 65_535))
          .default(0, "0"),
      )
      .option("--no-open", "print the address instead of opening a browser"),
  );

export async function runExplore(
  file: string,
  flags: ExploreFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, file);
  const model = modelOptions(flags);
  const mistakes = await mistakesOf(input, model);
  if (mistakes.diagnostics.length > 0) {
    const colors = palette(hasColor("auto", terminal.stderr, terminal.env));
    terminal.stderr.write(renderDiagnostics(mistakes.diagnostics, mistakes.sources, colors));
    return Exit.badInput;
  }
  const { startExplorer } = await import("../explorer/index.js");
  const log = (line: string): void => void terminal.stderr.write(`${line}\n`);
  const at = flags.at === undefined ? {} : { at: flags.at };
  const options = { file, model, port: flags.port, log, ...at };
  const explorer = await startExplorer(options).catch((error: unknown) => {
    throw portProblem(error, flags.port, argv);
  });
  terminal.stdout.write(`Exploring ${file} at\n  ${explorer.url}\nThe address works once. Ctrl-C stops.\n`);
  if (flags.open) openBrowser(explorer.url, log);
  await interrupted();
  await explorer.close();
  return Exit.holds;
}

/** Errors of the options; the editor shows errors in the file. Does not run code. */
export async function mistakesOf(
  input: Input,
  options: ModelOptions,
): Promise<Pick<LoadedInput, "diagnostics" | "sources">> {
  const { diagnostics, sources } = await inspect(input, options, registry);
  const isOfOption = ({ code, span }: Diagnostic): boolean =>
    /(option-not-taken|unknown-language|unknown-define|unknown-constant|bad-define)$/.test(code) ||
    !existsSync(span.file);
  return { sources, diagnostics: diagnostics.filter((one) => one.severity === "error" && isOfOption(one)) };
}

function schedule(value: string): string {
  if (parseSchedule(value)) return value;
  throw new BadValue(value, `'${value}' is no schedule`, "--at takes a list of choices such as 0.2.1*3");
}

function portProblem(error: unknown, port: number, argv: readonly string[]): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "EADDRINUSE" && code !== "EACCES") return error;
  const problem = code === "EACCES" ? "may not be used" : "is in use";
  return usageError(argv, "port", `port ${port} ${problem}`, "--port", "omit --port to use any free port");
}

/** A failure to open a browser is not an error: the address is printed. */
function openBrowser(url: string, log: (line: string) => void): void {
  const [command = "xdg-open", ...before] = openers[process.platform] ?? [];
  const child = spawn(command, [...before, url], { stdio: "ignore", detached: true });
  child.on("error", () => log("no browser could be opened: open the address yourself"));
  child.unref();
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
