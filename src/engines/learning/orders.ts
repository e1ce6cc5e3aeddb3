/**
 * Orders of components for rules that peel off one after the other. An order changes the cost, never the answer: the alphabet of each
 * assumption is what the component, together with the property, shares with all later ones.
 */
import type { Component } from "./teacher.js";

/** `given`: as written. `interface`: the smallest alphabet first. `property`: the same, among components that share an action with the property. */
export const orders = ["given", "interface", "property"] as const;
export type Order = (typeof orders)[number];

export function inOrder(
  components: readonly Component[],
  property: Iterable<string>,
  order: Order,
): readonly Component[] {
  if (order === "given") return components;
  const left = [...components];
  const found: Component[] = [];
  let asked = new Set(property);
  while (left.length > 0) {
    const ranked = left.map((component) => {
      const alphabet = interfaceOf(component, asked, left);
      const isClose = [...component.alphabet].some((name) => asked.has(name));
      return { component, alphabet, rank: order === "property" && !isClose ? Infinity : alphabet.size };
    });
    const best = ranked.reduce((a, b) => (b.rank < a.rank ? b : a));
    found.push(best.component);
    left.splice(left.indexOf(best.component), 1);
    asked = best.alphabet;
  }
  return found;
}

function interfaceOf(
  component: Component,
  asked: ReadonlySet<string>,
  left: readonly Component[],
): Set<string> {
  const others = new Set(left.flatMap((each) => (each === component ? [] : [...each.alphabet])));
  return new Set([...component.alphabet, ...asked].filter((name) => others.has(name)));
}
