import { Spent } from "../../src/engines/coverability/index.js";

/** The answer of a procedure; undefined if its work limit is exhausted. */
export function attempted<T>(decide: () => T): T | undefined {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Spent) return undefined;
    throw error;
  }
}
