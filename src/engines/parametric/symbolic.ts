/**
 * Symbolic states: explicit locations, a formula over choice variables for each variable, and guards.
 *
 * A state denotes the valuations that some choices with true guards give. Variables that no thread reads again are false in it, and
 * guards that share no choice with another variable are dropped: both denote the same sets of live values.
 */
import type { BooleanExpr, BooleanProgram, BooleanStep } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Formulas, Lit } from "./formulas.js";
import { FALSE, TRUE } from "./formulas.js";

export interface SymbolicState {
  readonly at: readonly number[];
  /** By variable. */
  readonly values: readonly Lit[];
  /** Conjuncts. */
  readonly guards: readonly Lit[];
}

/** A step that was taken symbolically. */
export interface Taken {
  readonly thread: number;
  readonly step: number;
  /** Nodes of the choices that it made. */
  readonly fresh: readonly number[];
  /** Its constraint. */
  readonly constraint: Lit;
}

export function initialState({ variables, threads }: BooleanProgram, formulas: Formulas): SymbolicState {
  const values = variables.map(({ initial }) =>
    initial === undefined ? formulas.input() : initial ? TRUE : FALSE,
  );
  return { at: threads.map(() => 0), values, guards: [] };
}

/** The state after a step, with new choices; its guards may be contradictory. */
export function after(
  { at, values, guards }: SymbolicState,
  thread: number,
  number: number,
  step: BooleanStep,
  formulas: Formulas,
): { readonly state: SymbolicState; readonly taken: Taken } {
  // Choices are new whenever a step is taken, even at the same location.
  const fresh = Array.from({ length: step.choices }, () => formulas.input()); // sound: test/engines/parametric/traps.test.ts
  const next = [...values];
  // Right-hand sides have the values before the step: soundness depends on it, see the swaps of test/engines/parametric/traps.test.ts.
  for (const { variable, value } of step.assignments)
    next[variable] = formulaOf(value, values, values, fresh, formulas);
  const constraint = formulaOf(step.constraint, values, next, fresh, formulas);
  return {
    state: {
      at: at.map((location, t) => (t === thread ? step.to : location)),
      values: next,
      guards: formulas.conjuncts([...guards, constraint]), // sound: test/engines/parametric/traps.test.ts
    },
    taken: { thread, step: number, fresh: fresh.map((lit) => lit >> 1), constraint },
  };
}

function formulaOf(
  expr: BooleanExpr,
  before: readonly Lit[],
  afterwards: readonly Lit[],
  fresh: readonly Lit[],
  formulas: Formulas,
): Lit {
  const inner = (each: BooleanExpr): Lit => formulaOf(each, before, afterwards, fresh, formulas);
  switch (expr.kind) {
    case "constant":
      return expr.value ? TRUE : FALSE;
    case "variable":
      return nth(expr.isPrimed ? afterwards : before, expr.variable); // sound: test/engines/parametric/traps.test.ts
    case "choice":
      return nth(fresh, expr.choice);
    case "not":
      return inner(expr.of) ^ 1;
    case "and":
      return formulas.and(inner(expr.left), inner(expr.right));
    case "or":
      return formulas.or(inner(expr.left), inner(expr.right));
    case "xor":
      return formulas.xor(inner(expr.left), inner(expr.right));
  }
}

/**
 * The same set of live values, by smaller formulas. `state` must not be empty: dropped guards share no choice with the rest, so they
 * can be satisfied independently of it.
 */
export function simplified(
  state: SymbolicState,
  isLive: (variable: number) => boolean,
  formulas: Formulas,
): SymbolicState {
  let { values, guards } = state;
  values = values.map((lit, variable) => (isLive(variable) ? lit : FALSE));
  const units = new Map<number, Lit>();
  for (let isDone = false; !isDone;) {
    const found = guards.filter((lit) => formulas.isInput(lit));
    isDone = found.length === 0;
    for (const lit of found) units.set(lit >> 1, lit & 1 ? FALSE : TRUE);
    if (isDone) break;
    const cache = new Map<number, Lit>();
    const settle = (lit: Lit): Lit =>
      formulas.substitute(lit, (input) => units.get(input) ?? 2 * input, cache);
    values = values.map(settle);
    guards = formulas.conjuncts(guards.map(settle)); // a contradiction would make the state empty
  }
  return { at: state.at, values, guards: connected(values, guards, formulas) };
}

/** Guards that share choices with the values, directly or through other guards. */
function connected(values: readonly Lit[], guards: readonly Lit[], formulas: Formulas): Lit[] {
  const reached = formulas.support(values);
  let open = guards.map((lit) => ({ lit, inputs: formulas.support([lit]) }));
  const kept = new Set<Lit>();
  for (let isDone = false; !isDone;) {
    isDone = true;
    open = open.filter(({ lit, inputs }) => {
      if (![...inputs].some((input) => reached.has(input))) return true; // sound: test/engines/parametric/traps.test.ts
      for (const input of inputs) reached.add(input);
      kept.add(lit);
      isDone = false;
      return false;
    });
  }
  return guards.filter((lit) => kept.has(lit));
}
