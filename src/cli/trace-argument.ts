/** A trace named on the command line: a file that `--trace` wrote, or a schedule itself. */
import { existsSync, readFileSync } from "node:fs";
import { parseSchedule } from "../model/index.js";
import { parseTraceFile, readProblem, type ReplayRequest } from "../session/index.js";
import { whyNoTrail } from "./trail.js";
import { usageError } from "./usage.js";

export function readTrace(argument: string, argv: readonly string[]): ReplayRequest {
  if (existsSync(argument)) return fromFile(argument, argv);
  if (parseSchedule(argument) !== undefined) return { schedule: argument };
  const message = `'${argument}' is neither a file nor a schedule`;
  throw usageError(
    argv,
    "no-trace",
    message,
    argument,
    "a schedule is a list of choices such as 0.2.1*3, as a check prints it",
  );
}

function fromFile(path: string, argv: readonly string[]): ReplayRequest {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(argv, "cannot-read", `cannot read '${path}': ${readProblem(error)}`, path);
  }
  const reason = whyNoTrail(path, text);
  if (reason !== undefined) throw usageError(argv, "spin-trail", reason.message, path, reason.hint);
  const trace = parseTraceFile(text);
  if ("problem" in trace)
    throw usageError(argv, "bad-trace", `'${path}' is no trace: ${trace.problem}`, path);
  return { schedule: trace.schedule, expected: trace };
}
