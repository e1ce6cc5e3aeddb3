/** Rule instances with their accesses: the static half of partial-order reduction for rules. */
import {
  goalsOf,
  type Binder,
  type Condition,
  type Rule,
  type RuleExpr,
  type RuleProgram,
} from "../../../model/rules.js";
import { overlaps, PartFinder, type Accesses, type Region } from "./accesses.js";

export interface RuleInstance extends Accesses {
  readonly rule: number;
  /** Reads of the first conjunct of the guard, of the first two, and so on; the last is the whole guard with its binders. */
  readonly prefixes: readonly (readonly Region[])[];
}

type Parameter = Binder & { readonly kind: "values" };

const isParameter = (binder: Binder): binder is Parameter => binder.kind === "values";

/** In the order of their numbers: of one rule the last parameter varies fastest. */
export function instancesOf(program: RuleProgram): readonly RuleInstance[] {
  const finder = new PartFinder(program);
  return program.rules.flatMap((rule, number) =>
    valuesOf(rule.binders.filter(isParameter)).map((values) => instanceOf(finder, rule, number, values)),
  );
}

function instanceOf(finder: PartFinder, rule: Rule, number: number, values: readonly number[]): RuleInstance {
  const walk = finder.ofBinders(rule, rule.binders, values);
  const prefixes = conjunctsOf(rule).map((conjunct) => {
    walk.expression(conjunct);
    return walk.accesses().reads;
  });
  walk.statements(rule.body);
  return { rule: number, prefixes, ...walk.accesses() };
}

/** Conjuncts that are evaluated one after the other, up to the first that is false. */
export function conjunctsOf({ guard, binders }: Pick<Rule, "guard" | "binders">): readonly RuleExpr[] {
  if (!guard) return [];
  // Elements of a multiset have different guards.
  return binders.some(({ kind }) => kind === "elements") ? [guard] : flattened(guard); // sound: test/transforms/reduction/rules.test.ts
}

const flattened = (expression: RuleExpr): RuleExpr[] =>
  expression.kind === "logical" && expression.op === "and"
    ? [...flattened(expression.left), ...flattened(expression.right)]
    : [expression];

const valuesOf = (parameters: readonly Parameter[]): number[][] =>
  parameters.reduce<number[][]>(
    (all, { low, high, step }) => {
      const values = Array.from(
        { length: Math.max(0, Math.floor((high - low) / step) + 1) },
        (_, i) => low + i * step,
      );
      return all.flatMap((before) => values.map((value) => [...before, value]));
    },
    [[]],
  );

/** Parts that the conditions read, and parts whose faults every state may show. */
export function observedParts(program: RuleProgram, asked: readonly Condition[]): readonly Region[] {
  const finder = new PartFinder(program);
  return [...asked, ...goalsOf(program)].flatMap((condition) => finder.ofCondition(condition)); // sound: test/transforms/reduction/rules.test.ts
}

/** Neither changes the other's effect: both orders lead to the same state. */
export const isIndependent = (a: RuleInstance, b: RuleInstance): boolean =>
  !overlaps(a.writes, b.reads) && // sound: test/transforms/reduction/rules.test.ts
  !overlaps(b.writes, a.reads) && // sound: test/transforms/reduction/rules.test.ts
  !overlaps(a.writes, b.writes); // sound: test/transforms/reduction/rules.test.ts
