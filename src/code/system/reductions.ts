/** Reductions of systems of nodes: symmetry if declared, otherwise partial order. */
import {
  needsAllStates,
  type Acceptance,
  type Model,
  type Property,
  type ReductionRequest,
  type Reductions,
  type Refusal,
} from "../../model/index.js";
import { symmetryReduction, whyNotSymmetric } from "./symmetry-reduction.js";
import type { SystemModel } from "./model.js";
import { partialOrderReduction, whyAllStates, whyNoPartialOrder } from "./partial-order.js";
import { groupsOf } from "./symmetry.js";

/** `ordered`: the same model, with its steps in search order. */
export function nodeReductions(model: SystemModel, ordered: Model = model): Reductions {
  const hasAlike = groupsOf(model.summary).length > 0;
  const isSymmetric = ({ wanted }: ReductionRequest): boolean =>
    wanted.includes("symmetry") && hasAlike && whyNotSymmetric(model) === undefined;

  const whyUnordered = (request: ReductionRequest): string | undefined =>
    isSymmetric(request)
      ? "of nodes that are alike one state stands for several"
      : whyNoPartialOrder(model, request.workers);

  const refused = (request: ReductionRequest): readonly Refusal[] => {
    const { wanted, isAsked } = request;
    const whyNot = hasAlike && wanted.includes("symmetry") ? whyNotSymmetric(model) : undefined;
    const why = wanted.includes("por") ? whyUnordered(request) : undefined;
    // Mentions the replacement by symmetry only if the user requested partial order by name.
    const isSaid = isAsked || !isSymmetric(request);
    return [
      ...(whyNot === undefined ? [] : [{ name: "symmetry", why: whyNot }]),
      ...(why === undefined || !isSaid ? [] : [{ name: "por", why }]),
    ];
  };

  const accepts = (property: Property, request: ReductionRequest): Acceptance => {
    // sound: test/code/system/reductions.test.ts
    if (isSymmetric(request)) return { names: property.kind === "ltl" ? [] : ["symmetry"], refused: [] };
    if (!request.wanted.includes("por") || whyUnordered(request) !== undefined)
      return { names: [], refused: [] };
    const why = whyAllStates(model, property);
    // sound: test/code/system/reductions.test.ts
    return why === undefined
      ? { names: ["por"], refused: [] }
      : { names: [], refused: [needsAllStates(property, "por", why)] };
  };

  return {
    names: [...(hasAlike ? ["symmetry"] : []), "por"],
    proposing: ["por"],
    refused,
    accepts,
    apply: (properties, request) =>
      isSymmetric(request)
        ? symmetryReduction(model)
        : partialOrderReduction(model, ordered, properties, !request.isAsked),
  };
}
