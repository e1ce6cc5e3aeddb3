/** Symmetry of systems of nodes: the search of representatives, where nodes are declared to be alike. */
import {
  Representatives,
  groupsOf,
  whyAsymmetric,
  type NotSymmetric,
  type SystemModel,
} from "../code/system/index.js";
import type { Diagnostic } from "../model/index.js";
import type { Loaded, Reduced } from "./registry.js";

export interface NodeSymmetry {
  /** Some nodes are alike, as far as can be told before they run. */
  readonly isPossible: boolean;
  readonly reduce: NonNullable<Loaded["reduce"]>;
  /** What the answer rests on, if the reduction was used. */
  notes(): readonly string[];
}

export function nodeSymmetry(model: SystemModel): NodeSymmetry {
  const groups = groupsOf(model.summary);
  if (groups.length === 0)
    return { isPossible: false, reduce: () => ({ ...whole(model), possible: [] }), notes: () => [] };
  const used: Representatives[] = [];
  const why = whyNot(model);
  return {
    isPossible: why === undefined,
    reduce: ({ wanted }) => {
      if (!wanted.includes("symmetry") || why !== undefined)
        return { ...whole(model), refused: why === undefined ? [] : [{ name: "symmetry", why }] };
      const representatives = new Representatives(model);
      used.push(representatives);
      return {
        ...whole(model),
        model: representatives.model,
        names: ["symmetry"],
        concretise: (trace) => representatives.concretise(trace),
      };
    },
    notes: () =>
      used.length === 0
        ? []
        : groups.map(
            (group) =>
              `declared to be alike: ${group.join(", ")} (${total(used)} states compared with those that stand for them)`,
          ),
  };
}

/** What is asked of single nodes is answered by a search of all states. */
export const asymmetricProperty = ({ message }: NotSymmetric, file: string): Diagnostic => ({
  code: "session/reduction-off",
  severity: "note",
  message: `reduction 'symmetry' is off: ${message}`,
  span: { file, start: 0, end: 0 },
});

const whole = (model: SystemModel): Reduced => ({
  model,
  possible: ["symmetry"],
  names: [],
  refused: [],
  concretise: (trace) => trace,
  transferCoverage: () => undefined,
});

function whyNot({ nodes, summary }: SystemModel): string | undefined {
  const replayed = summary.nodes.filter((_, node) => nodes[node]!.mode === "replay");
  return replayed.length > 0
    ? `states of nodes that are replayed cannot be renamed: ${replayed.join(", ")}`
    : whyAsymmetric(summary);
}

const total = (used: readonly Representatives[]): number =>
  used.reduce((sum, { compared }) => sum + compared, 0);
