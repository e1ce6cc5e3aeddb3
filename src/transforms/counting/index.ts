/**
 * Counter abstraction of message-passing programs: exact up to `k` messages of a kind, any number beyond.
 *
 * Read `system.ts` first (states and steps), then `cells.ts` (counters) and `classes.ts` (provenances up to equivalence, by
 * `word-automaton.ts`); `liveness.ts` finds live variables; `concretise.ts` follows an abstract trace in the concrete semantics;
 * `proof.ts` turns the states into a proof; `saturation.ts` is a coarser, faster abstraction.
 *
 * Always true, for every `k`: the over-approximation includes all executions, the under-approximation only executions.
 */
import type { MessageProgram, Model, ProvenanceProperty } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Classes } from "./classes.js";
import { CountingSystem, type CountingOptions } from "./system.js";

export { classify, type Classes } from "./classes.js";
export { concretise, type Concretised } from "./concretise.js";
export { proofOf } from "./proof.js";
export { saturate, type Saturated } from "./saturation.js";
export { CountingSystem, type CountedEdge, type CountingOptions } from "./system.js";
export { nondeterministic, type CompleteAutomaton } from "./word-automaton.js";

export interface CountingModel extends Model {
  readonly system: CountingSystem;
}

/** A model whose only property is the given one; a violation is a fault. */
export function countingModel(
  program: MessageProgram,
  property: ProvenanceProperty,
  classes: Classes,
  options: CountingOptions,
): CountingModel {
  const system = new CountingSystem(program, property, classes, options);
  const span = property.span ?? nth(program.principals, property.principal).span;
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
