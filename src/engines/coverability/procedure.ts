/** Common interface of the coverability procedures. */
import type { Net, Tokens } from "../../model/index.js";
import type { Work } from "./work.js";

/**
 * Can one of the alternatives be covered? Yields the number of waiting vectors; throws `Spent` when the budget is used up
 * and `TokenOverflow` when a count overflows.
 */
export type DecideCoverability = (
  net: Net,
  alternatives: readonly Tokens[],
  work: Work,
) => Generator<number, CoverAnswer>;

export type CoverAnswer =
  | {
      readonly kind: "covered";
      /** Transitions from the initial marking to a covering one. */
      readonly firing: readonly number[];
      readonly notes: readonly string[];
    }
  | {
      readonly kind: "uncovered";
      /** Short remarks on the method. */
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
