/** Adapts guarded commands to the registry: a subject for engines that ask a solver, with replay by their concrete semantics. */
import { loadGcl } from "../../languages/gcl/index.js";
import { isTrue, statesOf, type GuardedProgram } from "../../model/index.js";
import { guardedNarrative, guardedReason, runOfSchedule, transitionText } from "../../report/index.js";
import { parseDefine } from "../defines.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import type { Input } from "../request.js";

export async function load(input: Input, { defines = [] }: LoadOptions): Promise<Loaded> {
  const { program, diagnostics } = loadGcl(input.file, input.text, { parameters: defines.map(parseDefine) });
  if (!program) return { model: undefined, unsupported: [], diagnostics };
  return {
    model: undefined,
    subject: program,
    unsupported: [],
    diagnostics,
    replay: async (request) => replayed(program, input.text, request),
  };
}

type Replay = NonNullable<Loaded["replay"]>;

function replayed(
  program: GuardedProgram,
  text: string,
  request: Parameters<Replay>[0],
): Awaited<ReturnType<Replay>> {
  if ("trail" in request) return { problem: "Spin's trails are about models in Promela" };
  if (request.property !== undefined)
    return { problem: "--property is for test files: a program has one system" };
  const run = runOfSchedule(program, request.schedule);
  if ("problem" in run) return run;
  const trace = guardedNarrative(program, run, (transition) => transitionText(program, text, transition));
  const last = statesOf(program, run)?.at(-1) ?? [];
  const wanted = request.expected?.property.name;
  const violated = program.properties.find(
    ({ name, condition }) => (wanted === undefined || name === wanted) && !isTrue(condition, last), // sound: test/session/guarded.test.ts
  );
  if (violated)
    return {
      outcome: "failed",
      reason: request.expected?.reason ?? guardedReason(violated),
      property: violated,
      trace,
    };
  const reason = "nothing is wrong at the end of the trace";
  return { outcome: wanted === undefined ? "passed" : "diverged", reason, property: undefined, trace };
}
