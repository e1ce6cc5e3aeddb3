/** Which symmetries of a rule program a search uses. Reductions decide on it, the code generator makes representatives by it. */
export interface Symmetry {
  /** Scalarsets whose elements may be renamed, by number. */
  readonly scalarsets: readonly number[];
  /**
   * `canonical`: equivalent states have the same representative, so that states are counted once for each orbit. `normal`: they may have
   * several; that is faster where many elements look alike at first sight.
   */
  readonly form: "canonical" | "normal";
}
