/** Random branching vector addition systems, and the obvious derivation of all their vectors. */
import type { Bvas } from "../../src/model/index.js";
import { system } from "../engines/coverability/reference.js";
import { Random } from "./random.js";

export interface RandomBvas {
  readonly bvas: Bvas;
  readonly target: readonly number[];
}

/** Up to 3 dimensions, small numbers; without binary rules and with one axiom if `isPlain`. */
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

/** Every vector that a derivation of that height derives, up to so many of them. */
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
