/** The reductions of systems of nodes: like nodes where some are declared, otherwise partial order. */
import type { SystemModel } from "../code/system/index.js";
import type { Model } from "../model/index.js";
import { automaticReductionNames } from "../transforms/reduction/names.js";
import { nodeOrder } from "./code-order.js";
import { nodeSymmetry } from "./code-symmetry.js";
import type { EngineRequest, Loaded, Reduced, ReductionRequest } from "./registry.js";

export interface NodeReductions {
  readonly reduce: NonNullable<Loaded["reduce"]>;
  readonly reductionsFor: NonNullable<Loaded["reductionsFor"]>;
  readonly whyWhole: NonNullable<Loaded["whyWhole"]>;
  /** What the answer rests on, as far as reductions were used. */
  notes(): readonly string[];
}

/** `ordered`: the same model, its steps in the order in which they are searched. */
export function nodeReductions(
  model: SystemModel,
  ordered: Model,
  { isPlain, reductions, workers }: EngineRequest,
): NodeReductions {
  const symmetry = nodeSymmetry(model);
  const order = nodeOrder(model, { isShared: workers > 1, givesUp: reductions === undefined });
  const wanted = isPlain ? [] : (reductions ?? automaticReductionNames);
  const isSymmetric = symmetry.isPossible && wanted.includes("symmetry");
  const whyNoOrder = isSymmetric ? "of nodes that are alike one state stands for several" : order.whyNot;
  // That something else is done instead is said to those who asked for it.
  const isSaid = !isSymmetric || reductions?.includes("por") === true;

  const reduce = (request: ReductionRequest): Reduced => {
    const asked = request.wanted.includes("por");
    const whole = symmetry.reduce(request);
    const reduced = asked && whyNoOrder === undefined ? order.reduce(ordered, request.properties) : whole;
    const refused =
      asked && isSaid && whyNoOrder !== undefined ? [{ name: "por", why: whyNoOrder } as const] : [];
    return {
      ...reduced,
      ...(reduced.names.length === 0 ? { model: ordered } : {}),
      possible: [...whole.possible, "por"],
      refused: [...whole.refused, ...refused],
    };
  };
  return {
    reduce,
    reductionsFor: (_, asked) =>
      asked.filter((name) =>
        name === "symmetry" ? symmetry.isPossible : name === "por" && whyNoOrder === undefined,
      ),
    whyWhole: (property) =>
      wanted.includes("por") && whyNoOrder === undefined ? order.whyWhole(property) : undefined,
    notes: () => [...symmetry.notes(), ...order.notes()],
  };
}
