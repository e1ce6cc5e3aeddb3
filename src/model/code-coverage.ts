/** Coverage of the user's code, by file. */
export type CodeCoverage = readonly FileCoverage[];

export interface FileCoverage {
  readonly file: string;
  /** Lines on which a statement begins. */
  readonly lines: Share;
  /** Arms of `if` (including a missing `else`), `?:`, `switch`, and right operands of `&&`, `||`, `??`. */
  readonly branches: Share;
  readonly unreachedLines: readonly number[];
  /** On lines that were reached. */
  readonly unreachedBranches: readonly { readonly line: number; readonly column: number }[];
}

export interface Share {
  readonly covered: number;
  readonly total: number;
}
