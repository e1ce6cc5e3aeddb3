/**
 * Petri nets as data. A transition is enabled if every place has the tokens of its guard, and then changes the marking by
 * its effect, always by the same amount. Guard and effect are separate: a transition may require more than it
 * takes (a test arc), and a transition that takes a token and puts it back still needs it. A transition may also empty places, and
 * move their tokens into another place (transfer) or remove them (reset).
 *
 * A marking is one number a place. Places have no capacity, so a net may have infinitely many markings. Procedures on nets decide
 * whether some marking that covers a target can be reached (coverability), and whether the tokens are bounded; a search of the
 * markings also decides conditions on all of them, dead markings and temporal formulas.
 */
import type { Span } from "./diagnostic.js";
import { StepTooLong } from "./patience.js";
import type { Subject } from "./subject.js";
import type { TemporalProperty } from "./temporal.js";
import type { Property } from "./verdict.js";
import { nth } from "./known.js";

export interface Net extends Subject {
  readonly kind: "net";
  readonly name: string;
  readonly places: readonly NetPlace[];
  readonly transitions: readonly NetTransition[];
  /** One number a place. */
  readonly initial: readonly number[];
  readonly properties: readonly NetProperty[];
}

export interface NetPlace {
  readonly name: string;
  readonly span: Span;
}

/** A number of tokens, or a change of it, for some places; each place at most once, in their order, never 0. */
export type Tokens = readonly (readonly [place: number, count: number])[];

export interface NetTransition {
  readonly name: string;
  readonly span: Span;
  /** At least the tokens that the effect takes; for places emptied into one, their sum. */
  readonly guard: Tokens;
  readonly effect: Tokens;
  /** Places that lose all their tokens, each at most once; all at the same time, before the effect. Absent: none. */
  readonly transfers?: readonly Transfer[];
  /**
   * Adds tokens that may be present initially: `init x >= 1` is a marking and this transition. Firing all of
   * them first is always possible, since more tokens never disable a transition.
   */
  readonly isSource?: boolean;
}

/** All tokens of a place go to another one, or to `NOWHERE`. */
export type Transfer = readonly [from: number, to: number];

export const NOWHERE = -1;

export type NetProperty = CoverProperty | BoundednessProperty | MarkingProperty | DeadProperty | NetFormula;

/** Violated when some reachable marking has at least the tokens of one of the alternatives. */
export interface CoverProperty extends Property {
  readonly kind: "coverability";
  readonly alternatives: readonly Tokens[];
}

/** Violated when some place can have more tokens than any number. */
export interface BoundednessProperty extends Property {
  readonly kind: "boundedness";
}

/** Violated when some reachable marking does not satisfy the condition. */
export interface MarkingProperty extends Property {
  readonly kind: "invariant";
  readonly condition: MarkingCondition;
}

/** Violated when a reachable marking enables no transition. */
export interface DeadProperty extends Property {
  readonly kind: "deadlock";
}

/** A formula that every execution satisfies; one condition a proposition. */
export interface NetFormula extends TemporalProperty {
  readonly kind: "ltl";
  readonly conditions: readonly MarkingCondition[];
}

/** A condition on one marking. */
export type MarkingCondition =
  | { readonly kind: "constant"; readonly value: boolean }
  /** A linear expression over the tokens of places, compared with 0. */
  | {
      readonly kind: "compare";
      readonly terms: Tokens;
      readonly constant: number;
      readonly relation: MarkingRelation;
    }
  | { readonly kind: "not"; readonly operand: MarkingCondition }
  | { readonly kind: "and" | "or"; readonly left: MarkingCondition; readonly right: MarkingCondition };

export type MarkingRelation = ">=" | "<=" | ">" | "<" | "==" | "!=";

export const isNet = (subject: Subject | undefined): subject is Net => subject?.kind === "net";

export const isCoverProperty = (property: Property): property is CoverProperty =>
  property.kind === "coverability" && "alternatives" in property;

/** The first transition that transfers or resets, if any: the net is then not a Petri net, and fewer problems are decidable. */
export const transferIn = (net: Net): NetTransition | undefined =>
  net.transitions.find(({ transfers = [] }) => transfers.length > 0);

/** The first transition that only adds initial tokens. */
export const sourceIn = (net: Net): NetTransition | undefined =>
  net.transitions.find(({ isSource }) => isSource);

/** No place may have more tokens than a word can count. */
export const MOST_TOKENS = 0x7ffffffe;

/** A counter exceeds that limit: the step is aborted like a diverging one. */
export class TokenOverflow extends StepTooLong {
  constructor(what: string) {
    super("tokens", `${what}: more than ${MOST_TOKENS} tokens in one place`);
  }
}

/** Tokens from a map, in the order of the places. */
export const tokensOf = (counts: ReadonlyMap<number, number>): Tokens =>
  [...counts].filter(([, count]) => count !== 0).toSorted(([a], [b]) => a - b);

/** `p >= 2, q >= 1`. */
export const renderTokens = (tokens: Tokens, places: readonly NetPlace[]): string =>
  tokens.length === 0
    ? "true"
    : tokens.map(([place, count]) => `${nth(places, place).name} >= ${count}`).join(", ");
