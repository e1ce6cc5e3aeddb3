/** Adapts NDLog to the registry: a subject for the engine `pools`, with replay by its concrete semantics. */
import { extname } from "node:path";
import { loadNdlog, type NdlogText } from "../../languages/ndlog/index.js";
import { parseSchedule, witnessOf, type Diagnostic, type NdlogProgram } from "../../model/index.js";
import { ndlogNarrative, ndlogPicture, ndlogReason, ndlogRunOfSchedule } from "../../report/index.js";
import { parseDefine } from "../defines.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import { NdlogStepper } from "../ndlog-run.js";
import type { Input } from "../request.js";

export async function load(
  input: Input,
  { defines = [], claims = [], sources }: LoadOptions,
): Promise<Loaded> {
  const { specifications, missing } = specificationsOf(input, claims);
  for (const { file, text } of specifications) sources.add(file, text);
  const { program, diagnostics } = loadNdlog(input.file, input.text, {
    specifications,
    parameters: defines.map(parseDefine),
  });
  if (!program || missing.length > 0)
    return { model: undefined, unsupported: [], diagnostics: missing.length > 0 ? missing : diagnostics };
  return {
    model: undefined,
    subject: program,
    picture: ndlogPicture,
    unsupported: [],
    diagnostics,
    replay: async (request) => replayed(program, request),
    simulate: (seed, schedule) => {
      const guide = schedule === undefined ? undefined : ndlogRunOfSchedule(program, schedule);
      return guide && "problem" in guide ? guide : new NdlogStepper(program, seed, guide);
    },
  };
}

/** Files of `--claim`; without any, the `.ndspec` file beside the program, if there is one. */
function specificationsOf(
  { file, readFile }: Input,
  claims: readonly string[],
): { readonly specifications: readonly NdlogText[]; readonly missing: readonly Diagnostic[] } {
  const beside = `${file.slice(0, file.length - extname(file).length)}.ndspec`;
  const specifications: NdlogText[] = [];
  const missing: Diagnostic[] = [];
  for (const each of claims.length > 0 ? claims : [beside]) {
    const text = readFile?.(each);
    if (text !== undefined) specifications.push({ file: each, text });
    else if (claims.length > 0)
      missing.push({
        code: "ndlog/no-file",
        severity: "error",
        message: `cannot read the specification '${each}'`,
        span: { file, start: 0, end: 0 },
      });
  }
  return { specifications, missing };
}

type Replay = NonNullable<Loaded["replay"]>;

function replayed(program: NdlogProgram, request: Parameters<Replay>[0]): Awaited<ReturnType<Replay>> {
  if ("trail" in request || "printed" in request)
    return { problem: "Spin's trails are about models in Promela and χ" };
  if ("states" in request)
    return { problem: "only models have states that can be compared: give a schedule" };
  if (request.property !== undefined)
    return { problem: "--property is for test files: a program has one system" };
  const run = ndlogRunOfSchedule(program, request.schedule);
  if ("problem" in run) return run;
  const { choices = [], inputs = [] } = parseSchedule(request.schedule) ?? {};
  const trace = ndlogNarrative(program, run, { choices, inputs });
  const wanted = request.expected?.property.name;
  for (const property of program.properties) {
    if (property.asks !== "always" || (wanted !== undefined && property.name !== wanted)) continue;
    const roots = witnessOf(property, run.events, run.functions); // sound: test/session/ndlog.test.ts
    if (!roots) continue;
    const reason = request.expected?.reason ?? ndlogReason(program, property, run.events, roots);
    return { outcome: "failed", reason, property, trace };
  }
  const reason = "the derived tuples violate no property";
  return { outcome: wanted === undefined ? "passed" : "diverged", reason, property: undefined, trace };
}
