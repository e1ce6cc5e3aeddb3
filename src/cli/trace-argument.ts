/** A trace named on the command line: a file that `--trace` wrote, Spin's trail or printed steps, states of Apalache or Quint, or a schedule itself. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseSchedule } from "../model/index.js";
import {
  isItf,
  isPrintedRun,
  isTrail,
  parseItf,
  parsePrintedRun,
  parseTraceFile,
  parseTrail,
  readProblem,
  type ModelOptions,
  type ReplayRequest,
} from "../session/index.js";
import { recordedMurphiOptions } from "./murphi-options.js";
import { modelOptions, type ModelFlags } from "./options.js";
import { usageError } from "./usage.js";

export interface TraceArgument {
  readonly request: ReplayRequest;
  /** The model of the trace, if recorded. */
  readonly modelFile?: string;
  /** The options of the trace, if recorded. */
  readonly options?: ModelOptions;
}

export function readTrace(argument: string, argv: readonly string[]): TraceArgument {
  if (existsSync(argument)) return fromFile(argument, argv);
  // Output of a failing test ends with a mark.
  if (parseSchedule(argument.replace(/#\w+$/, "")) !== undefined) return { request: { schedule: argument } };
  throw usageError(
    argv,
    "no-trace",
    `'${argument}' is neither a file nor a schedule`,
    argument,
    "a schedule is a list of choices such as 0.2.1*3, as a check prints it",
  );
}

/**
 * The options for loading the model: the recorded options of the trace, or the given ones. Conflicting
 * options are an error: the trace would be replayed in another system.
 */
export function optionsFor(
  argument: string,
  trace: TraceArgument,
  flags: ModelFlags,
  argv: readonly string[],
): ModelOptions {
  const given = modelOptions(flags);
  const recorded = trace.options;
  if (!recorded) return given;
  for (const [option, flag, name] of recordedOptions) {
    if (flags[flag] === undefined || isDeepStrictEqual(given[name], recorded[name])) continue;
    const message = `${option} is not as '${argument}' has it: a trace file brings its own options`;
    throw usageError(argv, "trace-options", message, option, `omit ${option}, or check again with it`);
  }
  return recorded;
}

const recordedOptions: readonly (readonly [string, keyof ModelFlags, keyof ModelOptions])[] = [
  ["--language", "language", "language"],
  ["-D", "define", "defines"],
  ["--faults", "faults", "faults"],
  ["--refines", "refines", "refines"],
  ["--invariant", "invariant", "invariants"],
  ["--ltl", "ltl", "ltl"],
  ["--formula", "formula", "formulas"],
  ["--claim", "claim", "claims"],
  ["--target", "target", "targets"],
  ["--bounded", "bounded", "asksBoundedness"],
  ["--lose-when-full", "loseWhenFull", "loseWhenFull"],
  ["--end-needs-empty-channels", "endNeedsEmptyChannels", "endNeedsEmptyChannels"],
  ["--limit-processes", "limitProcesses", "maxProcesses"],
  ["--integers", "integers", "integers"],
  ["--refactor", "refactor", "refactor"],
  ["--arrays", "arrays", "arrays"],
  ["--concrete", "concrete", "concrete"],
  ["--sym-arg", "symArg", "symbolicArgs"],
  ["--sym-stdin", "symStdin", "symbolicStdin"],
  ["--cc", "cc", "compiler"],
  ["--tasks", "tasks", "tasks"],
  ...recordedMurphiOptions,
];

function fromFile(path: string, argv: readonly string[]): TraceArgument {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(argv, "cannot-read", `cannot read '${path}': ${readProblem(error)}`, path);
  }
  if (isTrail(text)) return fromTrail(path, text, argv);
  if (isPrintedRun(text)) return { request: { printed: parsePrintedRun(text) } };
  if (isItf(text)) return fromStates(path, text, argv);
  const trace = parseTraceFile(text);
  if ("problem" in trace)
    throw usageError(argv, "bad-trace", `'${path}' is no trace: ${trace.problem}`, path);
  const modelFile = join(dirname(path), trace.file);
  return { request: { schedule: trace.schedule, expected: trace }, modelFile, options: trace.options };
}

/** A trace of Apalache or Quint; the name of its model may be that of another tool. */
function fromStates(path: string, text: string, argv: readonly string[]): TraceArgument {
  const states = parseItf(text);
  if ("problem" in states)
    throw usageError(
      argv,
      "bad-trace",
      `the states in '${path}' cannot be followed: ${states.problem}`,
      path,
    );
  return { request: { states } };
}

/** Spin calls the trail of `m.pml` `m.pml.trail`. */
function fromTrail(path: string, text: string, argv: readonly string[]): TraceArgument {
  const trail = parseTrail(text);
  if ("problem" in trail)
    throw usageError(argv, "spin-trail", `the trail '${path}' cannot be followed: ${trail.problem}`, path);
  const modelFile = path.replace(/\d*\.trail$/, "");
  return { request: { trail }, ...(existsSync(modelFile) && modelFile !== path ? { modelFile } : {}) };
}
