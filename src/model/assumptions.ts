/**
 * Proofs by assumptions: languages over the steps of a network, and premises about its parts.
 *
 * A language is prefix-closed, and given by a deterministic automaton without rejecting states. A run belongs to it if its steps that are
 * letters form a word of it.
 */
import { nth } from "./known.js";
import { LtsBuilder, TAU_NAME, type Lts, type LtsNetwork } from "./lts.js";
import type { Property } from "./verdict.js";

export interface Assumption {
  readonly name: string;
  /** The part that needs it; informational. */
  readonly of: string;
  /** Names of steps (`stepNames`). */
  readonly alphabet: readonly string[];
  /** State 0 is the initial one. No states: the empty language. */
  readonly states: number;
  /** State, letter, next state. A letter without an edge leaves the language. */
  readonly edges: readonly (readonly [from: number, letter: number, to: number])[];
}

/** Undefined for the empty language, which no system has. */
export function assumptionSystem({ alphabet, states, edges }: Assumption): Lts | undefined {
  if (states === 0) return undefined;
  const builder = new LtsBuilder();
  for (const name of alphabet) builder.labels.of(name);
  for (const [from, letter, to] of edges) builder.add(from, builder.labels.of(nth(alphabet, letter)), to);
  return builder.finish(states, [0]);
}

/** Every run of the parts together that belongs to `assumes` and to none of `excludes` belongs to `guarantees`. */
export interface Premise {
  readonly assumes: readonly string[];
  readonly excludes: readonly string[];
  readonly parts: readonly string[];
  /** The name of an assumption; null: the property. */
  readonly guarantees: string | null;
}

/** A name for each vector, all different: its label, with a number if vectors share it or if it is internal. */
export function stepNames({ vectors }: Pick<LtsNetwork, "vectors">): readonly string[] {
  const times = new Map<string, number>();
  for (const { label } of vectors) times.set(label, (times.get(label) ?? 0) + 1);
  const taken = new Set(times.keys());
  return vectors.map(({ label }) => {
    if (times.get(label) === 1 && label !== TAU_NAME) return label;
    let number = 1;
    while (taken.has(`${label} (${number})`)) number++;
    taken.add(`${label} (${number})`);
    return `${label} (${number})`;
  });
}

/** Where the question is about error states: a step that only a part in its error state takes, and that violates the property. */
export const errorStep = (part: string): string => `error of ${part}`;

/** `⟨A1⟩ Input ⟨Order⟩`. */
export function premiseText(
  { assumes, excludes, parts, guarantees }: Premise,
  { name }: Pick<Property, "name">,
): string {
  const left = [...assumes, ...excludes.map((each) => `not ${each}`)].join(", ") || "true";
  return `⟨${left}⟩ ${[...parts, ""].join(" ")}⟨${guarantees ?? name}⟩`;
}

/** One candidate of a learner. */
export interface LearningStep {
  readonly of: string;
  /** States of the candidate. */
  readonly size: number;
  /** Of the check of the part under the candidate. */
  readonly states: number;
  readonly transitions: number;
  readonly outcome: "too weak" | "too strong" | "accepted" | "refuted";
}

/** How a property was decided by learned assumptions. */
export interface LearningReport {
  readonly rule: string;
  /** Order of the parts. */
  readonly order: readonly string[];
  readonly candidates: number;
  /** Membership queries. */
  readonly queries: number;
  /** States of the largest system that was built. */
  readonly largest: number;
  readonly steps: readonly LearningStep[];
  /** Empty if the property is violated. */
  readonly assumptions: readonly Assumption[];
  readonly premises: readonly Premise[];
}
