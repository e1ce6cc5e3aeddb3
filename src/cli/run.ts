/**
 * The command line as a function: arguments in, exit code out. Commands are defined here and implemented in
 * the file named after each. User errors become diagnostics, internal errors exit code 70.
 */
import { Argument, Command, CommanderError, Option } from "commander";
import { Sources } from "../model/index.js";
import { checkJson, palette, renderDiagnostics, version } from "../report/index.js";
import { nothingChecked, tooLarge } from "../session/index.js";
import { addAutomatonOptions, type AutomatonFlags, runAutomaton } from "./automaton.js";
import { addCertifyOptions, runCertify, type CertifyFlags } from "./certify.js";
import { runCheck } from "./check.js";
import { addCheckOptions, type CheckFlags } from "./check-options.js";
import { addCompareOptions, runCompare, type CompareFlags } from "./compare.js";
import { commandFacts } from "./command-facts.js";
import { completionScript, shells, type Shell } from "./completion.js";
import { exitCodeTexts } from "./exit-codes.js";
import { Exit } from "./exit.js";
import { addExploreOptions, type ExploreFlags, runExplore } from "./explore.js";
import { addInitOptions, runInit, type InitFlags } from "./init.js";
import {
  listDevices,
  listEngines,
  listLanguages,
  listOptions,
  listPlans,
  type LanguageFlags,
  type ListFlags,
  type PlanFlags,
} from "./lists.js";
import { addLearnOptions, runLearn, type LearnFlags } from "./learn.js";
import { addLtsOptions, runLts, type LtsFlags } from "./lts.js";
import { checkExamples, groupOptions } from "./help.js";
import { isOutputFailure, outputLost } from "./output-stream.js";
import type { OutputFlags } from "./options.js";
import { manualPage } from "./man.js";
import { addReplayOptions, runReplay, type ReplayFlags } from "./replay.js";
import { addTestOptions, runTest, type TestFlags } from "./test.js";
import { addReportOptions, runReport } from "./report.js";
import { addSimulateOptions, runSimulate, type SimulateFlags } from "./simulate.js";
import { printSchema } from "./schema.js";
import { hasColor, type Terminal } from "./terminal.js";
import { BadValue, UsageError, usageError } from "./usage.js";
import { count, oneOf, size } from "./values.js";

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = Exit.holds;
  const program = commands(argv, terminal, (code) => (exitCode = code));
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return Exit.holds; // --help, --version
    if (argv.length === 0) {
      program.outputHelp();
      return Exit.holds;
    }
    const mistake = asUsageError(error, argv, program);
    if (mistake) return reportMistake(mistake, argv, terminal);
    if (isOutputFailure(error)) return outputLost(error, terminal.stderr);
    return reportBug(error, terminal);
  }
}

function commands(argv: readonly string[], terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command("everypath")
    .description("Explores every path that a concurrent system can take, and shows the one that breaks it.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: () => {}, // A diagnostic replaces commander's message.
    })
    .addHelpText("after", exitCodeHelp);
  addCheckOptions(program.command("check").description("verify a model").argument("<file...>"))
    .addHelpText("after", checkExamples)
    .action(async (files: string[], flags: CheckFlags) => exit(await runCheck(files, flags, terminal, argv)));
  addSimulateOptions(
    program.command("simulate").description("make one run, or many of a system of nodes").argument("<file>"),
  ).action(async (file: string, flags: SimulateFlags) =>
    exit(await runSimulate(file, flags, terminal, argv)),
  );
  addReplayOptions(
    program
      .command("replay")
      .description("run a trace again")
      .argument("<trace>", "a file or a schedule")
      .argument("[file]"),
  ).action(async (trace: string, file: string | undefined, flags: ReplayFlags) =>
    exit(await runReplay(trace, file, flags, terminal, argv)),
  );
  addReportOptions(
    program
      .command("report")
      .description("unite the results of several jobs")
      .argument("<dir>", "a folder with results of check or simulate --json"),
  ).action((directory: string, flags: OutputFlags) => exit(runReport(directory, flags, terminal, argv)));
  addExploreOptions(
    program.command("explore").description("look at a model in the browser").argument("<file>"),
  ).action(async (file: string, flags: ExploreFlags) => exit(await runExplore(file, flags, terminal, argv)));
  addAutomatonOptions(
    program
      .command("automaton")
      .description("show the automaton of a temporal formula")
      .argument("<formula>", "such as '[](request -> <>grant)'"),
  ).action((formula: string, flags: AutomatonFlags) => exit(runAutomaton(formula, flags, terminal, argv)));
  addCertifyOptions(
    program
      .command("certify")
      .description("check a certificate")
      .argument("<certificate>", "a file that check --certificate wrote")
      .argument("[file]", "the model, if it is not where the certificate says"),
  ).action(async (certificate: string, file: string | undefined, flags: CertifyFlags) =>
    exit(await runCertify(certificate, file, flags, terminal, argv)),
  );
  addLearnOptions(
    program
      .command("learn")
      .description("learn which calls the objects of a class accept")
      .argument("<file>"),
  ).action(async (file: string, flags: LearnFlags) => exit(await runLearn(file, flags, terminal, argv)));
  addLtsOptions(
    program.command("lts").description("build the labelled transition system of a model").argument("<file>"),
  ).action(async (file: string, flags: LtsFlags) => exit(await runLts(file, flags, terminal, argv)));
  addCompareOptions(
    program
      .command("compare")
      .description("compare two systems by their visible actions")
      .argument("<first>")
      .argument("<second>"),
  ).action(async (first: string, second: string, flags: CompareFlags) =>
    exit(await runCompare([first, second], flags, terminal, argv)),
  );
  addTestOptions(
    program.command("test").description("generate tests of a C program").argument("<file>"),
  ).action(async (file: string, flags: TestFlags) => exit(await runTest(file, flags, terminal, argv)));
  addInitOptions(
    program
      .command("init")
      .description("set up a first test of async code, or a system of nodes, in this project"),
  ).action((flags: InitFlags) => exit(runInit(flags, terminal, argv)));
  const list = (
    name: string,
    what: string,
    action: (flags: ListFlags) => number | Promise<number>,
  ): Command =>
    program
      .command(name)
      .description(what)
      .option("--json", "print JSON")
      .action(async (flags: ListFlags) => exit(await action(flags)));
  list("languages", "list the languages", (flags: LanguageFlags) => listLanguages(flags, terminal)).option(
    "--grid",
    "which language has which capability, and why not",
  );
  list("engines", "list the engines", (flags) => listEngines(flags, terminal));
  list("devices", "list the devices for --engine gpu", (flags) => listDevices(flags, terminal));
  list("options", "list the options of all commands, or plan a lossy store", (flags: PlanFlags) =>
    runOptions(program, flags, terminal, argv),
  )
    .addOption(
      new Option("--plan-states <n>", "recommend a lossy store for n states").argParser(
        count("--plan-states"),
      ),
    )
    .addOption(
      new Option("--memory <size>", "with --plan-states: memory for its table (1G)").argParser(
        size("--memory"),
      ),
    );
  program
    .command("lsp")
    .description("serve an editor: the Language Server Protocol, for every language")
    .addOption(new Option("--stdio", "over standard input and output").makeOptionMandatory())
    .action(async () =>
      exit(await (await import("../lsp/index.js")).serveLanguages(process.stdin, process.stdout)),
    );
  program
    .command("schema")
    .description("print the JSON Schema of all results")
    .action(() => exit(printSchema(terminal)));
  program
    .command("completion")
    .description("print a script that completes commands and options")
    .addArgument(new Argument("<shell>", shells.join(", ")).argParser(oneOf("completion", shells)))
    .action((shell: Shell) => {
      terminal.stdout.write(completionScript(shell, commandFacts(program)));
    });
  program
    .command("man")
    .description("print the manual page, in roff")
    .action(() => {
      terminal.stdout.write(manualPage(program.description(), commandFacts(program)));
    });
  for (const command of program.commands) groupOptions(command);
  return program;
}

