/** `everypath simulate` of code: the command runs in a separate process; its input and output pass through this one. */
import { resolve } from "node:path";
import { Sources } from "../model/index.js";
import { palette, renderDiagnostics } from "../report/index.js";
import { converse, startChild } from "../sandbox/index.js";
import { problemOf } from "../session/apart/check.js";
import { nodesJob } from "../session/apart/job.js";
import { bundleInput } from "../session/nodes/load.js";
import type { Input, ModelOptions } from "../session/index.js";
import type { Screen, SimulateJob } from "./simulate-here.js";
import type { SimulateFlags } from "./simulate.js";
import { hasColor, type Terminal } from "./terminal.js";

/** The exit code; undefined: the file cannot be bundled, which the caller reports. */
export async function simulateInChild(
  input: Input,
  options: ModelOptions,
  flags: SimulateFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number | undefined> {
  const source = await bundleInput(input, options);
  if (!("code" in source)) return undefined;
  const { stdout, stderr, stdin, env } = terminal;
  const job: SimulateJob = {
    kind: "simulate",
    ...nodesJob(source, input, { reads: flags.trace === undefined ? [] : [resolve(flags.trace)] }),
    file: input.file,
    flags,
    argv,
    screens: { stdout: screenOf(stdout), stderr: screenOf(stderr) },
    env: { NO_COLOR: env["NO_COLOR"], TERM: env["TERM"] },
  };
  const child = await startChild({ stdin: stdin === process.stdin ? "inherit" : "pipe" });
  if (child.stdin) stdin.pipe(child.stdin);
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
  const ending = await converse<number>(child, job, {});
  if (ending.kind === "answered") return ending.answer;
  const sources = new Sources();
  sources.add(input.file, input.text);
  stderr.write(
    renderDiagnostics([problemOf(input, ending)], sources, palette(hasColor(flags.color, stderr, env))),
  );
  return UNKNOWN;
}

const UNKNOWN = 2;

const screenOf = ({ isTTY = false, columns }: NodeJS.WriteStream): Screen => ({ isTTY, columns });
