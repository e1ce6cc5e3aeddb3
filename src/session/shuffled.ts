/** The same system, its successors in an order that a seed decides: for depth-first search, which goes far along the first. */
import type { Model, Successors, System, Words } from "../model/index.js";

/** A search that asks for the successors of each state once, in an order of its own, gives the same result each time. */
export function shuffled<M extends Model>(model: M, seed: number): M {
  const { system } = model;
  const random = randomNumbers(seed);
  const wrapped = Object.create(system, {
    successors: {
      value: (state: Words, at: number, out: Successors): void => {
        const first = out.count;
        system.successors(state, at, out);
        for (let last = out.count - 1; last > first; last--)
          swap(out, last, first + random(last - first + 1));
      },
    },
    initial: { value: (out: Successors) => system.initial(out) },
    status: { value: (state: Words, at: number) => system.status(state, at) },
  }) as System;
  return { ...model, system: wrapped };
}

function swap({ words, flags, labels, stride }: Successors, a: number, b: number): void {
  if (a === b) return;
  for (let k = 0; k < stride; k++)
    [words[a * stride + k], words[b * stride + k]] = [words[b * stride + k]!, words[a * stride + k]!];
  [flags[a], flags[b]] = [flags[b]!, flags[a]!];
  [labels[a], labels[b]] = [labels[b]!, labels[a]!];
}

/** From 0 to n - 1 (mulberry32). */
function randomNumbers(seed: number): (n: number) => number {
  let state = seed | 0;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}
