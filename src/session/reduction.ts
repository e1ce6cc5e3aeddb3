/** Reductions for models that are made from a `Program`: the smaller model, and the way back from it. */
import { CommonStates, compile, type CompiledModel, type CompileOptions } from "../compile/index.js";
import {
  Status,
  type Coverage,
  type Edge,
  type Finding,
  type Model,
  type Program,
  type Sources,
  type Trace,
} from "../model/index.js";
import { Conditions, planReductions, planTemporal, type Plan } from "../transforms/reduction/index.js";
import { concretise, concretiseLoop } from "./concretise.js";
import type { ConditionTest } from "./sampling.js";
import type { Reduced, ReducedTemporal, ReductionRequest, TemporalReductionRequest } from "./registry.js";

export const reducer =
  (program: Program, original: CompiledModel, sources: Sources, options: CompileOptions) =>
  (request: ReductionRequest): Reduced =>
    reduce(program, original, sources, options, request, true);

/** `trustsClaims`: as long as no claim on a channel has turned out false. */
function reduce(
  program: Program,
  original: CompiledModel,
  sources: Sources,
  options: CompileOptions,
  request: ReductionRequest,
  trustsClaims: boolean,
): Reduced {
  const isReported = request.properties.some((p) => p.kind === "runtime"); // sound: test/session/claims.test.ts
  // Temporal properties are not checked on what comes out.
  const plan = planReductions(
    { ...program, temporal: [] },
    { ...request, trustsClaims: trustsClaims && isReported },
  );
  if (plan.names.length === 0) return whole(plan, original);
  const model = compile(plan.program, sources, { ...options, candidacy: plan.candidacy });
  const concretised = (trace: Trace): Trace => concretise(trace, model, original, plan.origins);
  // The same objects, so that the caller can ask for them by identity.
  const asked = { ...model, properties: original.properties, invariants: original.invariants };
  const instead = (findings: readonly Finding[]): Reduced | undefined =>
    trustsClaims && findings.some((f) => isFalseClaim(f, program)) // sound: test/session/claims.test.ts
      ? reduce(program, original, sources, options, request, false)
      : undefined;
  return { ...reducedBy(plan, asked, original, program, concretised), instead };
}

const isFalseClaim = ({ verdict }: Finding, { sites }: Program): boolean =>
  verdict.kind === "violated" &&
  // sound: test/session/claims.test.ts
  sites[verdict.trace?.fault ?? -1]?.fault === "exclusive-access";

export const temporalReducer =
  (program: Program, original: CompiledModel, sources: Sources, options: CompileOptions) =>
  (request: TemporalReductionRequest): ReducedTemporal => {
    const plan = planTemporal(program, request);
    if (plan.names.length === 0) return whole(plan, original);
    // The property stays the same object, so that it is found by identity.
    const model = compile(plan.program, sources, { ...options, candidacy: plan.candidacy });
    const concretised = (trace: Trace): Trace | undefined =>
      concretiseLoop(trace, model, original, plan.origins);
    return reducedBy(plan, model, original, program, concretised);
  };

const whole = ({ refused }: Plan, original: CompiledModel): Reduced & ReducedTemporal => ({
  model: original,
  possible: PROGRAM_REDUCTIONS,
  names: [],
  refused,
  concretise: (trace: Trace) => trace,
  transferCoverage: () => {},
});

function reducedBy(
  plan: Plan,
  model: CompiledModel,
  original: CompiledModel,
  program: Program,
  concretised: (trace: Trace) => Trace | undefined,
): Reduced & ReducedTemporal {
  const { names, refused, origins, program: rewritten } = plan;
  const back = (edge: Edge): readonly Edge[] => origins.get(edge) ?? [edge];
  return {
    model,
    test: conditionTest(plan),
    possible: PROGRAM_REDUCTIONS,
    names,
    refused,
    concretise: concretised,
    transferCoverage: () => {
      transfer(model.coverage, original.coverage, rewritten, program, back);
      if (model.truncation && original.truncation)
        transfer(model.truncation, original.truncation, rewritten, program, back);
    },
  };
}

/** What the plan rests on, tested in states of the program that it made. */
function conditionTest(plan: Plan): ConditionTest {
  const common = new CommonStates(plan.stages[0]?.before ?? plan.program);
  const agents = new Int32Array(plan.program.rules.maxProcesses + 1);
  let conditions: Conditions | undefined;
  return (state, { system, steps, layout }: Model & Partial<Pick<CompiledModel, "layout">>) => {
    if (!layout) throw new Error("a state of another kind of model cannot be tested");
    if ((steps.status(state, 0) & Status.intermediate) !== 0) return undefined;
    // States may have become wider since.
    const wide = new Int32Array(Math.max(system.width, state.length));
    wide.set(state);
    const alone = system.candidates?.propose(wide, 0, agents) ?? 0;
    conditions ??= new Conditions(plan, common);
    return conditions.test(common.from(wide, layout), [...agents.subarray(0, alone)]);
  };
}

const PROGRAM_REDUCTIONS = ["slice", "dead", "merge", "por"] as const;

/** What was reached in the rewritten program is reached in the original one. */
function transfer(
  from: Coverage,
  to: Coverage,
  rewritten: Program,
  original: Program,
  back: (edge: Edge) => readonly Edge[],
): void {
  const numbers = new Map(allEdges(original).map((edge, number) => [edge, number]));
  allEdges(rewritten).forEach((edge, number) => {
    if (from.reached[number] === 0) return;
    for (const part of back(edge)) to.reached[numbers.get(part)!] = 1;
  });
}

const allEdges = (program: Program): Edge[] =>
  program.templates.flatMap((t) => t.locations.flatMap((l) => l.edges));
