/** Classifies the last state of a run: a fault, a deadlock, a violated invariant, a valid end, or open. */
import {
  Status,
  Successors,
  violationReason,
  whyStuck,
  type FaultKind,
  type Model,
  type Property,
  type Trace,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { grows } from "./firing.js";
import { violates } from "./lasso.js";

export type Ending =
  | {
      readonly kind: "failed";
      readonly property: Property;
      readonly fault: FaultKind | undefined;
      readonly reason: string;
    }
  | { readonly kind: "ended" }
  | { readonly kind: "open"; readonly choices: number };

/** `fault`: the site at which the last step failed, or -1. */
export function endingOf(model: Model, state: Words, fault: number, checksDeadlock = true): Ending {
  if (fault >= 0) return faultEnding(model, fault);
  const status = model.steps.status(state, 0);
  // sound: test/session/endings.test.ts
  const broken = (status & Status.intermediate) === 0 ? brokenInvariant(model, state) : undefined;
  if (broken)
    return {
      kind: "failed",
      property: broken,
      fault: undefined,
      reason: violationReason(model, model.invariants.indexOf(broken), state, 0),
    };
  const choices = countChoices(model, state);
  if (choices > 0) return { kind: "open", choices };
  // sound: test/session/endings.test.ts
  if ((status & Status.validEnd) !== 0 || !checksDeadlock) return { kind: "ended" };
  return {
    kind: "failed",
    property: propertyOf(model, "deadlock"),
    fault: undefined,
    reason: whyStuck(model),
  };
}

/** A run with its last state and the site at which its last step failed (or -1). */
export interface Shown extends Pick<Trace, "choices" | "loopStart"> {
  readonly words: Words;
  readonly fault: number;
}

/** Does the run violate the property? */
export function shows(model: Model, property: Property, shown: Shown): boolean {
  const { words, fault } = shown;
  switch (property.kind) {
    case "assertion":
    case "trace":
    case "notrace":
      // sound: test/session/endings.test.ts, test/session/fsp.test.ts
      return (
        model.sites[fault]?.fault === property.kind &&
        (ownerOf(model, fault) ?? property).name === property.name
      );
    case "runtime":
      // sound: test/session/endings.test.ts
      return fault >= 0 && kindOf(nth(model.sites, fault).fault) === "runtime";
    case "invariant":
    case "provenance":
    case "coverability":
      return model.invariants.some(
        // sound: test/session/endings.test.ts
        ({ name }, index) => name === property.name && !model.holds(index, words, 0),
      );
    case "deadlock":
      // A step into the deadlock may also have failed.
      // sound: test/session/endings.test.ts
      if (model.sites[fault]?.fault === "deadlock") return true;
      // sound: test/session/endings.test.ts
      return countChoices(model, words) === 0 && (model.steps.status(words, 0) & Status.validEnd) === 0;
    case "ltl":
    case "never":
    case "acceptance":
    case "progress": {
      const temporal = model.temporal?.properties.find(({ name }) => name === property.name);
      return temporal !== undefined && violates(model, temporal, shown);
    }
    case "boundedness":
      return grows(model, shown);
    case "actions":
    case "refinement":
      // sound: test/session/compositional.test.ts
      return model.refutes?.(property, shown) ?? false;
    case "agef":
      return isOutOfReach(model, property, words);
    case "event":
      return model.sites[fault]?.fault === "event" && model.sites[fault].owner === property.name;
    // No single execution shows these; their engines narrate the evidence.
    case "determinism":
    case "cover":
      return false;
  }
}

/**
 * Are all states that satisfy the property unreachable, and those of its premise reachable? Searches plainly within a limit; beyond it,
 * trusts the engine.
 */
function isOutOfReach(model: Model, property: Property, from: Words): boolean {
  const { steps, invariants } = model;
  const index = invariants.findIndex(({ name }) => name === property.name);
  const premise = model.premise?.(index);
  let isDue = premise === undefined;
  const seen = new Set([from.join()]);
  const out = new Successors(steps.width);
  const queue = [from];
  for (const state of queue) {
    if (seen.size > MOST_SEEN) return true;
    const isNominal = (steps.status(state, 0) & Status.intermediate) === 0;
    // sound: test/session/endings.test.ts
    if (isNominal && model.holds(index, state, 0)) return false;
    if (premise?.(state, 0)) isDue = true;
    out.clear();
    steps.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      const next = out.stateAt(i);
      if (out.isDead(i) || seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push(next);
    }
  }
  return isDue;
}

const MOST_SEEN = 50_000;

function faultEnding(model: Model, site: number): Ending {
  const { fault, message } = nth(model.sites, site);
  const property = ownerOf(model, site) ?? propertyOf(model, kindOf(fault));
  return { kind: "failed", property, fault, reason: message };
}

/** The property that the site belongs to, where there are several of its kind. */
const ownerOf = ({ properties, sites }: Model, site: number): Property | undefined =>
  properties.find(({ name, kind }) => name === sites[site]?.owner && kind === sites[site].fault);

const kindOf = (fault: FaultKind): Property["kind"] =>
  fault === "assertion" || fault === "trace" || fault === "notrace" || fault === "deadlock"
    ? fault
    : "runtime";

function brokenInvariant(model: Model, state: Words): Property | undefined {
  return model.invariants.find(
    ({ kind }, index) => STATE_KINDS.includes(kind) && !model.holds(index, state, 0),
  );
}

/** Kinds of property that a single state can violate. */
const STATE_KINDS: readonly Property["kind"][] = ["invariant", "provenance", "coverability"];

function countChoices(model: Model, state: Words): number {
  const out = new Successors(model.steps.width);
  model.steps.successors(state, 0, out);
  return out.count;
}

/** A model need not declare a property for every kind of fault. */
const propertyOf = (model: Model, kind: Property["kind"]): Property =>
  model.properties.find((property) => property.kind === kind) ?? { name: kind, kind, span: undefined };
