/** Adapts C programs to the registry: a subject for engines that execute it, with replay by a run with concrete inputs. */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { runConcretely, type ConcreteRun } from "../../engines/programs/index.js";
import { parseSchedule, type Property } from "../../model/index.js";
import type { Module, ProgramInputs, ProgramSubject } from "../../model/module.js";
import { loadProgram, nativeInputs, runNatively } from "../../programs/index.js";
import { errorProperty, errorReason, runNarrative } from "../../report/index.js";
import { parseDefine, unknownDefine, unmentionedMacros } from "../defines.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import { plainPrograms } from "../declarations.js";
import type { Input } from "../request.js";
import { loadTasks, settingsOf } from "./c-tasks.js";

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
  const settings = settingsOf(input.text, options.tasks);
  const { module, diagnostics } = loadProgram({
    ...input,
    defines,
    compiler,
    source,
    tasks: settings?.dialect,
  });
  if (!module) return { model: undefined, unsupported: [], diagnostics };
  const known = [...texts.values()].filter((text) => text !== undefined);
  const unused = unmentionedMacros(defines.map(parseDefine), known).map((name) =>
    unknownDefine(name, "the program does not mention it", input.file),
  );
  if (unused.length > 0) return { model: undefined, unsupported: [], diagnostics: unused };
  if (settings) return loadTasks(module, settings, input.file, properties, sources);
  const subject = subjectOf(module, inputsOf(options));
  return {
    model: undefined,
    subject,
    accepts: plainPrograms,
    unsupported: [],
    diagnostics,
    replay: async (request) => {
      const judged = replayed(subject, sources, request);
      return "isNative" in request && request.isNative && "run" in judged
        ? natively(judged, { ...input, defines, compiler })
        : judged;
    },
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
type Refusal = Extract<Awaited<ReturnType<Replay>>, { readonly problem: string }>;

/** A replay, with the run that it made. */
type Replayed = Exclude<Awaited<ReturnType<Replay>>, Refusal> & { readonly run: ConcreteRun };

/** The same inputs in a native process: reproduced if a sanitizer reports the class of the error. */
function natively(
  judged: Replayed,
  program: {
    readonly file: string;
    readonly text: string;
    readonly defines: readonly string[];
    readonly compiler: string | undefined;
  },
): Exclude<Awaited<ReturnType<Replay>>, Refusal> | Refusal {
  const { end, inputs } = judged.run;
  const expected = end?.kind === "error" ? end.error.kind : undefined;
  const native = runNatively({ ...program, inputs: nativeInputs(inputs), expected });
  if ("problem" in native) return native;
  const { tool, outcome, report } = native;
  const said = report === "" ? `${tool}: no report` : `${tool}: ${report}`;
  // sound: test/session/native.test.ts
  if (judged.outcome === "failed" && outcome !== "same")
    return {
      ...judged,
      outcome: "diverged",
      reason: `natively not seen (${said}): ${judged.reason}`,
      native,
    };
  return { ...judged, reason: `${judged.reason}; natively, ${said}`, native };
}

function replayed(
  program: ProgramSubject,
  sources: LoadOptions["sources"],
  request: Parameters<Replay>[0],
): Replayed | Refusal {
  if ("trail" in request || "printed" in request)
    return { problem: "Spin's trails are about models in Promela and χ" };
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
      return { outcome: "failed", reason: errorReason(run.end.error, sources), property: found, trace, run };
  }
  const reason = "the run ends without an error";
  return { outcome: wanted === undefined ? "passed" : "diverged", reason, property: undefined, trace, run };
}

const MOST_STEPS = 1e8;
