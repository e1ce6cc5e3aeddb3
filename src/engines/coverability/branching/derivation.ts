/** Builds a derivation from the records of an approximation, with untruncated vectors. */
import {
  TokenOverflow,
  type Bvas,
  type BvasRule,
  type Derivation,
  type DerivationStep,
} from "../../../model/index.js";
import { entryOf, nth } from "../../../model/known.js";
import type { Closure, DerivationRecord } from "./closure.js";

/** Undefined if a rule does not apply to the untruncated vectors, which `OMEGA` makes possible. */
export function derivationOf(bvas: Bvas, { records }: Closure, vector: number): Derivation | undefined {
  const numbers = new Map<number, number>();
  const steps: DerivationStep[] = [];
  for (const number of neededFor(records, vector)) {
    const record = nth(records, number);
    const premises = record.premises.map((premise) => entryOf(numbers, premise));
    const rule = ruleOf(bvas, record);
    const sum = premises.reduce(
      (total, premise) => total.map((value, k) => value + nth(nth(steps, premise).vector, k)),
      [...rule.vector],
    );
    if (sum.some((value) => value < 0)) return undefined;
    if (sum.some((value) => value > Number.MAX_SAFE_INTEGER)) throw new TokenOverflow("a derivation"); // sound: test/engines/coverability/quick-branching.test.ts
    numbers.set(number, steps.length);
    steps.push({ rule, premises, vector: sum });
  }
  return { places: bvas.places, steps };
}

/** The vector and everything it is derived from; premises have smaller numbers than conclusions. */
function neededFor(records: readonly DerivationRecord[], vector: number): number[] {
  const needed = new Set([vector]);
  for (let number = vector; number >= 0; number--)
    if (needed.has(number)) for (const premise of nth(records, number).premises) needed.add(premise);
  return [...needed].toSorted((a, b) => a - b);
}

const ruleOf = (bvas: Bvas, { kind, rule }: DerivationRecord): BvasRule =>
  nth({ axiom: bvas.axioms, unary: bvas.unary, binary: bvas.binary }[kind], rule);
