/** Networks with formulas over two conditions, for tests. */
import { Sources } from "../../src/model/index.js";
import {
  EVERYTHING,
  type Network,
  type NetworkProperty,
  type StateCondition,
} from "../../src/model/network.js";
import { questioned } from "../../src/session/languages/network-questions.js";

const NOTHING_ASKED = { isPlain: false, warnsTruncation: false, sources: new Sources() };

/** Then `p` says that no packet is at a switch. */
export const QUIET = -1;

/** Conditions by name: `p` reads packets, `q` the controller. */
export const conditionsFor = (seed: number): Readonly<Record<string, StateCondition>> => ({
  p: ({ packets }) =>
    seed === QUIET
      ? packets("switches").length === 0
      : packets(seed % 2 === 0 ? "clients" : "switches").some(({ data }) => data[0] === seed % 2),
  q: ({ control }) => control === seed % 3,
});

export const asProperty = (name: string, holds: StateCondition): NetworkProperty => ({
  name,
  kind: "invariant",
  span: undefined,
  check: { form: "state", holds },
  observes: EVERYTHING,
});

export const asked = (network: Network, seed: number, shapes: readonly string[]): Network => {
  const conditions = conditionsFor(seed);
  const formulas = shapes.map((text) => ({
    name: text,
    text,
    span: { file: text, start: 0, end: text.length },
  }));
  const condition = (text: string): NetworkProperty => asProperty(text, conditions[text]!);
  return questioned(network, { formulas, condition }, NOTHING_ASKED).network;
};
