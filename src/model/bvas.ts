/**
 * Branching vector addition systems: vectors of natural numbers that are derived from axioms by adding (unary rules), or by
 * summing two derived vectors and adding (binary rules). Nothing may become negative on the way.
 *
 * A target is covered when a derived vector is at least as large everywhere; the derivation, a binary tree, is the witness.
 * With one axiom and no binary rule this is a vector addition system: a Petri net.
 */
import type { Span } from "./diagnostic.js";
import type { Subject } from "./subject.js";
import type { Property } from "./verdict.js";

export interface Bvas extends Subject {
  readonly kind: "bvas";
  readonly name: string;
  /** Names of the dimensions. */
  readonly places: readonly string[];
  readonly axioms: readonly BvasRule[];
  readonly unary: readonly BvasRule[];
  readonly binary: readonly BvasRule[];
  readonly properties: readonly BvasProperty[];
}

/** One number per dimension: the vector of an axiom, or the effect of a rule. */
export interface BvasRule {
  readonly name: string;
  readonly vector: readonly number[];
  readonly span: Span;
}

/** Violated when one of the targets is covered. */
export interface BvasProperty extends Property {
  readonly kind: "coverability";
  readonly targets: readonly (readonly number[])[];
}

export const isBvas = (subject: Subject | undefined): subject is Bvas => subject?.kind === "bvas";

export const isBvasProperty = (property: Property): property is BvasProperty =>
  property.kind === "coverability" && "targets" in property;

/**
 * A derivation: steps in order, each from vectors of earlier steps; the last one derives the target. As a
 * tree, the last step is the root; shared premises appear once.
 */
export interface Derivation {
  /** Names of the dimensions. */
  readonly places: readonly string[];
  readonly steps: readonly DerivationStep[];
}

export interface DerivationStep {
  /** An axiom has no premises, a unary rule one, a binary rule two. */
  readonly rule: BvasRule;
  readonly premises: readonly number[];
  readonly vector: readonly number[];
}
