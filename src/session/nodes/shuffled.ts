/** Permutes successors by a seed, for depth-first search, which follows the first successor far. */
import { randomBelow, type Model, type Successors, type System, type Words } from "../../model/index.js";

/** The permutation depends on the state alone, since reconstruction of a trace generates successors a second time. */
export function shuffled<M extends Model>(model: M, seed: number): M {
  const { system } = model;
  const wrapped = Object.create(system, {
    successors: {
      value: (state: Words, at: number, out: Successors): void => {
        const first = out.count;
        system.successors(state, at, out);
        const random = randomBelow(seedOf(state, at, system.width, seed));
        for (let last = out.count - 1; last > first; last--)
          swap(out, last, first + random(last - first + 1));
      },
    },
    hasRoot: { value: system.hasRoot },
    initial: { value: (out: Successors) => system.initial(out) },
    status: { value: (state: Words, at: number) => system.status(state, at) },
  }) as System;
  return { ...model, system: wrapped };
}

function seedOf(state: Words, at: number, width: number, seed: number): number {
  let mixed = seed;
  for (let k = 0; k < width; k++) mixed = Math.imul(mixed ^ state[at + k]!, 0x9e3779b1) ^ (mixed >>> 15);
  return mixed;
}

function swap({ words, flags, labels, stride }: Successors, a: number, b: number): void {
  if (a === b) return;
  for (let k = 0; k < stride; k++)
    [words[a * stride + k], words[b * stride + k]] = [words[b * stride + k]!, words[a * stride + k]!];
  [flags[a], flags[b]] = [flags[b]!, flags[a]!];
  [labels[a], labels[b]] = [labels[b]!, labels[a]!];
}
