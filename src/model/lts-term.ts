/**
 * Transition systems as terms: parts that run together, under renaming and hiding. Parts synchronise on the labels that their alphabets
 * share, so a label of an alphabet that a part never takes blocks the others.
 */
import type { Span } from "./diagnostic.js";
import type { Lts } from "./lts.js";

export type LtsTerm =
  | {
      readonly kind: "part";
      readonly name: string;
      readonly lts: Lts;
      /** Includes the labels of `lts` other than τ, `√` and `ERROR`. */
      readonly alphabet: ReadonlySet<string>;
      readonly span: Span;
    }
  | { readonly kind: "parallel"; readonly parts: readonly LtsTerm[] }
  | {
      readonly kind: "rename";
      readonly of: LtsTerm;
      /** The new labels, at least one: an action becomes each of them. */
      readonly names: (label: string) => readonly string[];
      /** Precedes names of parts, in traces. */
      readonly prefix?: string;
    }
  | { readonly kind: "hide"; readonly of: LtsTerm; readonly hides: (label: string) => boolean }
  | {
      /** Keeps only high-priority transitions of a state that has any, or removes low-priority ones if it has others. */
      readonly kind: "priority";
      readonly of: LtsTerm;
      readonly name: string;
      readonly isHigh: boolean;
      readonly has: (label: string) => boolean;
      readonly span: Span;
    }
  | {
      readonly kind: "simplify";
      readonly of: LtsTerm;
      readonly name: string;
      readonly by: "minimal" | "deterministic";
      readonly span: Span;
    }
  /** Allows exactly its traces. */
  | { readonly kind: "property"; readonly of: LtsTerm; readonly name: string; readonly span: Span };

/** From every state, some action of the set must remain possible, if one of the premise does. */
export interface ProgressQuestion {
  readonly name: string;
  readonly span: Span;
  readonly premise: ((label: string) => boolean) | undefined;
  readonly has: (label: string) => boolean;
}
