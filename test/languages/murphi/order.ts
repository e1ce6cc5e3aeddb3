/** A random model with and without partial order: every property has the same answer. */
import { check, type CheckOptions, type CheckReport } from "../../../src/index.js";
import { localModel } from "../../generators/murphi-local.js";

export interface OrderComparison {
  readonly differences: readonly string[];
  readonly outcome: string;
  /** Fewer transitions were taken: for the properties of states, and for the formula. */
  readonly isReduced: boolean;
  readonly isProductReduced: boolean;
}

const DEADLOCKS = ["stuttering", "stuck", "off"] as const;

export async function compareOrder(seed: number): Promise<OrderComparison> {
  const { text, formulas } = localModel(seed);
  const [formula = ""] = formulas;
  const [deadlock, search] = [DEADLOCKS[seed % 3]!, seed % 2 === 0 ? ("bfs" as const) : ("dfs" as const)];
  const states = await compareOnce(text, { deadlock }, { search });
  const product = await compareOnce(text, { deadlock: "off", ltl: [formula], properties: [formula] });
  return {
    differences: [...states.differences, ...product.differences],
    outcome: [...states.verdicts, ...product.verdicts].join(", "),
    isReduced: states.isReduced,
    isProductReduced: product.isReduced,
  };
}

export async function compareOnce(text: string, options: CheckOptions, more: CheckOptions = {}) {
  const input = { file: "m.m", text };
  const whole = await check(input, { ...options, maxErrors: Infinity, isPlain: true });
  const reduced = await check(input, { ...options, ...more, maxErrors: Infinity, reductions: ["por"] });
  const [all, some] = [verdictsOf(whole), verdictsOf(reduced)];
  const errors = reduced.diagnostics.filter(({ severity }) => severity === "error");
  return {
    differences: [
      ...errors.map(({ message }) => message),
      ...(all.join() === some.join() ? [] : [`whole ${all.join("; ")}, reduced ${some.join("; ")}`]),
    ],
    verdicts: all,
    isReduced: reduced.stats.transitions < whole.stats.transitions,
    states: [whole.stats.states, reduced.stats.states] as const,
  };
}

const verdictsOf = ({ properties }: CheckReport): string[] =>
  properties.map(({ property, verdict }) => `${property.kind} ${verdict}`).sort();
