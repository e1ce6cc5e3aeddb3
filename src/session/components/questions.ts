/** Properties of every architecture: errors that must not occur, deployment that must end, names of sets of actions in formulas. */
import { ltsProduct } from "../../compile/lts.js";
import { watchErrors } from "../../compile/components/watching.js";
import type { ComponentNetwork } from "../../compile/components/index.js";
import {
  TAU_NAME,
  type ActionSet,
  type LtsNetwork,
  type Span,
  type StateFormula,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { asked } from "../lts/questions.js";
import type { Input } from "../request.js";

/** By class: the property that excludes it. */
const properties: Readonly<Record<string, string>> = {
  unbound: "no unbound call",
  stopped: "no call to a stopped component",
  mandatory: "mandatory interfaces bound",
};

export interface AskedArchitecture extends Pick<ComponentNetwork, "controls" | "errors" | "operations"> {
  readonly network: LtsNetwork;
  /** Number of operations that deploy. */
  readonly deployed: number;
  readonly classes: Iterable<string>;
  readonly span: Span;
}

export function askedArchitecture(
  { network, controls, errors, operations, deployed, classes, span }: AskedArchitecture,
  input: Input,
  options: LoadOptions,
): Pick<Loaded, "model" | "subject" | "diagnostics"> {
  const names = [...classes].map((kind) => properties[kind] ?? kind);
  const watched = watchErrors(
    network,
    new Map([...errors].map(([label, kind]) => [label, properties[kind] ?? kind])),
    names,
    span,
  );
  const isControl = (label: string): boolean => controls.has(label);
  const isError = (label: string): boolean => errors.has(label);
  const sets = new Map([
    ["O_D", isControl],
    ["O_E", isError],
    ["O_I", (label: string) => label.includes(">") && !isError(label)],
    ["O_F", (label: string) => label !== TAU_NAME && !isControl(label) && !isError(label)],
  ]);
  const formulas =
    operations && deployed > 0
      ? [{ name: "deployment", span, formula: always(operations.slice(0, deployed)) }]
      : [];
  const found = asked(watched, ltsProduct(watched), { formulas, sets }, input, options);
  // To a relation, an error is a label like others.
  const { actions } = ltsProduct(network).model;
  return { ...found, model: found.model && { ...found.model, ...(actions ? { actions } : {}) } };
}

/** Every maximal run takes the last of the operations, as often as they do. */
export function always(operations: readonly string[]): StateFormula {
  const last = nth(operations, operations.length - 1);
  const is: ActionSet = { kind: "label", label: last };
  const times = operations.filter((label) => label === last).length;
  let after: StateFormula = { kind: "true" };
  for (let i = 0; i < times; i++) {
    const name = `#${i}`;
    const goesOn: StateFormula = { kind: "diamond", by: { kind: "any" }, of: { kind: "true" } };
    const others: StateFormula = { kind: "box", by: { kind: "not", of: is }, of: { kind: "variable", name } };
    const own: StateFormula = { kind: "box", by: is, of: after };
    const both: StateFormula = { kind: "and", left: others, right: own };
    after = { kind: "least", name, of: { kind: "and", left: goesOn, right: both } };
  }
  return after;
}
