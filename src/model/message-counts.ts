/** Conditions on the states of a message-passing program: linear conditions on counts, as for markings of nets. */
import type { MessageProgram } from "./messages.js";
import type { MarkingCondition } from "./net.js";
import type { TemporalProperty } from "./temporal.js";
import type { Property } from "./verdict.js";

/** A count that conditions can mention. */
export type MessageCount =
  /** Messages in a channel: those of one name, or all. */
  | { readonly kind: "channel"; readonly channel: number; readonly message: number | undefined }
  /** Instances of a principal whose variable holds the message. */
  | {
      readonly kind: "variable";
      readonly principal: number;
      readonly variable: number;
      readonly message: number;
    }
  /** Instances of a principal that have ended. */
  | { readonly kind: "end"; readonly principal: number };

/** All counts; places of conditions are positions in this list. */
export const countsOf = ({ channels, messages, principals }: MessageProgram): readonly MessageCount[] => [
  ...channels.map((_, channel): MessageCount => ({ kind: "channel", channel, message: undefined })),
  ...channels.flatMap((_, channel) =>
    messages.map((__, message): MessageCount => ({ kind: "channel", channel, message })),
  ),
  ...principals.map((_, principal): MessageCount => ({ kind: "end", principal })),
  ...principals.flatMap(({ variables }, principal) =>
    variables.flatMap((_, variable) =>
      messages.map((__, message): MessageCount => ({ kind: "variable", principal, variable, message })),
    ),
  ),
];

/** Properties of a message-passing program that concern its states and executions. */
export interface MessageQuestions {
  readonly invariants: readonly MessageInvariant[];
  readonly formulas: readonly MessageFormula[];
  /** Is a state an error in which no step is possible and a principal is not at its end? */
  readonly asksDeadlock: boolean;
}

export interface MessageInvariant extends Property {
  readonly kind: "invariant";
  readonly condition: MarkingCondition;
}

/** A formula that every execution satisfies; one condition a proposition. */
export interface MessageFormula extends TemporalProperty {
  readonly kind: "ltl";
  readonly conditions: readonly MarkingCondition[];
}
