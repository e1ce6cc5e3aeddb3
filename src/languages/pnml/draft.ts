/** Transitions while their arcs are read. */
import type { Span } from "../../model/diagnostic.js";
import { NOWHERE, tokensOf, type NetTransition } from "../../model/net.js";

export interface Draft {
  readonly name: string;
  readonly span: Span;
  readonly takes: Map<number, number>;
  readonly gives: Map<number, number>;
  readonly tests: Map<number, number>;
  readonly resets: Set<number>;
}

export function transitionOf({ name, span, takes, gives, tests, resets }: Draft): NetTransition {
  const places = new Set([...takes.keys(), ...gives.keys(), ...tests.keys()]);
  const guard = new Map([...places].map((p) => [p, Math.max(takes.get(p) ?? 0, tests.get(p) ?? 0)]));
  const taken = (p: number): number => (resets.has(p) ? 0 : (takes.get(p) ?? 0)); // sound: test/languages/pnml.test.ts
  const effect = new Map([...places].map((p) => [p, (gives.get(p) ?? 0) - taken(p)]));
  const transfers = [...resets].map((place) => [place, NOWHERE] as const);
  return {
    name,
    span,
    guard: tokensOf(guard),
    effect: tokensOf(effect),
    ...(transfers.length > 0 ? { transfers } : {}),
  };
}
