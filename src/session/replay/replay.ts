/** Replays a trace and compares the outcome with the recorded one. */
import {
  hasErrors,
  isChi,
  parseSchedule,
  type Diagnostic,
  type Model,
  type Property,
  type Subject,
  type Trace,
} from "../../model/index.js";
import { entryOf } from "../../model/known.js";
import {
  narrate,
  type ExecutionReport,
  type Narration,
  type Narrative,
  type Outcome,
} from "../../report/index.js";
import { endingOf, shows } from "./ending.js";
import { followPrinted } from "../chi/trail.js";
import { followStates } from "./itf.js";
import { violatesAlready } from "./lasso.js";
import { load, type LoadedInput } from "../load.js";
import type { Judged, Registry } from "../contracts.js";
import type { Input, ModelOptions } from "../request.js";
import type { ReplayRequest } from "./request.js";
import { hashOf, type TraceFile } from "./trace-file.js";
import { followTrail } from "./trail-search.js";
import type { Refusal } from "./trail.js";

type Run = Pick<Trace, "choices" | "loopStart">;

/** Finds the run of this model that a request describes. */
export function runOf(model: Model, request: ReplayRequest, subject?: Subject): Run | Refusal {
  if ("property" in request && request.property !== undefined)
    return { problem: "--property is for test files: a model has one system" };
  if ("trail" in request) {
    const choices = followTrail(model, request.trail);
    return "problem" in choices ? choices : { choices, loopStart: undefined };
  }
  if ("printed" in request) {
    if (!isChi(subject)) return { problem: "Spin's steps are followed in χ; other models follow its trail" };
    const run = followPrinted(subject.program, request.printed);
    return "problem" in run ? run : { choices: run.choices, loopStart: undefined };
  }
  if ("states" in request) return followStates(model, request.states);
  const run = parseSchedule(request.schedule);
  // sound: test/session/guarded.test.ts
  if (run?.inputs) return { problem: "the schedule has inputs, and the model takes none" };
  return run ?? { problem: `'${request.schedule.slice(0, 40)}' is not a schedule` };
}

export async function replayInput(
  input: Input,
  request: ReplayRequest,
  options: ModelOptions,
  registry: Registry,
): Promise<ExecutionReport> {
  const started = performance.now();
  const loaded = await load(input, { ...options, run: "replay", judges: true }, registry);
  const { language, sources, diagnostics } = loaded;
  const common = { command: "replay", file: input.file, language, sources, seed: undefined } as const;
  const nothing = {
    ...common,
    outcome: "diverged",
    property: undefined,
    trace: undefined,
    seconds: 0,
  } as const;
  const judged = hasErrors(diagnostics) ? undefined : await judgedBy(loaded, request);
  if (!judged) return { ...nothing, reason: "nothing was replayed", diagnostics };
  if ("problem" in judged)
    return {
      ...nothing,
      reason: judged.problem,
      diagnostics: [...diagnostics, cannotFollow(input, request, judged)],
    };
  const expected = "expected" in request ? request.expected : undefined;
  const changed = judged.trace ? differences(input, loaded, judged.trace, expected) : [];
  return {
    ...common,
    ...judged,
    seconds: (performance.now() - started) / 1000,
    diagnostics: [...diagnostics, ...changed],
  };
}

/** Undefined: there is no run. */
async function judgedBy(
  { model, subject, replay }: LoadedInput,
  request: ReplayRequest,
): Promise<Judged | Refusal | undefined> {
  if (replay) {
    const judged = await replay(request);
    const isIgnored = isNative(request) && !("problem" in judged) && !judged.native;
    return isIgnored ? { problem: NOT_NATIVE } : judged;
  }
  if (!model) return undefined;
  if (isNative(request)) return { problem: NOT_NATIVE };
  const run = runOf(model, request, subject);
  if ("problem" in run) return run;
  const narration = narrate(model.steps, run);
  const expected = "expected" in request ? request.expected : undefined;
  return { ...judge(model, run, narration, expected), trace: narration.narrative };
}

const isNative = (request: ReplayRequest): boolean => "isNative" in request && request.isNative === true;
const NOT_NATIVE = "--native is for C programs: only they run natively";

type Judgement = {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly property: ExecutionReport["property"];
};

function judge(model: Model, run: Run, narration: Narration, expected: TraceFile | undefined): Judgement {
  const { narrative } = narration;
  if (narration.kind === "diverged") {
    const { step, offered } = narration;
    const reason = `the model offers ${offered === 0 ? "no step" : `only ${offered}`} at step ${step}`;
    return { outcome: "diverged", reason, property: undefined };
  }
  const { words } = narrative.final;
  const shown = { ...run, words, fault: narrative.fault };
  const property = expected && model.properties.find(({ name }) => name === expected.property.name);
  if (expected && property && shows(model, property, shown) && sameFault(model, narrative, expected))
    return { outcome: "failed", reason: expected.reason, property };
  if (run.loopStart !== undefined && !expected) return judgeLoop(model, shown);
  const already = expected ? undefined : violatedAlready(model, run.choices);
  if (already) return already;
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

/** Judges a loop: the temporal property that it violates, or unbounded growth. */
function judgeLoop(model: Model, shown: Parameters<typeof shows>[2]): Judgement {
  const others = model.properties.filter(
    ({ kind }) => kind === "boundedness" || kind === "actions" || kind === "refinement",
  );
  const candidates: readonly Property[] = [...(model.temporal?.properties ?? []), ...others];
  const property = candidates.find((candidate) => shows(model, candidate, shown));
  if (property) return { outcome: "failed", reason: `${property.name} is violated`, property };
  return { outcome: "passed", reason: "the loop violates no temporal property", property: undefined };
}

/** A temporal property that every continuation violates. */
function violatedAlready(model: Model, choices: readonly number[]): Judgement | undefined {
  const property = model.temporal?.properties.find((one) => violatesAlready(model, one, choices));
  return (
    property && { outcome: "failed", reason: `${property.name} is violated by every continuation`, property }
  );
}

/** The step into a deadlock or an invariant violation may also have failed. */
const sameFault = (model: Model, { fault }: Narrative, expected: TraceFile): boolean =>
  expected.fault === null || model.sites[fault]?.fault === expected.fault;

/** Changes since the trace was written. */
function differences(
  input: Input,
  { sources }: LoadedInput,
  narrative: Narrative,
  expected: TraceFile | undefined,
): Diagnostic[] {
  const isChanged = expected !== undefined && expected.sourceHash !== hashOf(sources);
  const message = "the model has changed since the trace was written";
  return [
    ...(isChanged ? [warning(input, "session/model-changed", message)] : []),
    ...differentSteps(input, narrative, expected),
  ];
}

/** Steps of a still possible run that differ from the recorded ones. */
function differentSteps(input: Input, { steps }: Narrative, expected: TraceFile | undefined): Diagnostic[] {
  const recorded = new Map(expected?.steps.map((step) => [step.number, step]));
  const first = steps.find(({ number, action, participants }) => {
    const before = recorded.get(number);
    return before && (before.action !== action || before.participants.join() !== participants.join());
  });
  if (!first) return [];
  const { action, participants } = entryOf(recorded, first.number);
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

/** A malformed schedule is an error of the input; a trail or states that cannot be followed may be valid. */
const cannotFollow = (input: Input, request: ReplayRequest, { problem }: Refusal): Diagnostic => ({
  code: "session/cannot-replay",
  severity: "schedule" in request ? "error" : "warning",
  message: `the trace cannot be replayed: ${problem}`,
  span: inputSpan(input),
});
