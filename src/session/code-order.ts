/** Partial-order reduction of systems of nodes: the search of nodes that others leave alone, and what it does not keep. */
import {
  Commutation,
  MOST_NODES,
  NodeCandidates,
  proposing,
  type Hindrance,
  type SystemModel,
} from "../code/system/index.js";
import type { Model, Property } from "../model/index.js";
import type { Loaded, Reduced, Refusal } from "./registry.js";
import type { ConditionTest } from "./sampling.js";

export interface NodeOrder {
  /** Where nothing speaks against it. */
  reduce(model: Model, properties: readonly Property[]): Reduced;
  readonly whyNot: string | undefined;
  readonly whyWhole: NonNullable<Loaded["whyWhole"]>;
  /** What the answer rests on, if the reduction was used. */
  notes(): readonly string[];
}

export interface NodeOrderOptions {
  /** Several threads search. */
  readonly isShared: boolean;
  /** Throw `NotWorthwhile` where hardly anything is left out. */
  readonly givesUp: boolean;
}

export function nodeOrder(model: SystemModel, { isShared, givesUp }: NodeOrderOptions): NodeOrder {
  const used: NodeCandidates[] = [];
  return {
    whyNot: whyImpossible(model, isShared),
    whyWhole: (property) => whyWhole(model, property),
    reduce: (searched, properties) => {
      const candidates = new NodeCandidates(model);
      candidates.givesUp = givesUp;
      used.push(candidates);
      const { recipe: _, ...rest } = searched;
      return {
        model: {
          ...rest,
          system: proposing(searched.system, candidates),
          holds: (index, state, at) => model.holdsWatched(index, state, at, candidates.reads[index]!),
        },
        possible: ["por"],
        names: ["por"],
        refused: [],
        hindered: () => candidates.hindrances().map(refusal),
        concretise: (trace) => trace,
        isSettled: () => candidates.isSettled(),
        test: conditionTest(model, candidates, properties),
        transferCoverage: () => undefined,
      };
    },
    notes: () => {
      const repeated = used.reduce((sum, candidates) => sum + candidates.repeated, 0);
      return repeated === 0
        ? []
        : [`searched ${repeated + 1} times, until it was known which nodes leave others alone`];
    },
  };
}

/** What the reduction rests on, tested in states that were searched. */
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

function whyImpossible({ nodes }: SystemModel, isShared: boolean): string | undefined {
  if (isShared) return "threads do not know which steps the others have made";
  return nodes.length > MOST_NODES ? `there are more than ${MOST_NODES} nodes` : undefined;
}

function whyWhole({ summary }: SystemModel, { kind, name }: Property): string | undefined {
  if (kind === "ltl") return "it speaks of executions without end";
  if (kind === "agef") return "it asks for a way from every state";
  if (kind === "invariant" && summary.returns.includes(name))
    return "it compares all of every node with the start";
  return undefined;
}
