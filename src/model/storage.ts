/** The store of visited states, and its effect on the verdict. */

export type StoreName = "exact" | "tree" | "delta" | "compact" | "bitstate";

/** Hash functions of lossy stores. */
export const hashNames = ["murmur", "jenkins", "h3"] as const;
export type HashName = (typeof hashNames)[number];

export interface StoreReport {
  readonly kind: StoreName;
  /** In words: `8,388,608 bits (1.0 MB), 3 a state; murmur hashing with seed 1`. */
  readonly settings: string;
  /** Reason for an automatic choice; else empty. */
  readonly reason: string;
  /** Of a store that may lose states. */
  readonly omissions: OmissionReport | null;
  /** Statistics of the delta store. */
  readonly delta: Readonly<Record<string, number>> | null;
}

/** Estimated omissions of a search with a lossy store. */
export interface OmissionReport {
  /** States wrongly taken as visited; states reachable only through them are also missed. */
  readonly expected: number;
  /** That there was at least one. Over several runs with different seeds: that the same one was missed in all. */
  readonly probability: number;
  readonly runs: number;
  /** Visited states and expected omissions together; null when the search was stopped. */
  readonly estimatedStates: number | null;
  /** Transitions to each state, on average. */
  readonly inDegree: number;
  /** How far to trust the estimate, by that. */
  readonly reliability: string;
  /** Breadth-first with compaction: the probability that one particular state was missed; else null. */
  readonly missedState: number | null;
  /** Options for the next attempt, with their expected omissions; empty if the search was stopped. */
  readonly recommendation: string;
  readonly alternative: string;
}
