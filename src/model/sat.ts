/**
 * Propositional solver of engines. Implementations are in `src/solvers`; `session` hands one to the engine.
 *
 * A literal is twice its variable, plus 1 if it is negated; variables count from 0.
 */
export interface Sat {
  newVariable(): number;
  addClause(literals: readonly number[]): void;
  /**
   * Can all clauses and assumptions be true? With `relevant`, only these variables are decided: the others must be definitions in terms
   * of them, which every assignment can be extended to. Undefined: `isStopped` ended it.
   */
  solve(assumptions: readonly number[], relevant?: readonly number[]): boolean | undefined;
  /** After a positive answer: the value of a variable; false if it was irrelevant. */
  value(variable: number): boolean;
  readonly variables: number;
  readonly conflicts: number;
}

export type MakeSat = () => Sat;
