/**
 * The abstract states of an exploration as a graph, and the smaller ones that must steps reach.
 *
 * A step is must (exact) if every state of the source has a successor in the target, and must⁻ if every state of the target has a
 * predecessor in the source. `weak` follows must⁻ steps and then must steps.
 */
import type {
  AbstractEdge,
  AbstractGraph,
  AbstractModel,
  AbstractState,
} from "../../model/abstract-graph.js";
import type { Part, Term, VariableTerm } from "../../model/terms.js";
import { nth } from "../../model/known.js";
import type { Abstraction, Split } from "./abstraction.js";
import { Checks, inputsFor } from "./checks.js";
import { edgeKey, type Edge, type Explored } from "./explore.js";

/** Larger ones are not drawn. */
const MOST_STATES = 200;

/** Yields between queries. Undefined: too large. */
export function* abstractGraph(
  abstraction: Abstraction,
  explored: Explored,
  model: AbstractModel | undefined,
): Generator<undefined, AbstractGraph | undefined> {
  const { abstract, inf } = explored;
  if (abstract.size > MOST_STATES) return undefined;
  const checks = new Checks(abstraction, explored);
  const { closed } = explored.counterexample ? { closed: undefined } : yield* checks.trap();
  const trap = closed?.states ?? new Set<string>();
  const steps = yield* stepsOf(explored, checks, (key) => model !== undefined || trap.has(key));
  const shown =
    model === undefined || model === "ase"
      ? new Set(abstract.keys())
      : yield* reached(abstraction, explored, checks, steps, model);
  const keys = [...abstract.keys()].filter((key) => shown.has(key));
  const numbers = new Map(keys.map((key, number) => [key, number]));
  const edges: AbstractEdge[] = [];
  for (const edge of steps) {
    const [from, to] = [numbers.get(edge.from), numbers.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    yield;
    const { label } = nth(abstraction.logic.program.transitions, edge.transition);
    edges.push({
      from,
      to,
      label,
      isExact: checks.isExact(edge),
      isLoop: inf.has(edgeKey(edge)),
      isTrap: trap.has(edge.from) && trap.has(edge.to),
    });
  }
  const states = keys.map((key) => stateOf(abstraction, explored, key));
  return { model, states, edges };
}

/** Explored steps, and all possible ones from the states that `isWhole` selects. */
function* stepsOf(
  { abstract, fin, inf }: Explored,
  checks: Checks,
  isWhole: (key: string) => boolean,
): Generator<undefined, Edge[]> {
  const found = new Map([...fin, ...inf]);
  for (const [key, from] of abstract) {
    if (!isWhole(key)) continue;
    for (const transition of checks.enabled(from)) {
      yield;
      for (const to of checks.after(from, transition)) {
        const edge = { from: key, transition, to: to.key };
        if (abstract.has(to.key)) found.set(edgeKey(edge), edge);
      }
    }
  }
  return [...found.values()].filter(({ from, to }) => abstract.has(from) && abstract.has(to));
}

/** `weak`: by must⁻ steps, then by must steps; `must`: by must steps alone. */
function* reached(
  abstraction: Abstraction,
  explored: Explored,
  checks: Checks,
  steps: readonly Edge[],
  model: "must" | "weak",
): Generator<undefined, Set<string>> {
  const from = new Set(explored.initial.filter((key) => explored.abstract.has(key)));
  const first =
    model === "weak"
      ? yield* closure(from, steps, (edge) => isBackwardMust(abstraction, explored, edge))
      : from;
  return yield* closure(first, steps, (edge) => checks.isExact(edge));
}

function* closure(
  from: ReadonlySet<string>,
  steps: readonly Edge[],
  isTaken: (edge: Edge) => boolean,
): Generator<undefined, Set<string>> {
  const found = new Set(from);
  const work = [...from];
  for (let key = work.pop(); key !== undefined; key = work.pop())
    for (const edge of steps) {
      if (edge.from !== key || found.has(edge.to)) continue;
      yield;
      if (!isTaken(edge)) continue;
      found.add(edge.to);
      work.push(edge.to);
    }
  return found;
}

/** Does every state of the target have a predecessor in the source? No, if elimination is too large. */
function isBackwardMust(abstraction: Abstraction, { abstract }: Explored, edge: Edge): boolean {
  const { logic, solver } = abstraction;
  const { terms, program } = logic;
  const [from, to] = [abstract.get(edge.from), abstract.get(edge.to)];
  if (!from || !to) return false;
  const source = abstraction.concretisation(from);
  const before = program.variables.map(({ name }) => terms.variable(`${name}'before`, "int"));
  const atBefore = (term: Term): Term => logic.at(term, before);
  const old = source.values.map(atBefore);
  const inputs = inputsFor(abstraction, edge.transition);
  const next = logic.exec(nth(program.transitions, edge.transition), old, inputs);
  const same = next.map((value, index) => terms.equal(nth(logic.variables, index), value));
  const image = solver.project(terms.and([...same, ...source.constraints.map(atBefore)]), [
    ...before,
    ...inputs,
  ]);
  if (!image) return false;
  const target = abstraction.concretisation(to);
  const pinned = target.values.map((value, index) => terms.equal(nth(logic.variables, index), value));
  const answer = solver.check([...pinned, ...target.constraints, terms.not(image)], { purpose: "exactness" });
  return answer.kind === "unsat";
}

function stateOf(abstraction: Abstraction, { abstract, initial }: Explored, key: string): AbstractState {
  const state = abstract.get(key);
  if (!state) throw new Error("an abstract state is unknown");
  return {
    values: explicitValues(abstraction, state),
    formulas: abstraction.predicates.map((predicate, index) =>
      conditionText(predicate, state.bits[index] === true),
    ),
    isInitial: initial.includes(key),
    isError: !abstraction.isSafe(state),
  };
}

const explicitValues = ({ logic }: Abstraction, { values }: Split): AbstractState["values"] =>
  logic.program.variables.flatMap(({ name, isExplicit }, index) => {
    const value = values[index];
    return isExplicit && value?.kind === "constant" ? [{ name, value: `${value.value}` }] : [];
  });

const OPERATORS = {
  atMost: { true: "<=", false: ">" },
  equal: { true: "==", false: "!=" },
  divides: { true: "==", false: "!=" },
};

/** `x <= y + 1`: a predicate or its negation, with negative parts on the right. */
function conditionText(predicate: Term, holds: boolean): string {
  if (predicate.kind !== "atMost" && predicate.kind !== "equal" && predicate.kind !== "divides")
    throw new Error("a predicate is an atom");
  const { kind, parts, bound, divisor } = predicate;
  const operator = OPERATORS[kind][`${holds}`];
  if (kind === "divides") return `(${sumText(parts, bound)}) % ${divisor} ${operator} 0`;
  const left = parts.filter(({ coefficient }) => coefficient > 0n);
  const right = parts
    .filter(({ coefficient }) => coefficient < 0n)
    .map(({ coefficient, of }) => ({ coefficient: -coefficient, of }));
  return `${sumText(left, 0n)} ${operator} ${sumText(right, bound)}`;
}

function sumText(parts: readonly Part[], constant: bigint): string {
  const texts = parts.map(({ coefficient, of }, index) => {
    const size = coefficient < 0n ? -coefficient : coefficient;
    const sign = coefficient < 0n ? (index === 0 ? "-" : " - ") : index === 0 ? "" : " + ";
    return `${sign}${size === 1n ? "" : `${size}*`}${(of as VariableTerm).name}`;
  });
  if (texts.length === 0) return `${constant}`;
  return constant === 0n
    ? texts.join("")
    : `${texts.join("")}${constant < 0n ? ` - ${-constant}` : ` + ${constant}`}`;
}
