/** Naive search for a violation: explores all runs with a bounded number of waiting messages. */
import { Successors, type MessageProgram, type Words } from "../../src/model/index.js";
import { concreteModel } from "../../src/compile/messages/index.js";

export interface Obvious {
  readonly isViolated: boolean;
  /** Nothing was cut off: the system is finite and was fully explored. */
  readonly isComplete: boolean;
}

export function searchObviously(program: MessageProgram, mostStates: number, mostMessages = 5): Obvious {
  const model = concreteModel(program);
  const { system } = model;
  const out = new Successors(system.width);
  system.initial(out);
  const first = out.words.slice(0, out.stride);
  const seen = new Map<string, Words>([[first.join(), first]]);
  let isComplete = true;
  for (const state of seen.values()) {
    if (program.properties.some((_, index) => !model.holds(index, state, 0)))
      return { isViolated: true, isComplete };
    if (seen.size > mostStates) return { isViolated: false, isComplete: false };
    out.clear();
    system.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (crowd(program, system.snapshot(next, 0)) > mostMessages || system.processes(next, 0).length > 7) {
        isComplete = false;
        continue;
      }
      const key = next.join();
      if (!seen.has(key)) seen.set(key, next);
    }
  }
  return { isViolated: false, isComplete };
}

/** Number of waiting messages. */
function crowd({ channels }: MessageProgram, shown: readonly { name: string; value: string }[]): number {
  return shown
    .filter(({ name }) => channels.includes(name))
    .reduce((sum, { value }) => {
      const parts = value === "[]" ? [] : value.slice(1, -1).split(", ");
      return sum + parts.reduce((n, part) => n + Number(/×(\d+)$/.exec(part)?.[1] ?? 1), 0);
    }, 0);
}
