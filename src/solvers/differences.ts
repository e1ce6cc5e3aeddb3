/**
 * The difference-bound test: bounds `x <= c` and differences `x - y <= c` by the Bellman-Ford algorithm.
 *
 * A negative cycle refutes the conjunction, regardless of its other literals. Otherwise the shortest paths are an
 * assignment; if it satisfies the other literals as well, the conjunction is satisfiable. Undecided in all other cases.
 */
import { evaluate, variablesOf, type AtomTerm, type Term, type VariableTerm } from "../model/terms.js";

export type Decided =
  { readonly kind: "unsat" } | { readonly kind: "sat"; readonly values: ReadonlyMap<number, bigint> };

/** `to - from <= bound`; index 0 is the constant zero. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly bound: bigint;
}

export function decideDifferences(literals: readonly Term[]): Decided | undefined {
  const numbers = new Map<number, number>();
  const variables: VariableTerm[] = [];
  for (const literal of literals)
    for (const variable of variablesOf(literal).values()) {
      if (variable.kind !== "variable" || variable.sort !== "int") return undefined;
      if (!numbers.has(variable.id)) numbers.set(variable.id, variables.push(variable));
    }
  const edges = literals.flatMap((literal) => edgesOf(literal, numbers));
  const forward = shortest(edges, variables.length + 1);
  if (!forward) return { kind: "unsat" };
  const backward = shortest(
    edges.map(({ from, to, bound }) => ({ from: to, to: from, bound })),
    variables.length + 1,
  )?.map((distance) => -distance);
  for (const distances of [forward, backward ?? forward]) {
    const zero = distances[0] ?? 0n;
    const values = new Map(variables.map(({ id }, index) => [id, (distances[index + 1] ?? 0n) - zero]));
    const value = ({ id }: VariableTerm): bigint => values.get(id) ?? 0n;
    if (literals.every((literal) => evaluate(literal, { value }) === 1n)) return { kind: "sat", values };
  }
  return undefined;
}

function edgesOf(literal: Term, numbers: ReadonlyMap<number, number>): readonly Edge[] {
  const isNegated = literal.kind === "not";
  const atom = literal.kind === "not" ? literal.of : literal;
  if (atom.kind !== "atMost" && atom.kind !== "equal") return [];
  const ends = endsOf(atom, numbers);
  if (!ends) return [];
  const { from, to } = ends;
  const most = { from, to, bound: atom.bound };
  const least = { from: to, to: from, bound: -atom.bound };
  if (atom.kind === "equal") return isNegated ? [] : [most, least]; // sound: test/solvers/front.test.ts
  return isNegated ? [{ ...least, bound: -atom.bound - 1n }] : [most];
}

/** `to - from` is the sum of the atom, if it is a variable or a difference of two. */
function endsOf(
  { parts }: AtomTerm,
  numbers: ReadonlyMap<number, number>,
): { from: number; to: number } | undefined {
  const [first, second] = parts;
  const to = first && numbers.get(first.of.id);
  if (to === undefined || first?.coefficient !== 1n || parts.length > 2) return undefined;
  if (second === undefined) return { from: 0, to };
  const from = numbers.get(second.of.id);
  return from === undefined || second.coefficient !== -1n ? undefined : { from, to };
}

/** Distances that satisfy all edges; undefined: a negative cycle. */
function shortest(edges: readonly Edge[], count: number): bigint[] | undefined {
  const distances = Array.from({ length: count }, () => 0n);
  for (let round = 0; round <= count; round++) {
    let isChanged = false;
    for (const { from, to, bound } of edges) {
      const through = (distances[from] ?? 0n) + bound;
      if (through >= (distances[to] ?? 0n)) continue;
      distances[to] = through;
      isChanged = true;
    }
    if (!isChanged) return distances;
  }
  return undefined;
}