function runOptions(
  program: Command,
  flags: PlanFlags,
  terminal: Terminal,
  argv: readonly string[],
): number | Promise<number> {
  if (flags.planStates !== undefined) return listPlans(flags.planStates, flags, terminal);
  if (flags.memory !== undefined)
    throw usageError(
      argv,
      "no-plan",
      "--memory is for a plan",
      "--memory",
      "--plan-states says for how many states",
    );
  return listOptions(program, flags, terminal);
}

const exitCodeHelp = `
Exit codes:
${exitCodeTexts.map(([code, what]) => `  ${String(code).padEnd(3)} ${what}`).join("\n")}`;

/** Commander's complaints in our words; undefined if the error is none of the user's. */
function asUsageError(error: unknown, argv: readonly string[], program: Command): UsageError | undefined {
  if (error instanceof UsageError) return error;
  if (error instanceof BadValue) return usageError(argv, "bad-value", error.message, error.value, error.hint);
  const limit = tooLarge(error, "command line");
  if (limit) return new UsageError(limit, new Sources());
  if (!(error instanceof CommanderError)) return undefined;
  const message = error.message
    .replace(/^error: /, "")
    .replace(/\.?\n?\(Did you mean (.*)\?\)$/, "; did you mean $1?");
  const names = program.commands.map((command) => command.name()).join(", ");
  const commandName = argv.find((argument) => !argument.startsWith("-"));
  switch (error.code) {
    case "commander.unknownOption": {
      const option = /'(-[^']*)'/.exec(message)?.[1] ?? "";
      return usageError(
        argv,
        "unknown-option",
        message,
        option,
        `${["everypath", commandName, "--help"].filter(Boolean).join(" ")} lists the options`,
      );
    }
    case "commander.unknownCommand":
      return usageError(argv, "unknown-command", message, commandName, `there are: ${names}`);
    case "commander.help":
      return usageError(
        argv,
        "no-command",
        "a command is missing",
        undefined,
        `there are: ${names}; everypath --help says more`,
      );
    default:
      return usageError(
        argv,
        error.code.replace(/^commander\./, "").replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`),
        message,
      );
  }
}

function reportMistake(
  { diagnostic, sources }: UsageError,
  argv: readonly string[],
  { stdout, stderr, env }: Terminal,
): number {
  if (argv.includes("--json"))
    stdout.write(`${JSON.stringify(checkJson(nothingChecked("", "", [diagnostic], sources)), null, 2)}\n`);
  else stderr.write(renderDiagnostics([diagnostic], sources, palette(hasColor("auto", stderr, env))));
  return Exit.badInput;
}

export function reportBug(error: unknown, { stderr, env }: Terminal): number {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  if (name === "StepTooLong") {
    stderr.write(`everypath: unknown: ${message}\n`);
    return Exit.unknown;
  }
  stderr.write(`everypath: internal error: ${message}\n`);
  stderr.write("This is a bug in Everypath. Please report it with the model and the command that show it.\n");
  if (env["EVERYPATH_DEBUG"]) stderr.write(`${stack ?? ""}\n`);
  else stderr.write("EVERYPATH_DEBUG=1 adds where it happened.\n");
  return Exit.internal;
}
