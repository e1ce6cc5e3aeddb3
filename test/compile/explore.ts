/** Explores a system by a naive search: the interpreter or generated code. */
import type { Interpreter } from "../../src/compile/interpreter/index.js";
import type { Model, System, Words } from "../../src/model/index.js";
import { initialOf, successorsOf } from "./walk.js";

export interface Explored {
  readonly states: ReadonlySet<string>;
  /** Distinct pairs of states with a step (or an atomic sequence) between them. */
  readonly edges: number;
  readonly faults: readonly number[];
  /** By state: status, whether it has successors, and the invariants that hold; sorted. */
  readonly observed: readonly string[];
}

/** First difference between generated code and interpreter on a model with at most `most` states. */
export function differenceBetween(model: Model, most: number): string | undefined {
  const interpreted = explore(model.steps, model, most);
  const generated = interpreted && explore(model.system, model, most);
  const part = (["faults", "edges", "observed"] as const).find(
    (name) => `${interpreted?.[name]}` !== `${generated?.[name]}`,
  );
  return part && `${part}: ${interpreted?.[part]} by the interpreter, ${generated?.[part]} by generated code`;
}

/** Undefined: more than `most` states. */
export function explore(system: System, { invariants, temporal }: Model, most = 3_000): Explored | undefined {
  const key = (state: Words): string =>
    state
      .slice(system.compareFrom)
      .join()
      .replace(/(,0)+$/, "");
  const initial = initialOf(system);
  const states = new Map([[key(initial), initial]]);
  const edges = new Set<string>();
  const faults = new Set<number>();
  const observed: string[] = [];
  for (const [from, state] of states) {
    observed.push(
      [
        system.status(state, 0),
        successorsOf(system, state).length > 0,
        ...invariants.map((_, index) => (system as Interpreter).holds(index, state, 0)),
        ...(temporal?.properties ?? []).map((_, index) => (system as Interpreter).valuation(index, state, 0)),
      ].join(),
    );
    const inside = new Map([["", state]]);
    for (const [, at] of inside)
      for (const { words, fault, isDead, isIntermediate } of successorsOf(system, at)) {
        if (fault >= 0) faults.add(fault);
        if (isDead) continue;
        if (isIntermediate) inside.set(key(words), words);
        else {
          edges.add(`${from}>${key(words)}`);
          if (!states.has(key(words))) states.set(key(words), words);
        }
      }
    if (states.size > most) return undefined;
  }
  return {
    states: new Set(states.keys()),
    edges: edges.size,
    faults: [...faults].sort((a, b) => a - b),
    observed: observed.sort(),
  };
}
