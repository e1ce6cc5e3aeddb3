#!/usr/bin/env node
/**
 * The command line: arguments in, exit code out. This file is the executable.
 *
 * Read `run.ts` first (the commands and what becomes of errors), then the file of a command: `check.ts`,
 * `simulate.ts`, `replay.ts`, `lists.ts`. `values.ts` reads option values, `exit.ts` has the exit codes.
 * The work itself is done by `session/`.
 */
import { run } from "./run.js";

// `everypath check m.pml | head` closes the pipe: nobody is left to tell.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), process);
