#!/usr/bin/env node
/**
 * The command line: arguments in, exit code out. This file is the executable.
 *
 * Read `run.ts` first (the commands and error handling), then the file of a command: `check.ts`,
 * `simulate.ts`, `replay.ts`, `lists.ts`. `values.ts` reads option values, `exit.ts` has the exit codes.
 * Commands that may take long run in a second process, which `supervise.ts` watches from this one. The work itself is done by `session/`.
 */
import { Exit } from "./exit-codes.js";
import { endWhenWritten, failOnOutput } from "./output-stream.js";
import { isSupervised, isSupervisedCommand } from "./supervision.js";

const argv = process.argv.slice(2);
failOnOutput(process.stdout, process.stderr);
if (isSupervised()) {
  const [{ run }, { supervisedTerminal }] = await Promise.all([
    import("./run.js"),
    import("./supervised.js"),
  ]);
  const terminal = supervisedTerminal();
  failOnOutput(process.stdout, terminal.stderr);
  endWhenWritten(await run(argv, terminal));
} else if (isSupervisedCommand(argv)) {
  const { supervise } = await import("./supervise.js");
  const code = await supervise(argv, process);
  // The other process has reported that output cannot be written.
  if (code === Exit.notWritten) process.exit(code);
  endWhenWritten(code);
} else endWhenWritten(await (await import("./run.js")).run(argv, process));
