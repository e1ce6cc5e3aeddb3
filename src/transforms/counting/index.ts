/**
 * Counter abstraction of message-passing programs: exact up to `k` messages of a kind, any number beyond.
 *
 * Read `system.ts` first (states and steps), then `cells.ts` (the counters) and `classes.ts` (provenances up to what
 * matters, by `word-automaton.ts`); `liveness.ts` says which variables matter; `concretise.ts` follows an abstract trace
 * in the real semantics; `proof.ts` writes the states down as a proof; `saturation.ts` is a coarser, quicker abstraction.
 *
 * Always true: every execution is one of the over-approximation, every one of the under-approximation is an
 * execution, whatever `k` is.
 */
import type { MessageProgram, Model, ProvenanceProperty } from "../../model/index.js";
import type { Classes } from "./classes.js";
import { CountingSystem, type CountingOptions } from "./system.js";

export { classify, type Classes } from "./classes.js";
export { concretise, type Concretised } from "./concretise.js";
export { proofOf } from "./proof.js";
export { saturate, type Saturated } from "./saturation.js";
export { CountingSystem, type CountedEdge, type CountingOptions } from "./system.js";
export { automatonOf, minimised, nondeterministic, type CompleteAutomaton } from "./word-automaton.js";

export interface CountingModel extends Model {
  readonly system: CountingSystem;
}

/** Its only property is the one given; a violation is a fault. */
export function countingModel(
  program: MessageProgram,
  property: ProvenanceProperty,
  classes: Classes,
  options: CountingOptions,
): CountingModel {
  const system = new CountingSystem(program, property, classes, options);
  const span = property.span ?? program.principals[property.principal]!.span;
  return {
    system,
    steps: system,
    properties: [property],
    sites: [{ fault: "event", message: `${property.name} is violated`, span, owner: property.name }],
    holds: () => true,
    invariants: [],
    coverage: { parts: [], reached: new Uint8Array(0) },
  };
}
