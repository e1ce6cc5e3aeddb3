/** Reductions for models that are made from a `Program`: the smaller model, and the way back from it. */
import { compile, type CompiledModel, type CompileOptions } from "../compile/index.js";
import type { Coverage, Edge, Expr, Program, Sources, TemporalProperty } from "../model/index.js";
import { isStutterInvariant } from "../transforms/ltl/index.js";
import { marking, planReductions, whyNotReducible } from "../transforms/reduction/index.js";
import { concretise } from "./concretise.js";
import type { Reduced, ReduceTemporal, ReductionRequest } from "./registry.js";

export const reducer =
  (program: Program, original: CompiledModel, sources: Sources, options: CompileOptions) =>
  (request: ReductionRequest): Reduced => {
    const checksFaults = request.properties.some((p) => p.kind === "runtime");
    // Temporal properties are not checked on what comes out.
    const plan = planReductions({ ...program, temporal: [] }, { ...request, checksFaults });
    const isPlain = plan.names.length === 0;
    const model = isPlain
      ? original
      : compile(plan.program, sources, { ...options, candidacy: plan.candidacy });
    const back = (edge: Edge): readonly Edge[] => plan.origins.get(edge) ?? [edge];
    return {
      // The same objects, so that the caller can ask for them by identity.
      model: isPlain
        ? original
        : { ...model, properties: original.properties, invariants: original.invariants },
      possible: ["slice", "dead", "merge", "por"],
      names: plan.names,
      refused: plan.refused,
      concretise: (trace) => (isPlain ? trace : concretise(trace, model, original, plan.origins)),
      transferCoverage: () => {
        if (isPlain) return;
        transfer(model.coverage, original.coverage, plan.program, program, back);
        if (model.truncation && original.truncation)
          transfer(model.truncation, original.truncation, plan.program, program, back);
      },
    };
  };

/**
 * The model's system with candidates for a temporal property, if there can be any: only steps that the property does not see
 * may be explored alone, and it must not count steps.
 */
export const temporalReducer =
  (program: Program, sources: Sources, options: CompileOptions) =>
  ({ name, requirement, propositions }: TemporalProperty): ReturnType<ReduceTemporal> => {
    const observed = propositions.map((p) => p.condition);
    const why = whyNotReducible(program);
    if (why !== undefined) return { why };
    if (requirement.kind === "avoids") return { why: `'${name}' may count steps, as claims can` };
    if (!isStutterInvariant(requirement.formula)) return { why: `'${name}' counts steps, with 'next'` };
    if (!observed.every(looksAtGlobals)) return { why: `'${name}' looks at more than global variables` };
    // Nobody reports an access against an `xr` or `xs` here.
    const candidacy = marking(program, { trustsClaims: false, observed });
    if (candidacy.locations.every((template) => template.every((l) => l === undefined))) return {};
    return { system: compile(program, sources, { ...options, candidacy }).temporal?.system };
  };

/** Who writes a global is known; what else a condition can ask for may change with any step. */
function looksAtGlobals(e: Expr): boolean {
  switch (e.kind) {
    case "constant":
      return true;
    case "load":
      return (
        e.place.scope === "global" &&
        e.place.path.every((step) => step.kind === "field" || looksAtGlobals(step.index))
      );
    case "unary":
      return looksAtGlobals(e.operand);
    case "binary":
      return looksAtGlobals(e.left) && looksAtGlobals(e.right);
    case "conditional":
      return looksAtGlobals(e.test) && looksAtGlobals(e.then) && looksAtGlobals(e.otherwise);
    default:
      return false;
  }
}

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
