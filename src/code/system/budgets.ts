/** Counters of what may happen only so often. They are part of the state: pruning by visited states would be wrong otherwise. */
import type { SystemSummary } from "./summary.js";

export interface Budgets {
  readonly names: readonly string[];
  readonly limits: readonly number[];
  /** Undefined when there is no limit. */
  readonly losses: number | undefined;
  readonly duplicates: number;
  readonly crashes: number;
  readonly failures: number;
  readonly partitions: number;
  /** Of each action: the counters it uses up. */
  readonly actions: readonly (readonly number[])[];
}

/** Throws with the name of a budget that an action names and nobody declares. */
export function budgetsOf({ network, faults, budgets, actions }: SystemSummary): Budgets {
  const names: string[] = [];
  const limits: number[] = [];
  const add = (name: string, limit: number): number => {
    limits.push(limit);
    return names.push(name) - 1;
  };
  const losses = typeof network.loss === "number" ? add("losses", network.loss) : undefined;
  const duplicates = add("duplicates", network.duplicates ?? 0);
  const crashes = add("crashes", faults.crashes ?? 0);
  const failures = add("failures", faults.failures ?? 0);
  const partitions = add("partitions", faults.partitions ?? 0);
  const shared = new Map(Object.entries(budgets).map(([name, limit]) => [name, add(name, limit)]));
  const ofActions = actions.map(({ name, times, budget }) => {
    const own = times === undefined ? [] : [add(name, times)];
    if (budget === undefined) return own;
    const common = shared.get(budget);
    if (common === undefined) throw new UnknownBudget(name, budget);
    return [...own, common];
  });
  return { names, limits, losses, duplicates, crashes, failures, partitions, actions: ofActions };
}

export class UnknownBudget extends Error {
  constructor(action: string, budget: string) {
    super(`the action '${action}' uses the budget '${budget}', which is not among the budgets`);
  }
}
