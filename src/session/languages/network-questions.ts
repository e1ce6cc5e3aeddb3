/** Questions about a network on the command line and its formulas, as properties of the network. */
import {
  EVERYTHING,
  conditionOf,
  type Network,
  type NetworkFormula,
  type NetworkProperty,
  type StateCondition,
} from "../../model/network.js";
import { PropertyNames, type Diagnostic, type Span } from "../../model/index.js";
import { onlyStuck, readFormulas, readWritten, type ReadFormula, type WrittenFormula } from "../formulas.js";
import type { LoadOptions } from "../contracts.js";

export interface NetworkQuestions {
  /** Formulas of the source. */
  readonly formulas: readonly WrittenFormula[];
  /** A condition on states as a property, or its errors. */
  readonly condition: (name: string, text: string, span: Span) => NetworkProperty | readonly Diagnostic[];
}

/** The network with all requested properties. */
export function questioned(
  network: Network,
  { formulas, condition }: NetworkQuestions,
  {
    invariants = [],
    ltl = [],
    deadlock = "off",
    sources,
  }: Pick<LoadOptions, "invariants" | "ltl" | "deadlock" | "sources">,
): { readonly network: Network; readonly diagnostics: readonly Diagnostic[] } {
  const proposition = (text: string, span: Span): Judged | readonly Diagnostic[] => {
    const read = condition(text, text, span);
    return "check" in read ? { judge: conditionOf(read) } : read;
  };
  const stated = readWritten(formulas, proposition);
  const own = [...network.properties, ...stated.formulas.map(ofExecutions)];
  const names = new PropertyNames();
  for (const { name } of own) names.take(name);
  const read = invariants.map((text, index) => {
    const file = index === 0 ? "--invariant" : `--invariant ${index + 1}`;
    sources.add(file, text);
    return condition(names.take(text.trim()), text, { file, start: 0, end: text.length });
  });
  const added = read.flatMap((one) => ("check" in one ? [one] : []));
  const asked = readFormulas(ltl, proposition, [...own, ...added], sources);
  const stuck = deadlock === "stuck" ? [STUCK] : [];
  return {
    network: {
      ...network,
      properties: [...own, ...added, ...asked.formulas.map(ofExecutions), ...stuck],
    },
    diagnostics: [
      ...stated.diagnostics,
      ...read.flatMap((one) => ("check" in one ? [] : one)),
      ...asked.diagnostics,
      ...onlyStuck(deadlock, NETWORKS),
    ],
  };
}

interface Judged {
  readonly judge: StateCondition;
}

const ofExecutions = ({ conditions, ...formula }: ReadFormula<Judged>): NetworkFormula => ({
  ...formula,
  check: { form: "executions", conditions: conditions.map(({ judge }) => judge) },
  observes: EVERYTHING,
});

const STUCK: NetworkProperty = {
  name: "deadlock",
  kind: "deadlock",
  span: undefined,
  check: { form: "stuck" },
  observes: EVERYTHING,
};

const NETWORKS = {
  code: "sdn/deadlock",
  what: "a network",
  stuck: "states in which packets or messages wait and no step is possible",
};
