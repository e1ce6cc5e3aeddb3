/** What the procedures for coverability have in common: what they are asked, and what they answer. */
import type { Net, Tokens } from "../../model/index.js";
import type { Work } from "./work.js";

/**
 * Can one of the alternatives be covered? Yields the number of vectors that wait; throws `Spent` when the budget is used up
 * and `TokenOverflow` when something cannot be counted.
 */
export type DecideCoverability = (
  net: Net,
  alternatives: readonly Tokens[],
  work: Work,
) => Generator<number, CoverAnswer>;

export type CoverAnswer =
  | {
      readonly kind: "covered";
      /** Transitions in order, from the initial marking to one that covers. */
      readonly firing: readonly number[];
      readonly notes: readonly string[];
    }
  | {
      readonly kind: "uncovered";
      /** How it was shown, in a few words. */
      readonly notes: readonly string[];
    };

export interface Procedure {
  readonly name: string;
  /** For `holds … by …`. */
  readonly method: string;
  readonly decide: DecideCoverability;
}

/** `1 marking`, `2 markings`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
