/** Adapts C programs to the registry: a subject for engines that execute it, with replay by a run with concrete inputs. */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { runConcretely } from "../../engines/programs/index.js";
import { parseSchedule, type Property } from "../../model/index.js";
import type { Module, ProgramInputs, ProgramSubject } from "../../model/module.js";
import { loadProgram } from "../../programs/index.js";
import { errorProperty, errorReason, runNarrative } from "../../report/index.js";
import { parseDefine, unknownDefine, unmentionedMacros } from "../defines.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import type { Input } from "../request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { sources, defines = [], compiler } = options;
  const texts = new Map<string, string | undefined>([[input.file, input.text]]);
  const source = (file: string): string | undefined => {
    if (!texts.has(file)) {
      const text = input.readFile?.(file) ?? (isAbsolute(file) ? textOf(file) : undefined);
      texts.set(file, text);
      if (text !== undefined) sources.add(file, text);
    }
    return texts.get(file);
  };
  const { module, diagnostics } = loadProgram({ ...input, defines, compiler, source });
  if (!module) return { model: undefined, unsupported: [], diagnostics };
  const known = [...texts.values()].filter((text) => text !== undefined);
  const unused = unmentionedMacros(defines.map(parseDefine), known).map((name) =>
    unknownDefine(name, "the program does not mention it", input.file),
  );
  if (unused.length > 0) return { model: undefined, unsupported: [], diagnostics: unused };
  const subject = subjectOf(module, inputsOf(options));
  return {
    model: undefined,
    subject,
    unsupported: [],
    diagnostics,
    replay: async (request) => replayed(subject, sources, request),
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const inputsOf = ({ symbolicArgs = [], symbolicStdin }: LoadOptions): ProgramInputs => ({
  args: new Map(symbolicArgs.map((text) => text.split(":").map(Number) as [number, number])),
  stdin: symbolicStdin,
});

const properties: readonly Property[] = [
  { name: "assertions", kind: "assertion", span: undefined },
  { name: "runtime errors", kind: "runtime", span: undefined },
];

const subjectOf = (module: Module, inputs: ProgramInputs): ProgramSubject => ({
  kind: "program",
  properties,
  module,
  inputs,
});

type Replay = NonNullable<Loaded["replay"]>;

function replayed(
  program: ProgramSubject,
  sources: LoadOptions["sources"],
  request: Parameters<Replay>[0],
): Awaited<ReturnType<Replay>> {
  if ("trail" in request) return { problem: "Spin's trails are about models in Promela" };
  if ("states" in request)
    return { problem: "only models have states that can be compared: give a schedule" };
  if (request.property !== undefined)
    return { problem: "--property is for test files: a program has one run" };
  const parsed = parseSchedule(request.schedule);
  if (!parsed || parsed.choices.length > 0 || parsed.loopStart !== undefined)
    return { problem: `'${request.schedule.slice(0, 40)}' is not a list of inputs` };
  const inputs = (parsed.inputs ?? []).map(BigInt);
  const run = runConcretely(program, inputs, MOST_STEPS);
  if (run.isLonger) return { problem: "the schedule has more inputs than the program requests" };
  if (run.end?.kind === "dropped")
    return { problem: "the schedule lacks inputs, or an assumption is false for them" };
  if (run.end?.kind === "unsupported") return { problem: `the run reaches ${run.end.what}` };
  if (run.end === undefined) return { problem: `the run has not ended after ${MOST_STEPS} instructions` };
  const trace = runNarrative(run, inputs, sources);
  const wanted = request.expected?.property.name;
  if (run.end.kind === "error") {
    const found = properties.find(
      ({ kind }) => run.end?.kind === "error" && kind === errorProperty(run.end.error),
    );
    if (found && (wanted === undefined || found.name === wanted))
      return { outcome: "failed", reason: errorReason(run.end.error, sources), property: found, trace };
  }
  const reason = "the run ends without an error";
  return { outcome: wanted === undefined ? "passed" : "diverged", reason, property: undefined, trace };
}

const MOST_STEPS = 1e8;
