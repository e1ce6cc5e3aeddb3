/** `everypath simulate` of code: the command runs in a separate process; its input and output pass through this one. */
import { resolve } from "node:path";
import { packed } from "../code/system/index.js";
import { palette, renderDiagnostics } from "../report/index.js";
import { Sources } from "../model/index.js";
import { bundleInput } from "../session/code.js";
import type { Input, ModelOptions } from "../session/index.js";
import type { SimulateFlags } from "../cli/simulate.js";
import { hasColor, type Terminal } from "../cli/terminal.js";
import { brokenBy, problemOf } from "./check.js";
import type { Job, Screen } from "./job.js";
import { converse, startChild } from "./parent.js";

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
  const job: Job = {
    kind: "simulate",
    source: packed(source),
    text: input.text,
    reads: [resolve(input.file), ...(flags.trace === undefined ? [] : [resolve(flags.trace)])],
    file: input.file,
    flags,
    argv,
    screens: { stdout: screenOf(stdout), stderr: screenOf(stderr) },
    env: { NO_COLOR: env["NO_COLOR"], TERM: env["TERM"] },
  };
  const child = await startChild({ stdin: stdin === process.stdin ? "inherit" : "pipe" });
  if (child.stdin) stdin.pipe(child.stdin);
  child.stdout!.pipe(stdout, { end: false });
  child.stderr!.pipe(stderr, { end: false });
  const ending = await converse(child, job, { hangMs: undefined });
  if (ending.kind === "answered") {
    if (ending.answer.kind !== "simulated") throw brokenBy(ending.answer);
    return ending.answer.exitCode;
  }
  const sources = new Sources();
  sources.add(input.file, input.text);
  stderr.write(
    renderDiagnostics([problemOf(input, ending)], sources, palette(hasColor(flags.color, stderr, env))),
  );
  return UNKNOWN;
}

const UNKNOWN = 2;

const screenOf = ({ isTTY = false, columns }: NodeJS.WriteStream): Screen => ({ isTTY, columns });
