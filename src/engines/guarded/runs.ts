/** Concrete runs from symbolic paths: the initial values and the inputs that the solver found. */
import {
  isTrue,
  statesOf,
  type GuardedProgram,
  type GuardedProperty,
  type GuardedRun,
} from "../../model/guarded.js";
import { evaluate } from "../../model/terms.js";
import { Undecided, type Abstraction } from "./abstraction.js";
import type { Node } from "./explore.js";

/** Throws if the run does not end in a violation: an internal error, never a result. */
export function runTo(abstraction: Abstraction, node: Node, property: GuardedProperty): GuardedRun {
  const { solver, logic } = abstraction;
  const answer = solver.check(node.constraints, { purpose: "feasibility" });
  if (answer.kind === "unknown") throw new Undecided(answer.reason);
  if (answer.kind === "unsat") throw new Error("a path that was explored is not feasible");
  const values = solver.model();
  const path: Node[] = [];
  for (let each: Node | undefined = node; each; each = each.parent) path.unshift(each);
  const [first, ...steps] = path;
  const run: GuardedRun = {
    first: (first?.values ?? []).map((value) => evaluate(value, values)),
    steps: steps.map(({ transition, inputs }) => ({
      transition,
      inputs: inputs.map((input) => evaluate(input, values)),
    })),
  };
  return confirmed(logic.program, property, run);
}

/** Executes the run. */
export function confirmed(program: GuardedProgram, property: GuardedProperty, run: GuardedRun): GuardedRun {
  const last = statesOf(program, run)?.at(-1);
  // sound: test/engines/guarded/checks.test.ts
  if (!last) throw new Error(`a run for '${property.name}' cannot be executed`);
  if (isTrue(property.condition, last)) throw new Error(`a run for '${property.name}' does not violate it`);
  return run;
}
