/**
 * Processes that partial-order reduction may expand alone, as far as static analysis can decide:
 * by location, and for some locations by conditions on the state. Reductions compute it from a `Program`, the
 * code generator makes the `Candidates` facet of a system from it.
 */
import type { Expr } from "./program.js";

export interface Candidacy {
  /** By template, then by location. */
  readonly locations: readonly (readonly LocationCandidacy[])[];
  /** By template, then by location: can a process at this location still create another? */
  readonly creators: readonly (readonly boolean[])[];
  /** Propose no process if only one is alive, since nothing can be omitted. */
  readonly needsCompany: boolean;
}

/** Undefined: a process at this location is never explored alone. */
export type LocationCandidacy =
  | {
      /** All must hold, in the scope of the process; one that cannot be evaluated does not hold. */
      readonly conditions: readonly Expr[];
      /** Holds only while no other process is at a location from which it can create one. */
      readonly needsNoCreators: boolean;
    }
  | undefined;
