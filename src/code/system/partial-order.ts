/** Partial-order reduction for systems of nodes, and the properties that it does not preserve. */
import type { ConditionTest, Finding, Model, Property, Reduced, Refusal } from "../../model/index.js";
import { Commutation } from "./commutation.js";
import type { SystemModel } from "./model.js";
import { MOST_NODES, NodeCandidates, withCandidates, type Hindrance } from "./node-candidates.js";
import { nth } from "../../model/known.js";

/** `searched`: the model in search order. `givesUp`: throw `NotWorthwhile` if the reduction saves too little. */
export function partialOrderReduction(
  model: SystemModel,
  searched: Model,
  properties: readonly Property[],
  givesUp: boolean,
): Reduced {
  const candidates = new NodeCandidates(model);
  candidates.givesUp = givesUp;
  const { recipe: _, ...rest } = searched;
  const reduced: Reduced = {
    model: {
      ...rest,
      system: withCandidates(searched.system, candidates),
      holds: (index, state, at) => model.holdsWatched(index, state, at, nth(candidates.reads, index)),
    },
    names: ["por"],
    refused: () => candidates.hindrances().map(refusal),
    concretise: (trace) => trace,
    // The search has refined the candidates: repeat it.
    // sound: test/code/system/reductions.test.ts
    again: (findings) => (findings.some(isClaimed) && !candidates.isSettled() ? reduced : undefined),
    test: conditionTest(model, candidates, properties),
    notes: () =>
      candidates.repeated === 0
        ? []
        : [`searched ${candidates.repeated + 1} times, until it was known which nodes leave others alone`],
    transferCoverage: () => undefined,
  };
  return reduced;
}

/** Claims without evidence: a proof, or an unreached state. Traces are replayed, and `unknown` claims nothing. */
const isClaimed = ({ verdict }: Finding): boolean =>
  // sound: test/code/system/reductions.test.ts
  verdict.kind === "holds" || (verdict.kind === "violated" && !verdict.trace);

/** Tests the conditions of the reduction in states of the search. */
function conditionTest(
  model: SystemModel,
  candidates: NodeCandidates,
  properties: readonly Property[],
): ConditionTest {
  const asked = model.invariants.map((condition) => properties.includes(condition));
  const commutation = new Commutation(model, asked);
  return (state) => {
    for (const group of candidates.settledGroups(state)) {
      const why = commutation.whyNotAlone(state, group);
      if (why === undefined) continue;
      const names = model.summary.nodes.filter((_, node) => (group >> node) & 1);
      return {
        reduction: "por",
        condition: `${names.join(", ")} cannot be explored alone: ${why}`,
        shown: model.steps.snapshot(state, 0),
        processes: model.steps.processes(state, 0),
      };
    }
    return undefined;
  };
}

const refusal = ({ property, ...hindrance }: Hindrance): Refusal => ({
  name: "por",
  ...hindrance,
  ...(property?.span ? { span: property.span } : {}),
});

/** The reason why partial order is impossible for every property; undefined: it is possible. */
export function whyNoPartialOrder({ nodes }: SystemModel, workers: number): string | undefined {
  // sound: test/code/system/reductions.test.ts
  if (workers > 1) return "threads do not share their executed steps";
  return nodes.length > MOST_NODES ? `there are more than ${MOST_NODES} nodes` : undefined;
}

/** The reason why a property needs all states; undefined: partial order preserves its verdict. */
export function whyAllStates({ summary }: SystemModel, { kind, name }: Property): string | undefined {
  if (kind === "ltl") return "it speaks of executions without end";
  if (kind === "agef") return "it asks for a way from every state";
  if (kind === "invariant" && summary.returns.includes(name))
    return "it compares all of every node with the start";
  return undefined;
}
