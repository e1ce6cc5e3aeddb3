/** Checks a search's claims from the definitions alone, without its data structures. */
import type { Bvas, BvasRule, Derivation } from "../../../model/index.js";
import { OMEGA } from "../dense.js";

/** Is every step an instance of a rule, applied to vectors derived before? */
export function isDerivation(bvas: Bvas, { steps }: Derivation): boolean {
  const byArity = [bvas.axioms, bvas.unary, bvas.binary];
  if (steps.length === 0) return false; // sound: test/engines/coverability/quick-branching.test.ts
  return steps.every(({ rule, premises, vector }, index) => {
    if (!byArity[premises.length]?.includes(rule)) return false; // sound: test/engines/coverability/quick-branching.test.ts
    if (premises.some((premise) => premise < 0 || premise >= index)) return false; // sound: test/engines/coverability/quick-branching.test.ts
    return vector.every((value, k) => {
      // A vector of another width has no sum.
      const sum = premises.reduce(
        (total, premise) => total + (steps[premise]?.vector[k] ?? NaN),
        rule.vector[k] ?? NaN,
      );
      return value >= 0 && value === sum; // sound: test/engines/coverability/quick-branching.test.ts
    });
  });
}

export function coversTarget({ steps }: Derivation, targets: readonly (readonly number[])[]): boolean {
  const last = steps.at(-1);
  return last !== undefined && targets.some((target) => isCoveredBy(target, last.vector)); // sound: test/engines/coverability/quick-branching.test.ts
}

/**
 * Does the set, read as the downward closure of its vectors, contain the axioms, is it closed under the rules, and does
 * it cover no target? Then no derivable vector covers one.
 */
export function isInvariant(
  bvas: Bvas,
  set: readonly Int32Array[],
  targets: readonly (readonly number[])[],
  tick: () => void = () => undefined,
): boolean {
  const contains = (vector: readonly number[]): boolean =>
    set.some((other) => vector.every((value, k) => other[k] === OMEGA || value <= (other[k] ?? NaN))); // sound: test/engines/coverability/quick-branching.test.ts
  const isClosed = (vectors: readonly Int32Array[], change: readonly number[]): boolean => {
    tick();
    const result = change.map((value, k) =>
      vectors.some((vector) => vector[k] === OMEGA) // sound: test/engines/coverability/quick-branching.test.ts
        ? Infinity
        : vectors.reduce((sum, vector) => sum + (vector[k] ?? NaN), value),
    );
    return result.some((value) => value < 0) || contains(result); // sound: test/engines/coverability/quick-branching.test.ts
  };
  if (!bvas.axioms.every(({ vector }) => contains(vector))) return false; // sound: test/engines/coverability/quick-branching.test.ts
  if (!bvas.unary.every((rule) => set.every((a) => isClosed([a], rule.vector)))) return false; // sound: test/engines/coverability/quick-branching.test.ts
  const areClosed = (rule: BvasRule): boolean =>
    set.every((a, i) => set.slice(i).every((b) => isClosed([a, b], rule.vector))); // sound: test/engines/coverability/quick-branching.test.ts
  if (!bvas.binary.every(areClosed)) return false; // sound: test/engines/coverability/quick-branching.test.ts
  const isCovered = (target: readonly number[]): boolean => set.some((vector) => isCoveredBy(target, vector)); // sound: test/engines/coverability/quick-branching.test.ts
  return !targets.some(isCovered); // sound: test/engines/coverability/quick-branching.test.ts
}

const isCoveredBy = (target: readonly number[], vector: ArrayLike<number>): boolean =>
  target.every((value, k) => value <= (vector[k] ?? NaN));
