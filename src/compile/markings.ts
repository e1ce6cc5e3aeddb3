/** Conditions on markings as functions of a state. */
import { MOST_TOKENS, type MarkingCondition, type MarkingRelation, type Words } from "../model/index.js";

export type MarkingJudge = (state: Words, at: number) => boolean;

export function markingJudge(condition: MarkingCondition): MarkingJudge {
  switch (condition.kind) {
    case "constant":
      return () => condition.value;
    case "compare":
      return comparison(condition);
    case "not": {
      const operand = markingJudge(condition.operand);
      return (state, at) => !operand(state, at);
    }
    case "and": {
      const [left, right] = [markingJudge(condition.left), markingJudge(condition.right)];
      return (state, at) => left(state, at) && right(state, at); // sound: test/compile/markings.test.ts
    }
    case "or": {
      const [left, right] = [markingJudge(condition.left), markingJudge(condition.right)];
      return (state, at) => left(state, at) || right(state, at); // sound: test/compile/markings.test.ts
    }
  }
}

type Comparison = Extract<MarkingCondition, { readonly kind: "compare" }>;

/** Uses big integers for sums that a floating-point number might round. */
function comparison({ terms, constant, relation }: Comparison): MarkingJudge {
  const largest = terms.reduce((sum, [, factor]) => sum + Math.abs(factor) * MOST_TOKENS, Math.abs(constant));
  const compares = relations[relation];
  if (largest > Number.MAX_SAFE_INTEGER) return exactly(terms, constant, compares); // sound: test/compile/markings.test.ts
  return (state, at) => {
    let sum = constant;
    for (const [place, factor] of terms) sum += factor * (state[at + place] ?? 0); // sound: test/compile/markings.test.ts
    return compares(sum);
  };
}

const exactly =
  (terms: Comparison["terms"], constant: number, compares: (sum: number) => boolean): MarkingJudge =>
  (state, at) => {
    const sum = terms.reduce(
      (all, [place, factor]) => all + BigInt(factor) * BigInt(state[at + place] ?? 0), // sound: test/compile/markings.test.ts
      BigInt(constant),
    );
    return compares(sum > 0n ? 1 : sum < 0n ? -1 : 0); // sound: test/compile/markings.test.ts
  };

/** Depend only on the sign. */
const relations: Readonly<Record<MarkingRelation, (sum: number) => boolean>> = {
  ">=": (sum) => sum >= 0, // sound: test/compile/markings.test.ts
  "<=": (sum) => sum <= 0, // sound: test/compile/markings.test.ts
  ">": (sum) => sum > 0, // sound: test/compile/markings.test.ts
  "<": (sum) => sum < 0, // sound: test/compile/markings.test.ts
  "==": (sum) => sum === 0, // sound: test/compile/markings.test.ts
  "!=": (sum) => sum !== 0, // sound: test/compile/markings.test.ts
};
