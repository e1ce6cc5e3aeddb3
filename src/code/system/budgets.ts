/** Counters of bounded events. They are part of the state: otherwise, pruning visited states would be unsound. */
import type { SystemSummary } from "./summary.js";

export interface Budgets {
  readonly names: readonly string[];
  readonly limits: readonly number[];
  /** Undefined: unlimited. */
  readonly losses: number | undefined;
  readonly duplicates: number;
  readonly crashes: number;
  readonly failures: number;
  readonly partitions: number;
  readonly torn: number;
  readonly corruptions: number;
  /** By action: the counters that it decrements. */
  readonly actions: readonly (readonly number[])[];
}

/** Throws if an action names an undeclared budget. */
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
  const torn = add("torn", faults.torn ?? 0);
  const corruptions = add("corruptions", faults.corruptions ?? 0);
  const shared = new Map(Object.entries(budgets).map(([name, limit]) => [name, add(name, limit)]));
  const ofActions = actions.map(({ name, times, budget }) => {
    const own = times === undefined ? [] : [add(name, times)];
    if (budget === undefined) return own;
    const common = shared.get(budget);
    if (common === undefined) throw new UnknownBudget(name, budget);
    return [...own, common];
  });
  const ofFaults = { losses, duplicates, crashes, failures, partitions, torn, corruptions };
  return { names, limits, ...ofFaults, actions: ofActions };
}

export class UnknownBudget extends Error {
  constructor(action: string, budget: string) {
    super(`the action '${action}' uses the budget '${budget}', which is not among the budgets`);
  }
}
