/** Reductions for models that are made from a `Program`: the smaller model, and the way back from it. */
import { compile, type CompiledModel, type CompileOptions } from "../compile/index.js";
import type { Coverage, Edge, Program, Sources } from "../model/index.js";
import { planReductions } from "../transforms/reduction/index.js";
import { concretise } from "./concretise.js";
import type { Reduced, ReductionRequest } from "./registry.js";

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
