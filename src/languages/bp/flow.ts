/** The control flow of one thread while it is built, and its final form: reachable locations, numbered from the first. */
import type { BooleanLocation, BooleanStep } from "../../model/boolean.js";
import type { Span } from "../../model/diagnostic.js";
import { entryOf } from "../../model/known.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import type { Named } from "./ast.js";

export interface OpenLocation {
  readonly steps: OpenStep[];
  /** Inside an `atomic` block. */
  isAtomic: boolean;
  readonly labels: string[];
  failed?: string;
  span: Span;
}

export interface OpenStep extends Omit<BooleanStep, "to"> {
  readonly to: OpenLocation;
  readonly control?: "begin" | "end";
}

export interface Flow {
  readonly first: OpenLocation;
  /** Positions of labels, including unreachable ones. */
  readonly labels: ReadonlyMap<string, readonly Named[]>;
  readonly hasAssertions: boolean;
}

export interface Finished extends Pick<Flow, "labels" | "hasAssertions"> {
  readonly locations: readonly BooleanLocation[];
}

export function finished({ first, labels, hasAssertions }: Flow, error: ReportError): Finished {
  const inside = atomicSections(first, error);
  const order = [...inside.keys()];
  const numbers = new Map(order.map((location, number) => [location, number]));
  const locations = order.map((location): BooleanLocation => ({
    steps: location.steps.map((step) => closed(step, entryOf(numbers, step.to))),
    // A thread that has ended holds nothing up.
    isAtomic: location.steps.length > 0 && (location.isAtomic || entryOf(inside, location)),
    labels: location.labels,
    ...(location.failed === undefined ? {} : { failed: location.failed }),
    span: location.span,
  }));
  return { locations, labels, hasAssertions };
}

const closed = ({ choices, assignments, constraint, text, span }: OpenStep, to: number): BooleanStep => ({
  to,
  choices,
  assignments,
  constraint,
  text,
  span,
});

/** Reachable locations in depth-first order; true between `atomic_begin` and `atomic_end`. */
function atomicSections(first: OpenLocation, error: ReportError): Map<OpenLocation, boolean> {
  const inside = new Map<OpenLocation, boolean>([[first, false]]);
  const waiting = [first];
  for (let location = waiting.pop(); location; location = waiting.pop()) {
    const isInside = entryOf(inside, location);
    const added: OpenLocation[] = [];
    for (const { to, control, span } of location.steps) {
      if ((control === "begin" && isInside) || (control === "end" && !isInside))
        error(
          "bp/atomic-sections",
          span,
          control === "begin" ? "an atomic section begins inside another" : "no atomic section is open here",
        );
      const isAfter = control === undefined ? isInside : control === "begin";
      const known = inside.get(to);
      if (known === undefined) {
        inside.set(to, isAfter);
        added.push(to);
      } else if (known !== isAfter && to.steps.length > 0)
        error(
          "bp/atomic-sections",
          to.span,
          "control arrives here both inside and outside of an atomic section",
        );
    }
    waiting.push(...added.reverse());
  }
  return inside;
}
