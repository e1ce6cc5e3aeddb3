/**
 * Adapts guarded commands to the registry: a subject for engines that ask a solver, and, if every variable has a range, a model for all
 * searches of states. Runs of other programs are replayed by their concrete semantics.
 */
import { compileGuarded, whyNoStates, type GuardedModel } from "../../compile/guarded.js";
import { loadGcl } from "../../languages/gcl/index.js";
import { isTrue, statesOf, type GuardedProgram, type Step } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { guardedNarrative, guardedReason, runOfSchedule, transitionText } from "../../report/index.js";
import { guarded, unboundedGuarded } from "../declarations.js";
import { parseDefine } from "../defines.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import { ruleReductions } from "../reductions/rules.js";
import type { Input } from "../request.js";

export async function load(input: Input, { defines = [] }: LoadOptions): Promise<Loaded> {
  const { program, diagnostics } = loadGcl(input.file, input.text, { parameters: defines.map(parseDefine) });
  if (!program) return { model: undefined, unsupported: [], diagnostics };
  return {
    ...(whyNoStates(program) === undefined
      ? withStates(program, input.text)
      : withoutStates(program, input.text)),
    diagnostics,
  };
}

/** A program without states to visit. */
export const withoutStates = (program: GuardedProgram, text: string): Loaded => ({
  model: undefined,
  subject: program,
  unsupported: [],
  diagnostics: [],
  accepts: unboundedGuarded,
  replay: async (request) => replayed(program, text, request),
});

function withStates(program: GuardedProgram, text: string): Loaded {
  const compiled = compileGuarded(program);
  const { coverage } = compiled;
  const texts = program.transitions.map((_, index) => transitionText(program, text, index));
  const parts = program.transitions.map(({ process, span }, index) => ({
    owner: process,
    text: nth(texts, index),
    span,
  }));
  const subject: GuardedProgram = { ...program, traceOf: compiled.traceOf };
  return {
    model: {
      ...compiled,
      steps: explained(program, compiled, texts),
      violationReason: (index) => guardedReason(nth(program.properties, index)),
      coverage: { ...coverage, parts },
      reductions: ruleReductions(compiled.rules, compiled, "exact"),
    },
    subject,
    unsupported: [],
    diagnostics: [],
    accepts: guarded,
    code: () => compiled.code,
  };
}

/** Describes steps as runs of programs without states do. */
function explained(
  { transitions, variables }: GuardedProgram,
  { steps, transitionAt, eventsAt }: GuardedModel,
  texts: readonly string[],
): GuardedModel["steps"] {
  const described = (state: Int32Array, at: number, choice: number): Step => {
    const transition = transitionAt(state, at, choice);
    if (transition !== undefined) {
      const { process, span } = nth(transitions, transition);
      return {
        participants: [process],
        action: nth(texts, transition),
        sources: [span],
        messages: [],
        output: "",
      };
    }
    const { parameters } = nth(eventsAt(state, at), choice);
    const open = parameters.map(({ name, value }) => `${name} = ${value}`).join(", ");
    const action = variables.length === 0 || open === "" ? "start" : `start with ${open}`;
    return { participants: ["program"], action, sources: [], messages: [], output: "" };
  };
  return {
    width: steps.width,
    compareFrom: steps.compareFrom,
    hasRoot: true,
    labels: "agents",
    initial: (out) => steps.initial(out),
    successors: (state, at, out) => steps.successors(state, at, out),
    status: (state, at) => steps.status(state, at),
    snapshot: (state, at) => steps.snapshot(state, at),
    processes: (state, at) => steps.processes(state, at),
    describe: described,
  };
}

type Replay = NonNullable<Loaded["replay"]>;

function replayed(
  program: GuardedProgram,
  text: string,
  request: Parameters<Replay>[0],
): Awaited<ReturnType<Replay>> {
  if ("trail" in request || "printed" in request)
    return { problem: "Spin's trails are about models in Promela and χ" };
  if ("states" in request)
    return { problem: "only models have states that can be compared: give a schedule" };
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
