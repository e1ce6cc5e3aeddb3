import { Spent } from "../../src/engines/coverability/index.js";

/** What a procedure answers; undefined: the work it was allowed is spent. */
export function attempted<T>(decide: () => T): T | undefined {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Spent) return undefined;
    throw error;
  }
}
