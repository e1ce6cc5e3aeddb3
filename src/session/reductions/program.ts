/** Reductions for models compiled from a `Program`: the smaller model, and the mapping of its traces back. */
import { CommonStates, compile, type CompiledModel } from "../../compile/index.js";
import {
  Status,
  unreduced,
  type ConditionTest,
  type Coverage,
  type Edge,
  type Finding,
  type Model,
  type Program,
  type Property,
  type Reduced,
  type Reductions,
  type Refusal,
  type ProgramProperty,
  type Trace,
} from "../../model/index.js";
import { entryOf } from "../../model/known.js";
import {
  Conditions,
  planReductions,
  planTemporal,
  type Plan,
  type PlanRequest,
  type TemporalPlanRequest,
} from "../../transforms/reduction/index.js";
import { concretise, concretiseLoop } from "./concretise.js";
import { SYMMETRY, type Compiled, type ProcessSymmetries } from "./processes.js";

export function programReductions(compiled: Compiled, symmetries: ProcessSymmetries): Reductions {
  const { program, options } = compiled;
  const isTemporal = (property: Property): property is ProgramProperty =>
    ((program.temporal ?? []) as readonly Property[]).includes(property);
  const hidesCuts = options.notesTruncation === true;
  const allowed = (wanted: readonly string[]): readonly ProgramReduction[] =>
    // sound: test/session/reduction.test.ts
    PROGRAM_REDUCTIONS.filter((name) => wanted.includes(name) && !(hidesCuts && name === "slice"));
  const isSymmetric = (property: Property, wanted: readonly string[]): boolean =>
    wanted.includes(SYMMETRY) && symmetries.isPossible && symmetries.refusal(property) === undefined;
  return {
    names: [...PROGRAM_REDUCTIONS, SYMMETRY],
    // Representatives are not combined with the others, which may reduce more.
    optional: symmetries.isDeclared ? [] : [SYMMETRY],
    proposing: ["por"],
    proposesInStepCode: true,
    refused: ({ wanted, isAsked }) => [
      ...(hidesCuts && isAsked && wanted.includes("slice")
        ? [{ name: "slice", why: "it would hide values that are cut to fit their variables" }]
        : []),
      ...(wanted.includes(SYMMETRY) && (isAsked || symmetries.isPossible) ? symmetries.refused : []),
    ],
    accepts: (property, { wanted }) => {
      const others = allowed(wanted);
      if (isSymmetric(property, wanted)) return { names: [SYMMETRY], refused: others.map(replaced) };
      const refusal =
        wanted.includes(SYMMETRY) && symmetries.isPossible ? symmetries.refusal(property) : undefined;
      return { names: others, refused: refusal ? [refusal] : [] };
    },
    apply: (properties, { wanted, fairness }) => {
      const [first] = properties;
      // sound: test/session/process-symmetry.test.ts
      if (first && properties.every((property) => isSymmetric(property, wanted)))
        return symmetries.apply(properties);
      return first && isTemporal(first)
        ? reduceTemporal(compiled, { wanted: allowed(wanted), property: first, fairness })
        : reduce(compiled, { wanted: allowed(wanted), properties }, true);
    },
  };
}

const replaced = (name: string): Refusal => ({ name, why: "symmetry takes its place" });

const PROGRAM_REDUCTIONS = ["slice", "dead", "merge", "por"] as const;

type ProgramReduction = (typeof PROGRAM_REDUCTIONS)[number];

/** `trustsClaims`: true until a claim on a channel is refuted. */
function reduce(
  compiled: Compiled,
  request: Omit<PlanRequest, "trustsClaims">,
  trustsClaims: boolean,
): Reduced {
  const { program, model: original, sources, options } = compiled;
  const { properties } = request;
  const isReported = properties.some((p) => p.kind === "runtime"); // sound: test/session/claims.test.ts
  // Temporal properties are not checked on the result.
  const plan = planReductions(
    { ...program, temporal: [] },
    { ...request, trustsClaims: trustsClaims && isReported },
  );
  if (plan.names.length === 0) return unreduced(original, plan.refused);
  const model = compile(plan.program, sources, { ...options, candidacy: plan.candidacy });
  const concretised = (trace: Trace): Trace => concretise(trace, model, original, plan.origins);
  // The same objects, so that the caller can find them by identity.
  const asked = { ...model, properties: original.properties, invariants: original.invariants };
  const again = (findings: readonly Finding[]): Reduced | undefined =>
    trustsClaims && findings.some((f) => isFalseClaim(f, program)) // sound: test/session/claims.test.ts
      ? reduce(compiled, request, false)
      : undefined;
  return { ...reducedBy(plan, asked, compiled), concretise: concretised, again };
}

const isFalseClaim = ({ verdict }: Finding, { sites }: Program): boolean =>
  verdict.kind === "violated" &&
  // sound: test/session/claims.test.ts
  sites[verdict.trace?.fault ?? -1]?.fault === "exclusive-access";

function reduceTemporal(compiled: Compiled, request: TemporalPlanRequest): Reduced {
  const { program, model: original, sources, options } = compiled;
  const plan = planTemporal(program, request);
  if (plan.names.length === 0) return unreduced(original, plan.refused);
  // The property stays the same object, so that it is found by identity.
  const model = compile(plan.program, sources, { ...options, candidacy: plan.candidacy });
  return {
    ...reducedBy(plan, model, compiled),
    // A loop may close only after several repetitions.
    concretise: (trace) => concretiseLoop(trace, model, original, plan.origins),
    // The whole model: a violation may occur only in the reduced one.
    refine: () => unreduced(original),
  };
}

function reducedBy(
  plan: Plan,
  model: CompiledModel,
  { model: original, program }: Compiled,
): Omit<Reduced, "concretise"> {
  const { names, refused, origins, program: rewritten } = plan;
  const back = (edge: Edge): readonly Edge[] => origins.get(edge) ?? [edge];
  return {
    model,
    test: conditionTest(plan),
    names,
    refused: () => refused,
    transferCoverage: () => {
      transfer(model.coverage, original.coverage, rewritten, program, back);
      if (model.truncation && original.truncation)
        transfer(model.truncation, original.truncation, rewritten, program, back);
    },
  };
}

/** The plan's conditions, tested in states of the rewritten program. */
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

/** Coverage of the rewritten program implies coverage of the original one. */
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
    for (const part of back(edge)) to.reached[entryOf(numbers, part)] = 1;
  });
}

const allEdges = (program: Program): Edge[] =>
  program.templates.flatMap((t) => t.locations.flatMap((l) => l.edges));
