/**
 * Guarded commands: integer variables without bounds, an initial condition, and transitions that assign simultaneously. A
 * variable may begin with any value, and a transition may assign any integer (`nondet`): its inputs.
 *
 * Plain data; the front end has removed parameters, templates and quantifiers. `isEnabled` and `fire` are the concrete semantics,
 * in which every trace is replayed.
 */
import type { Span } from "./diagnostic.js";
import type { Subject } from "./subject.js";
import { modulo } from "./terms.js";
import type { Trace } from "./trace.js";
import type { Property } from "./verdict.js";

export interface GuardedProgram extends Subject {
  readonly kind: "guarded";
  readonly name: string;
  readonly variables: readonly GuardedVariable[];
  /** Holds in the first state, with the initial values of the variables. */
  readonly initial: Condition;
  readonly transitions: readonly GuardedTransition[];
  readonly properties: readonly GuardedProperty[];
  /** Further predicates for abstractions; they change no verdict. */
  readonly predicates: readonly Condition[];
  /** Facet: the program also has a model, and this gives a run as choices of it. Absent: there are no states to visit. */
  readonly traceOf?: ((run: GuardedRun) => Trace) | undefined;
}

export interface GuardedVariable {
  readonly name: string;
  /** Its value is part of every abstract state. Has a range. */
  readonly isExplicit: boolean;
  /** No transition leaves it: the front end has checked this. */
  readonly range: Range | undefined;
  /** Undefined: any value of the range that the initial condition allows. */
  readonly initial: bigint | undefined;
}

export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** Σ coefficient·variable + constant. */
export interface LinearSum {
  readonly parts: readonly { readonly variable: number; readonly coefficient: bigint }[];
  readonly constant: bigint;
}

export type Condition =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "and" | "or"; readonly all: readonly Condition[] }
  /** The sum is at most 0, is 0, or is divisible. */
  | { readonly kind: "atMost" | "zero"; readonly sum: LinearSum }
  | { readonly kind: "divides"; readonly divisor: bigint; readonly sum: LinearSum };

export interface GuardedTransition {
  readonly label: string;
  /** The instance of a process, or the file. */
  readonly process: string;
  readonly guard: Condition;
  /** Each variable at most once; right-hand sides are evaluated before any assignment. */
  readonly assignments: readonly Assign[];
  readonly span: Span;
  /** As the user wrote it; absent: the text of the span. */
  readonly text?: string;
}

export interface Assign {
  readonly variable: number;
  readonly value: LinearSum | "nondet";
}

export interface GuardedProperty extends Property {
  readonly kind: "invariant" | "assertion" | "deadlock";
  /** A question about reachability is violated when the answer is yes. */
  readonly asks: "safety" | "error" | "reach";
  /** Holds in every reachable state. */
  readonly condition: Condition;
}

export const isGuarded = (subject: Subject | undefined): subject is GuardedProgram =>
  subject?.kind === "guarded";

export const isGuardedProperty = (property: Property): property is GuardedProperty => "asks" in property;

/** Values of all variables, in order. */
export type GuardedState = readonly bigint[];

export const valueOf = ({ parts, constant }: LinearSum, state: GuardedState): bigint =>
  parts.reduce((so, { variable, coefficient }) => so + coefficient * (state[variable] ?? 0n), constant);

export function isTrue(condition: Condition, state: GuardedState): boolean {
  switch (condition.kind) {
    case "constant":
      return condition.value;
    case "not":
      return !isTrue(condition.of, state);
    case "and":
      return condition.all.every((each) => isTrue(each, state));
    case "or":
      return condition.all.some((each) => isTrue(each, state));
    case "atMost":
      return valueOf(condition.sum, state) <= 0n;
    case "zero":
      return valueOf(condition.sum, state) === 0n;
    case "divides":
      return modulo(valueOf(condition.sum, state), condition.divisor) === 0n;
  }
}

export function isInitial({ variables, initial }: GuardedProgram, state: GuardedState): boolean {
  const fits = variables.every(({ range, initial: first }, index) => {
    const value = state[index];
    if (value === undefined || (first !== undefined && value !== first)) return false;
    return !range || (range.low <= value && value <= range.high);
  });
  return fits && isTrue(initial, state);
}

export const inputsOf = ({ assignments }: GuardedTransition): number =>
  assignments.filter(({ value }) => value === "nondet").length;

/** The state after an enabled transition; `inputs` has a value for each `nondet`, in order. */
export function fire(
  { assignments }: GuardedTransition,
  state: GuardedState,
  inputs: readonly bigint[],
): GuardedState {
  const next = [...state];
  let used = 0;
  for (const { variable, value } of assignments)
    next[variable] = value === "nondet" ? (inputs[used++] ?? 0n) : valueOf(value, state);
  return next;
}

/** A run: the first state, then the transitions taken, with their inputs. */
export interface GuardedRun {
  readonly first: GuardedState;
  readonly steps: readonly { readonly transition: number; readonly inputs: readonly bigint[] }[];
}

/** States of a run in order; undefined if it is none of the program. */
export function statesOf(
  program: GuardedProgram,
  { first, steps }: GuardedRun,
): readonly GuardedState[] | undefined {
  if (!isInitial(program, first)) return undefined;
  const states: GuardedState[] = [first];
  let state = first;
  for (const { transition, inputs } of steps) {
    const taken = program.transitions[transition];
    if (!taken || !isTrue(taken.guard, state) || inputs.length !== inputsOf(taken)) return undefined;
    state = fire(taken, state, inputs);
    states.push(state);
  }
  return states;
}
