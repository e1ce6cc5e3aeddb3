/**
 * Splits a question of coverage into groups of variables that share no choices, directly or through other variables and guards, in either
 * state. Both sets are then products of their projections to the groups, so coverage holds if it holds for each group.
 */
import { nth } from "../../model/known.js";
import type { Formulas } from "./formulas.js";
import type { SymbolicState } from "./symbolic.js";

export interface Group {
  readonly fresh: SymbolicState;
  readonly known: SymbolicState;
  readonly compared: readonly number[];
}

export function groupsOf(
  fresh: SymbolicState,
  known: SymbolicState,
  compared: readonly number[],
  formulas: Formulas,
): Group[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(key, root);
    return root;
  };
  const join = (a: string, b: string): void => void parents.set(rootOf(a), rootOf(b));
  const link = (side: "fresh" | "known", own: string, lit: number): void => {
    for (const input of formulas.support([lit])) join(own, `${side} ${input}`); // sound: test/engines/parametric/traps.test.ts
  };
  for (const variable of compared) {
    link("fresh", `variable ${variable}`, nth(fresh.values, variable));
    link("known", `variable ${variable}`, nth(known.values, variable));
  }
  // A guard links all choices that it mentions.
  fresh.guards.forEach((lit, index) => link("fresh", `fresh guard ${index}`, lit)); // sound: test/engines/parametric/traps.test.ts
  known.guards.forEach((lit, index) => link("known", `known guard ${index}`, lit)); // sound: test/engines/parametric/traps.test.ts
  const groups = new Map<string, number[]>();
  for (const variable of compared) {
    const root = rootOf(`variable ${variable}`);
    groups.set(root, [...(groups.get(root) ?? []), variable]);
  }
  return [...groups].map(([root, own]) => {
    const guardsOf = (side: "fresh" | "known", { guards }: SymbolicState): readonly number[] =>
      guards.filter((_, index) => rootOf(`${side} guard ${index}`) === root);
    return {
      fresh: { ...fresh, guards: guardsOf("fresh", fresh) },
      known: { ...known, guards: guardsOf("known", known) },
      compared: own,
    };
  });
}
