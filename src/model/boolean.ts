/**
 * Boolean programs: threads with explicit locations over Boolean variables, as predicate abstraction makes them. An assignment may
 * choose values (`*`), and a constraint relates the values before and after it.
 *
 * Plain data; the front end has inlined calls and unfolded `if`, `while` and `assert`. `stepsFrom` is the concrete semantics, in which
 * every trace is replayed.
 */
import type { Span } from "./diagnostic.js";
import { nth } from "./known.js";
import type { Subject } from "./subject.js";
import type { Trace } from "./trace.js";
import type { Property } from "./verdict.js";

/** Input of the symbolic search; `properties` come from the model, and searches of states check them. */
export interface BooleanSubject extends Subject {
  readonly kind: "boolean";
  readonly program: BooleanProgram;
  /** A run as choices of the model. */
  traceOf(run: { readonly first: BooleanState; readonly moves: readonly BooleanMove[] }): Trace;
}

export interface BooleanProgram {
  readonly name: string;
  /** Globals, then the locals of each thread. */
  readonly variables: readonly BooleanVariable[];
  readonly threads: readonly BooleanThread[];
  readonly properties: readonly BooleanProperty[];
}

export interface BooleanVariable {
  readonly name: string;
  /** Undefined: global. */
  readonly thread: number | undefined;
  /** Undefined: either value. */
  readonly initial: boolean | undefined;
  readonly span: Span;
}

export interface BooleanThread {
  readonly name: string;
  /** Position of its declaration: threads of one declaration have the same locations, and corresponding locals in the same order. */
  readonly declaration: number;
  readonly locations: readonly BooleanLocation[];
  /** Every thread begins at location 0. */
  readonly span: Span;
}

export interface BooleanLocation {
  /** None: the thread has ended. */
  readonly steps: readonly BooleanStep[];
  /** While a thread is here, no other may move; if it cannot move, the execution ends. */
  readonly isAtomic: boolean;
  readonly labels: readonly string[];
  /** An assertion has failed here: its text. */
  readonly failed?: string;
  readonly span: Span;
}

/**
 * Possible if the choices can be made so that the constraint holds. Right-hand sides and unprimed variables of the constraint have the
 * values before the step, primed variables those after it.
 */
export interface BooleanStep {
  readonly to: number;
  /** Number of choices, each new whenever the step is taken. */
  readonly choices: number;
  /** Each variable at most once. */
  readonly assignments: readonly { readonly variable: number; readonly value: BooleanExpr }[];
  readonly constraint: BooleanExpr;
  readonly text: string;
  readonly span: Span;
}

export type BooleanExpr =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "variable"; readonly variable: number; readonly isPrimed: boolean }
  | { readonly kind: "choice"; readonly choice: number }
  | { readonly kind: "not"; readonly of: BooleanExpr }
  | { readonly kind: "and" | "or" | "xor"; readonly left: BooleanExpr; readonly right: BooleanExpr };

/** Violated in states whose threads are all at one of the listed locations: `places` of one entry are simultaneous. */
export interface BooleanProperty extends Property {
  readonly bad: readonly (readonly BooleanPlace[])[];
}

export interface BooleanPlace {
  readonly thread: number;
  readonly location: number;
}

export const isBoolean = (subject: Subject | undefined): subject is BooleanSubject =>
  subject?.kind === "boolean";

export const isBadAt = ({ bad }: BooleanProperty, at: readonly number[]): boolean =>
  bad.some((places) => places.every(({ thread, location }) => at[thread] === location));

/** Locations of all threads, and values of all variables. */
export interface BooleanState {
  readonly at: readonly number[];
  readonly values: readonly boolean[];
}

/** Threads that may move, whether or not one of their steps is possible. */
export function movableThreads({ threads }: BooleanProgram, at: readonly number[]): number[] {
  const owner = threads.findIndex(({ locations }, t) => nth(locations, nth(at, t)).isAtomic);
  return owner < 0 ? threads.map((_, t) => t) : [owner]; // sound: test/engines/parametric/traps.test.ts
}

/** A step of a state, with the values chosen. */
export interface BooleanMove {
  readonly thread: number;
  /** Position among the steps of the location. */
  readonly step: number;
  readonly choices: readonly boolean[];
}

/** The state after a move; undefined if it is not possible. */
export function moved(
  program: BooleanProgram,
  { at, values }: BooleanState,
  { thread, step: number, choices }: BooleanMove,
): BooleanState | undefined {
  if (!movableThreads(program, at).includes(thread)) return undefined;
  const step = program.threads[thread]?.locations[nth(at, thread)]?.steps[number];
  if (!step) return undefined;
  const after = [...values];
  for (const { variable, value } of step.assignments)
    after[variable] = truthOf(value, { before: values, after: values, choices });
  if (!truthOf(step.constraint, { before: values, after, choices })) return undefined;
  return { at: at.map((location, t) => (t === thread ? step.to : location)), values: after };
}

interface Valuation {
  readonly before: readonly boolean[];
  readonly after: readonly boolean[];
  readonly choices: readonly boolean[];
}

export function truthOf(expr: BooleanExpr, valuation: Valuation): boolean {
  switch (expr.kind) {
    case "constant":
      return expr.value;
    case "variable":
      return nth(expr.isPrimed ? valuation.after : valuation.before, expr.variable);
    case "choice":
      return valuation.choices[expr.choice] === true;
    case "not":
      return !truthOf(expr.of, valuation);
    case "and":
      return truthOf(expr.left, valuation) && truthOf(expr.right, valuation);
    case "or":
      return truthOf(expr.left, valuation) || truthOf(expr.right, valuation);
    case "xor":
      return truthOf(expr.left, valuation) !== truthOf(expr.right, valuation);
  }
}

/** Calls `visit` for every variable of an expression. */
export function visitVariables(
  expr: BooleanExpr,
  visit: (variable: number, isPrimed: boolean) => void,
): void {
  switch (expr.kind) {
    case "variable":
      return visit(expr.variable, expr.isPrimed);
    case "not":
      return visitVariables(expr.of, visit);
    case "and":
    case "or":
    case "xor":
      visitVariables(expr.left, visit);
      return visitVariables(expr.right, visit);
    default:
  }
}

/** Variables that a step reads before it assigns, and those it assigns. */
export function accessOf({ assignments, constraint }: BooleanStep): {
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
} {
  const reads = new Set<number>();
  const writes = new Set(assignments.map(({ variable }) => variable));
  for (const { value } of assignments) visitVariables(value, (variable) => reads.add(variable));
  visitVariables(constraint, (variable, isPrimed) => {
    if (!isPrimed || !writes.has(variable)) reads.add(variable); // sound: test/engines/parametric/traps.test.ts
  });
  return { reads, writes };
}
