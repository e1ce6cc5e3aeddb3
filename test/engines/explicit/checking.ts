/** `checkExplicit` with everything on, so that tests give only the differences. */
import {
  checkExplicit,
  type ExplicitOptions,
  type ExplicitResult,
} from "../../../src/engines/explicit/index.js";
import type { Model, Verdict } from "../../../src/model/index.js";
import { toyModel, type Toy } from "./toys.js";

export const ORDERS = ["bfs", "dfs"] as const;
export const STORES = ["flat", "tree"] as const;

const EVERYTHING: ExplicitOptions = {
  order: "bfs",
  checkDeadlock: true,
  errors: "all",
  budget: {},
  control: {},
};

/** For `search` itself: nothing but states. */
export const PLAIN = {
  budget: {},
  control: {},
  maxErrors: Infinity,
  checksDeadlock: true,
  checksSite: [],
  invariants: [],
};

export const check = (toy: Toy, options: Partial<ExplicitOptions> = {}): Promise<ExplicitResult> =>
  checkModel(toyModel(toy), options);

export const checkModel = (model: Model, options: Partial<ExplicitOptions> = {}): Promise<ExplicitResult> =>
  checkExplicit(model, { ...EVERYTHING, ...options });

export function verdictOn(result: ExplicitResult, kind: string): Verdict {
  const finding = result.findings.find(({ property }) => property.kind === kind);
  if (!finding) throw new Error(`no finding about ${kind}`);
  return finding.verdict;
}

/** `n` counters modulo `limit`, one word each. */
export const counters = (n: number, limit: number): Toy => ({
  initial: new Array<number>(n).fill(0),
  width: n,
  next: (state) =>
    Array.from({ length: n }, (_, i) => ({
      to: Array.from({ length: n }, (_, k) => ((state[k] ?? 0) + (k === i ? 1 : 0)) % limit),
    })),
});

/** One path of `length` states. */
export const chain = (length: number): Toy => ({
  initial: [0],
  next: ([n = 0]) => (n + 1 < length ? [{ to: [n + 1] }] : []),
  isValidEnd: () => true,
});
