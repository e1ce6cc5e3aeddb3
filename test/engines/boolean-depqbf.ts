/** Questions of coverage about random pairs of states, answered by brute force and by `depqbf` from Debian. */
import { spawnSync } from "node:child_process";
import { Coverage } from "../../src/engines/parametric/coverage.js";
import { Formulas, type Lit } from "../../src/engines/parametric/formulas.js";
import { Questions } from "../../src/engines/parametric/questions.js";
import type { SymbolicState } from "../../src/engines/parametric/symbolic.js";
import { Cdcl } from "../../src/solvers/index.js";
import { Random } from "../generators/random.js";

export const hasDepqbf = (): boolean => spawnSync("depqbf", ["--version"]).error === undefined;

export interface Pair {
  readonly formulas: Formulas;
  readonly inputs: readonly Lit[];
  readonly fresh: SymbolicState;
  readonly known: SymbolicState;
  readonly compared: readonly number[];
}

/** Two states over the same choices, which are different choices in each. */
export function randomPair(seed: number): Pair {
  const random = new Random(seed);
  const formulas = new Formulas();
  const inputs = Array.from({ length: random.between(1, 4) }, () => formulas.input());
  const formula = (depth: number): Lit => {
    if (depth === 0 || random.chance(30))
      return random.chance(10) ? random.between(0, 1) : random.pick(inputs) ^ random.between(0, 1);
    const [a, b] = [formula(depth - 1), formula(depth - 1)];
    return random.chance(40)
      ? formulas.and(a, b)
      : random.chance(50)
        ? formulas.or(a, b)
        : formulas.xor(a, b);
  };
  const compared = Array.from({ length: random.between(1, 3) }, (_, variable) => variable);
  const state = (): SymbolicState => ({
    at: [0],
    values: compared.map(() => formula(2)),
    guards: formulas.conjuncts([formula(random.between(0, 3))]),
  });
  return { formulas, inputs, fresh: state(), known: state(), compared };
}

/** Valuations that a state denotes, as bits. */
export function valuations(
  { formulas, inputs, compared }: Pair,
  { values, guards }: SymbolicState,
): Set<string> {
  const found = new Set<string>();
  for (let chosen = 0; chosen < 2 ** inputs.length; chosen++) {
    const isTrue = (input: number): boolean => ((chosen >> inputs.indexOf(2 * input)) & 1) === 1;
    if (!formulas.evaluate(guards, isTrue).every(Boolean)) continue;
    const lits = compared.map((variable) => values[variable] ?? 0);
    found.add(formulas.evaluate(lits, isTrue).map(Number).join(""));
  }
  return found;
}

/** Undefined if the new state is empty: there is nothing to cover. */
export function covers({ formulas, fresh, known, compared }: Pair): boolean | undefined {
  const questions = new Questions(formulas, () => new Cdcl());
  if (!questions.isPossible(fresh.guards)) return undefined;
  return new Coverage(formulas, questions).cover(fresh, known, compared) !== undefined;
}

export function compareWithDepqbf(seed: number, count: number): string[] {
  const wrong: string[] = [];
  for (let each = seed; each < seed + count; each++) {
    const pair = randomPair(each);
    const ours = covers(randomPair(each));
    if (ours === undefined) continue;
    const theirs = askDepqbf(qdimacs(pair));
    if (theirs !== ours) wrong.push(`pair ${each}: we say ${ours}, depqbf says ${theirs}`);
  }
  return wrong;
}

function askDepqbf(text: string): boolean | undefined {
  const { status } = spawnSync("depqbf", [], { input: text });
  return status === 10 ? true : status === 20 ? false : undefined;
}

/** For all inputs of the new state there are inputs of the known one, and values of all gates. */
function qdimacs({ formulas, inputs, fresh, known, compared }: Pair): string {
  const clauses: number[][] = [];
  let last = 2 * inputs.length;
  const encode = (lits: readonly Lit[], offset: number): number[] => {
    const names = new Map<number, number>(inputs.map((lit, index) => [lit >> 1, offset + index + 1]));
    last++;
    const isFalse = last;
    clauses.push([-isFalse]);
    const of = (lit: Lit): number => (lit & 1 ? -1 : 1) * (lit <= 1 ? isFalse : (names.get(lit >> 1) ?? 0));
    formulas.cone(lits, (node, left, right) => {
      if (left < 0) return;
      const own = ++last;
      names.set(node, own);
      clauses.push([-own, of(left)], [-own, of(right)], [own, -of(left), -of(right)]);
    });
    return lits.map(of);
  };
  const valuesOf = ({ values }: SymbolicState): Lit[] => compared.map((variable) => values[variable] ?? 0);
  const guard = encode(fresh.guards, 0);
  const own = encode(valuesOf(fresh), 0);
  const theirGuard = encode(known.guards, inputs.length);
  const theirs = encode(valuesOf(known), inputs.length);
  // Either a guard of the new state is false, or everything fits.
  const escape = guard.map((literal) => -literal);
  for (const literal of theirGuard) clauses.push([...escape, literal]);
  own.forEach((literal, index) => {
    const other = theirs[index] ?? 0;
    clauses.push([...escape, -literal, other], [...escape, literal, -other]);
  });
  const range = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).join(" ");
  return [
    `p cnf ${last} ${clauses.length}`,
    `a ${range(1, inputs.length)} 0`,
    `e ${range(inputs.length + 1, last)} 0`,
    ...clauses.map((clause) => `${clause.join(" ")} 0`),
    "",
  ].join("\n");
}
