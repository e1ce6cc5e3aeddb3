/** Runs a trace again and says whether it still shows what it showed. */
import { hasErrors, parseSchedule, type Diagnostic, type Model } from "../model/index.js";
import {
  narrate,
  type ExecutionReport,
  type Narration,
  type Narrative,
  type Outcome,
} from "../report/index.js";
import { endingOf, shows } from "./ending.js";
import { load } from "./load.js";
import type { Registry } from "./registry.js";
import type { Input, ModelOptions } from "./request.js";
import { hashOf, type TraceFile } from "./trace-file.js";

export interface ReplayRequest {
  readonly schedule: string;
  /** What the trace showed when it was written; without it any error counts. */
  readonly expected?: TraceFile;
}

export async function replayInput(
  input: Input,
  request: ReplayRequest,
  options: ModelOptions,
  registry: Registry,
): Promise<ExecutionReport> {
  const started = performance.now();
  const loaded = await load(input, options, registry);
  const common = {
    command: "replay",
    file: input.file,
    language: loaded.language,
    sources: loaded.sources,
  } as const;
  const nothing = { trace: undefined, property: undefined, seed: undefined, seconds: 0 };
  const choices = parseSchedule(request.schedule);
  const diagnostics = [...loaded.diagnostics, ...(choices ? [] : [badSchedule(input, request.schedule)])];
  if (!loaded.model || !choices || hasErrors(diagnostics))
    return { ...common, ...nothing, outcome: "diverged", reason: "nothing was replayed", diagnostics };

  const narration = narrate(loaded.model.steps, {
    choices,
    loopStart: request.expected?.loopStart ?? undefined,
  });
  const judged = judge(loaded.model, narration, request.expected);
  const changed = request.expected && request.expected.sourceHash !== hashOf(loaded.sources);
  return {
    ...common,
    ...judged,
    trace: narration.narrative,
    seed: undefined,
    seconds: (performance.now() - started) / 1000,
    diagnostics: [
      ...diagnostics,
      ...(changed
        ? [warning(input, "session/model-changed", "the model is not the one that the trace was written for")]
        : []),
      ...differentSteps(input, narration.narrative, request.expected),
    ],
  };
}

type Judgement = {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly property: ExecutionReport["property"];
};

function judge(model: Model, narration: Narration, expected: TraceFile | undefined): Judgement {
  const { narrative } = narration;
  if (narration.kind === "diverged") {
    const { step, offered } = narration;
    const reason = `the model offers ${offered === 0 ? "no step" : `only ${offered}`} at step ${step}`;
    return { outcome: "diverged", reason, property: undefined };
  }
  const { words } = narrative.final;
  const property = expected && model.properties.find(({ name }) => name === expected.property.name);
  if (
    expected &&
    property &&
    shows(model, property, words, narrative.fault) &&
    sameFault(model, narrative, expected)
  )
    return { outcome: "failed", reason: expected.reason, property };
  const ending = endingOf(model, words, narrative.fault);
  switch (ending.kind) {
    case "failed":
      if (!expected) return { outcome: "failed", reason: ending.reason, property: ending.property };
      return {
        outcome: "diverged",
        reason: `it now shows something else: ${ending.reason}`,
        property: undefined,
      };
    case "ended":
      return { outcome: "passed", reason: "the run ends properly", property: undefined };
    case "open":
      return { outcome: "passed", reason: "nothing is wrong at the end of the trace", property: undefined };
  }
}

const sameFault = (model: Model, { fault }: Narrative, expected: TraceFile): boolean =>
  (model.sites[fault]?.fault ?? null) === expected.fault;

/** Where a run that can still be made reads differently from what was recorded. */
function differentSteps(input: Input, { steps }: Narrative, expected: TraceFile | undefined): Diagnostic[] {
  const recorded = new Map(expected?.steps.map((step) => [step.number, step]));
  const first = steps.find(({ number, action, participants }) => {
    const before = recorded.get(number);
    return before && (before.action !== action || before.participants.join() !== participants.join());
  });
  if (!first) return [];
  const { action, participants } = recorded.get(first.number)!;
  const message = `step ${first.number} was '${participants.join(" + ")}: ${action}' and is now '${first.participants.join(" + ")}: ${first.action}'`;
  return [{ ...warning(input, "session/step-changed", message), span: first.sources[0] ?? inputSpan(input) }];
}

const inputSpan = ({ file }: Input): Diagnostic["span"] => ({ file, start: 0, end: 0 });

const warning = (input: Input, code: string, message: string): Diagnostic => ({
  code,
  severity: "warning",
  message,
  span: inputSpan(input),
});

const badSchedule = (input: Input, schedule: string): Diagnostic => ({
  code: "session/bad-schedule",
  severity: "error",
  message: `'${schedule.slice(0, 40)}' is neither a file nor a schedule`,
  span: inputSpan(input),
  hint: "a schedule is the list of choices that a check prints, such as 0.2.1*3",
});
