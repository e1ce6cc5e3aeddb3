/** Random branching vector addition systems, and naive enumeration of their derivable vectors. */
import {
  Work,
  branchingEec,
  coversTarget,
  isDerivation,
  isInvariant,
  procedures,
  runAtOnce,
  type BvasAnswer,
  type EecOptions,
} from "../../src/engines/coverability/index.js";
import { netOf } from "../../src/languages/bvas/net.js";
import { tokensOf, type Bvas } from "../../src/model/index.js";
import { system } from "../engines/coverability/reference.js";
import { attempted } from "./attempted.js";
import { Random } from "./random.js";

export interface RandomBvas {
  readonly bvas: Bvas;
  readonly target: readonly number[];
}

/** Up to 3 dimensions, small numbers; with `isPlain`, one axiom and no binary rules. */
export function randomBvas(seed: number, isPlain = false): RandomBvas {
  const random = new Random(seed);
  const width = random.between(1, 3);
  const vector = (low: number, high: number): number[] =>
    Array.from({ length: width }, () => random.between(low, high));
  const several = (least: number, most: number, make: () => number[]): number[][] =>
    Array.from({ length: random.between(least, most) }, make);
  const axioms = several(1, isPlain ? 1 : 3, () => vector(0, 2));
  const unary = several(0, 3, () => vector(-2, 2));
  const binary = isPlain ? [] : several(1, 2, () => vector(-2, 1));
  return { bvas: system(`random ${seed}`, axioms, unary, binary), target: vector(0, 4) };
}

/** Up to 6 dimensions and 8 rules, weights up to 3, mostly 0; every fourth has one axiom and no binary rules. */
export function wideBvas(seed: number): RandomBvas {
  const random = new Random(seed);
  const width = random.between(1, 6);
  const density = random.pick([20, 35, 50]);
  const isPlain = random.chance(25);
  const some = (low: number, high: number, percent = density): number[] =>
    Array.from({ length: width }, () => (random.chance(percent) ? random.between(low, high) : 0));
  const several = (least: number, most: number, make: () => number[]): number[][] =>
    Array.from({ length: random.between(least, most) }, make);
  const axioms = several(1, isPlain ? 1 : 3, () => some(1, 3));
  const unary = several(isPlain ? 1 : 0, isPlain ? 8 : 5, () => some(-3, 3));
  const binary = isPlain ? [] : several(1, 3, () => some(-3, random.pick([0, 1, 3])));
  return { bvas: system(`wide ${seed}`, axioms, unary, binary), target: some(1, 4, 60) };
}

export interface BvasComparison {
  readonly problems: readonly string[];
  /** By procedure: `covered`, `uncovered` or `unknown`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly brute: "covered" | "uncovered" | "unknown";
}

/** Compares all procedures with each other and with the derivations, and checks the proof of each answer. */
export function compareBvas({ bvas, target }: RandomBvas, maxStates = 20_000): BvasComparison {
  const problems: string[] = [];
  const answers = new Map<string, string>();
  const budget = (): Work => new Work({ maxStates, timeMs: 10_000 });
  for (const [name, options] of schedules) {
    const answer = attempted(() => runAtOnce(branchingEec(bvas, [target], budget(), options)));
    answers.set(name, answer?.kind ?? "unknown");
    if (answer && !isShown(bvas, target, answer)) problems.push(`${name}: what shows it does not`);
  }
  if (bvas.binary.length === 0 && bvas.axioms.length === 1) {
    const alternatives = [tokensOf(new Map(target.map((count, place) => [place, count])))];
    for (const { name, decide } of procedures) {
      const answer = attempted(() => runAtOnce(decide(netOf(bvas), alternatives, budget())));
      answers.set(`${name} of the net`, answer?.kind ?? "unknown");
    }
  }
  const { vectors, isComplete } = derivable(bvas, Infinity, 150);
  const isDerived = vectors.some((vector) => target.every((value, k) => value <= vector[k]!));
  const brute = isDerived ? "covered" : isComplete ? "uncovered" : "unknown";
  const known = [...answers, ["brute force", brute] as const].filter(([, answer]) => answer !== "unknown");
  for (const [name, answer] of known)
    if (answer !== known[0]![1]) problems.push(`${name} says ${answer}, ${known[0]![0]} ${known[0]![1]}`);
  return { problems, answers, brute };
}

const schedules: readonly (readonly [string, EecOptions])[] = [
  ["eec", {}],
  ["eec as published", { start: 0, next: (i) => i + 1, concretises: false }],
];

const isShown = (bvas: Bvas, target: readonly number[], answer: BvasAnswer): boolean =>
  answer.kind === "covered"
    ? isDerivation(bvas, answer.derivation) && coversTarget(answer.derivation, [target])
    : isInvariant(bvas, answer.invariant, [target]);

/** Vectors with derivations of bounded height, up to a bounded number. */
export function derivable(
  bvas: Bvas,
  height: number,
  most: number,
): { readonly vectors: number[][]; readonly isComplete: boolean } {
  const known = new Map<string, number[]>();
  const add = (vector: number[]): boolean => {
    if (vector.some((value) => value < 0) || known.has(vector.join())) return false;
    known.set(vector.join(), vector);
    return true;
  };
  for (const { vector } of bvas.axioms) add([...vector]);
  for (let level = 1; level < height; level++) {
    const before = [...known.values()];
    let isNew = false;
    for (const [index, a] of before.entries()) {
      for (const { vector } of bvas.unary) isNew = add(a.map((v, k) => v + vector[k]!)) || isNew;
      for (const b of before.slice(index))
        for (const { vector } of bvas.binary) isNew = add(a.map((v, k) => v + b[k]! + vector[k]!)) || isNew;
      if (known.size > most) return { vectors: [...known.values()], isComplete: false };
    }
    if (!isNew) return { vectors: [...known.values()], isComplete: true };
  }
  return { vectors: [...known.values()], isComplete: false };
}
