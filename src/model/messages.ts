/**
 * Message-passing programs: principals that exchange messages over unbounded, unordered channels, and
 * provenance properties.
 *
 * A principal is a control-flow graph over variables that hold messages. A message is one of finitely many names, with
 * a provenance, its history (`provenance.ts`). Channels are multisets: a send never blocks, a receive takes any
 * message of the channel.
 *
 * Invariants: message 0 is `none`, the initial value of every variable; location 0 is the start of a principal.
 */
import type { Span } from "./diagnostic.js";
import type { Policy, Provenance, ProvenanceDomain } from "./provenance.js";
import type { Subject } from "./subject.js";
import type { Explainer, System, Words } from "./system.js";
import type { Property } from "./verdict.js";

export interface MessageProgram {
  /** Names; the first is `none`. */
  readonly messages: readonly string[];
  readonly channels: readonly string[];
  /** Names of operations on messages other than copies: a domain may distinguish them. */
  readonly operations: readonly string[];
  readonly principals: readonly Principal[];
  readonly domain: ProvenanceDomain;
  /** Policies tested by conditionals of the program. */
  readonly tests: readonly Policy[];
  readonly properties: readonly ProvenanceProperty[];
}

export interface Principal {
  readonly name: string;
  readonly span: Span;
  /** Started by `spawn`, any number of times; otherwise there is one from the start on. */
  readonly isSpawned: boolean;
  readonly variables: readonly string[];
  /** The edges that leave each location; a location without any is an end. */
  readonly locations: readonly (readonly MessageEdge[])[];
}

export interface MessageEdge {
  readonly action: MessageAction;
  readonly to: number;
  /** As written. */
  readonly text: string;
  readonly span: Span;
}

/** Variables of the principal, by index. */
export type MessageAction =
  /** A new message, that has been nowhere. */
  | { readonly kind: "fresh"; readonly target: number; readonly message: number }
  /** The image of the value of `source`, with its provenance. `operation` -1 is a copy. */
  | {
      readonly kind: "apply";
      readonly target: number;
      readonly source: number;
      readonly operation: number;
      readonly image: readonly number[];
    }
  | {
      readonly kind: "assume";
      readonly variable: number;
      readonly message: number;
      readonly isEqual: boolean;
    }
  /** Continues if the provenance is in the policy `tests[test]`, or if it is not. */
  | { readonly kind: "test"; readonly variable: number; readonly test: number; readonly isMember: boolean }
  | { readonly kind: "send"; readonly channel: number; readonly variable: number }
  | { readonly kind: "receive"; readonly channel: number; readonly variable: number }
  | { readonly kind: "spawn"; readonly principal: number }
  | { readonly kind: "skip" };

export interface ProvenanceProperty extends Property {
  readonly kind: "provenance";
  readonly principal: number;
  readonly variable: number;
  readonly policy: Policy;
  /** Whether provenances in the policy are allowed or forbidden. */
  readonly isAllowed: boolean;
  /** Asked only while that variable holds that message. */
  readonly when:
    { readonly principal: number; readonly variable: number; readonly message: number } | undefined;
  /** The policy as written. */
  readonly text: string;
}

export interface MessageSubject extends Subject {
  readonly kind: "messages";
  readonly program: MessageProgram;
  /** Extracted from another input, whose users never see its states. */
  readonly isExtracted?: boolean;
}

export const isMessageSubject = (subject: Subject | undefined): subject is MessageSubject =>
  subject?.kind === "messages";

/** Does nothing that other principals could prevent, and takes nothing from them. */
export const isLocal = ({ kind }: MessageAction): boolean => kind !== "receive";

/** The variable that an action writes, or -1. */
export function writtenBy(action: MessageAction): number {
  switch (action.kind) {
    case "fresh":
    case "apply":
      return action.target;
    case "receive":
      return action.variable;
    case "assume":
    case "test":
    case "send":
    case "spawn":
    case "skip":
      return -1;
  }
}

/** The variable that an action reads, or -1. */
export function readBy(action: MessageAction): number {
  switch (action.kind) {
    case "apply":
      return action.source;
    case "assume":
    case "test":
    case "send":
      return action.variable;
    case "fresh":
    case "receive":
    case "spawn":
    case "skip":
      return -1;
  }
}

/** A message with its provenance. */
export interface TravelledMessage {
  readonly message: number;
  readonly provenance: Provenance;
}

/** A step that one principal can take. */
export interface MessageStep {
  readonly principal: number;
  readonly edge: MessageEdge;
  /** Of a receive: the received message. */
  readonly taken: TravelledMessage | undefined;
  /** Location and variables of the principal before the step. */
  readonly location: number;
  readonly values: readonly TravelledMessage[];
}

/** Concrete executions, without abstraction. */
export interface MessageSystem extends System, Explainer {
  /** The steps that `successors` gives, in the same order. */
  stepsFrom(state: Words, at: number): readonly MessageStep[];
  /** Values of a principal's variables; for a spawned principal, of each instance. */
  valuesOf(principal: number, state: Words, at: number): readonly (readonly TravelledMessage[])[];
}

export const observes = (
  { principal, variable, when }: ProvenanceProperty,
  who: number,
  which: number,
): boolean =>
  (principal === who && variable === which) || (when?.principal === who && when.variable === which);
