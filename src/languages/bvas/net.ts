/** Translates a vector addition system into a net; the guard of a transition is the tokens that it removes. */
import type { Bvas } from "../../model/bvas.js";
import type { Net, Tokens } from "../../model/net.js";
import { nth } from "../../model/known.js";

export function netOf({ name, places, axioms, unary, properties }: Bvas): Net {
  const start = nth(axioms, 0);
  return {
    kind: "net",
    name,
    places: places.map((place) => ({ name: place, span: start.span })),
    initial: start.vector,
    transitions: unary.map((rule) => ({
      name: rule.name,
      span: rule.span,
      guard: nonZero(rule.vector.map((change) => Math.max(0, -change))),
      effect: nonZero(rule.vector),
    })),
    properties: properties.map(({ targets, ...property }) => ({
      ...property,
      alternatives: targets.map(nonZero),
    })),
  };
}

const nonZero = (vector: readonly number[]): Tokens =>
  vector.map((count, place) => [place, count] as const).filter(([, count]) => count !== 0);
