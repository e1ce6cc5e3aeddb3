/** The symmetries of a rule program that a search uses. Reductions select them, the code generator computes representatives from them. */
export interface Symmetry {
  /** Scalarsets whose elements may be renamed, by number. */
  readonly scalarsets: readonly number[];
  /**
   * `canonical`: equivalent states have the same representative, so that states are counted once for each orbit. `normal`: they may have
   * several; that is faster where many elements look alike at first sight.
   */
  readonly form: "canonical" | "normal";
}
