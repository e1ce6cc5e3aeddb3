/** Turns a model of a combination into events, and has the concrete semantics confirm them. */
import {
  derivationOf,
  violatedConstraint,
  whyNoRun,
  witnessOf,
  type NdlogEvent,
} from "../../model/ndlog-run.js";
import type { NdlogProgram, NdlogProperty } from "../../model/ndlog.js";
import { evaluate } from "../../model/terms.js";
import { ruleOf } from "./lemmas.js";
import type { Node } from "./pool.js";
import type { Model } from "./query.js";

export interface Counterexample {
  /** In order; the antecedent's tuples are derived by `roots`. */
  readonly events: readonly NdlogEvent[];
  readonly roots: readonly number[];
  /** Values of uninterpreted functions. */
  readonly functions: Model["apply"];
}

export function counterexampleOf(
  program: NdlogProgram,
  property: NdlogProperty,
  roots: readonly Node[],
  model: Model,
): Counterexample {
  const events: NdlogEvent[] = [];
  const known = new Map<string, number>();
  const add = ({ by, predicate, args, children }: Node): number => {
    if (by === "rec") throw new Error("an open leaf has no event");
    const premises = children.map(add);
    const values = args.map((arg) => evaluate(arg, model));
    const key = [by, predicate, ...values, ":", ...premises].join();
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, events.length);
    events.push({ rule: by === "base" ? undefined : by, predicate, values, premises });
    return events.length - 1;
  };
  const numbers = roots.map(add);
  const found = { events, roots: numbers, functions: model.apply };
  const wrong = whyNotConfirmed(program, property, found);
  if (wrong !== undefined)
    throw new Error(`a counterexample to ${property.name} cannot be replayed: ${wrong}`); // sound: test/engines/pools/traps.test.ts
  return found;
}

/** The reason why the events are not a counterexample; undefined: they are one. */
export function whyNotConfirmed(
  program: NdlogProgram,
  property: NdlogProperty,
  { events, roots, functions }: Counterexample,
): string | undefined {
  const wrong = whyNoRun(program, events, functions);
  if (wrong !== undefined) return wrong;
  const constraint = violatedConstraint(program, events, functions);
  if (constraint !== undefined) return `the network violates the constraint ${constraint}`;
  const chosen = derivationOf(events, roots);
  if (!witnessOf(property, chosen, functions))
    return property.asks === "always" ? "the property holds" : "the tuples are not derived";
  return undefined;
}

/** `r3+r4`: the rules that derive the roots. */
export const rulesOf = (program: NdlogProgram, roots: readonly Node[]): string =>
  roots.map(({ by }) => ruleOf(program, by)).join("+");
