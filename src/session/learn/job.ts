/** The job of learning, as plain data. */
import type { Diagnostic } from "../../model/index.js";
import type { NodesJob } from "../apart/job.js";

export interface LearnJob extends NodesJob {
  readonly kind: "learn";
  readonly maxStates: number;
  readonly timeMs: number | undefined;
}

/** Automaton over the calls; state 0 is the initial one, missing edges are refused calls. */
export interface LearnedProtocol {
  readonly calls: readonly string[];
  readonly states: number;
  readonly edges: readonly (readonly [from: number, call: number, to: number])[];
  readonly queries: number;
  readonly candidates: number;
  /** States of the object that the last comparison visited. */
  readonly visited: number;
  /** All states of the object were compared; otherwise all sequences of at most `depth` calls. */
  readonly isComplete: boolean;
  readonly depth: number;
}

export type LearnAnswer =
  | { readonly protocol: LearnedProtocol; readonly diagnostics: readonly Diagnostic[] }
  | { readonly protocol: undefined; readonly diagnostics: readonly Diagnostic[] };
