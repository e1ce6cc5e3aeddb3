/** Rules with numbered steps and questions about guards: generated code for partial-order reduction. */
import type { Coverage, System, Words } from "../../model/index.js";
import type { RuleExpr, RuleProgram } from "../../model/rules.js";
import { countAgents } from "./agents.js";
import { generateRules } from "./codegen/index.js";
import { layOutRules } from "./layout.js";

export interface NumberedRules {
  /** Its labels are the numbers of rule instances. */
  readonly system: System;
  readonly instances: number;
  /**
   * The first conjunct of the guard of an instance that is false in a state; their number if there is none; -1 if elements of a multiset
   * have different guards.
   */
  falseConjunct(instance: number, state: Words, at: number): number;
}

/** `reached`: the coverage of the model, to which its steps count. `conjunctsOf`: the conjuncts of each rule's guard. */
export function numberRules(
  program: RuleProgram,
  { reached }: Coverage,
  conjunctsOf: (rule: RuleProgram["rules"][number]) => readonly RuleExpr[],
): NumberedRules {
  const layout = layOutRules(program);
  const surroundings = {
    reached,
    fired: new Float64Array(program.rules.length),
    covered: reached.subarray(program.rules.length), // sound: test/session/rule-order.test.ts
  };
  const system = generateRules(program, layout, { ...surroundings, writesAgents: "numbers" });
  const conditions = program.rules.flatMap((rule, number) =>
    conjunctsOf(rule).map((condition, place) => ({ number, place, rule, condition })),
  );
  const asked = conditions.filter(({ rule }) => rule.binders.every(({ kind }) => kind !== "elements"));
  const { holds } = generateRules(
    {
      ...program,
      starts: [],
      rules: [],
      invariants: [],
      assumptions: [],
      covers: [],
      temporal: [],
      liveness: asked.map(({ rule, condition }) => ({ ...rule, name: "", condition })),
    },
    layout,
    surroundings,
  );
  return { system, instances: countAgents(program), falseConjunct: finder(program, asked, holds) };
}

type Asked = { readonly number: number; readonly place: number };

/** Conditions are numbered by rule, then by conjunct, then by instance of the rule. */
function finder(
  { rules }: RuleProgram,
  asked: readonly Asked[],
  holds: (index: number, state: Words, at: number) => boolean,
): NumberedRules["falseConjunct"] {
  const places: { readonly first: number; readonly count: number; readonly stride: number }[] = [];
  let question = 0;
  for (const [number, rule] of rules.entries()) {
    const hasElements = rule.binders.some(({ kind }) => kind === "elements");
    const count = hasElements ? -1 : asked.filter((one) => one.number === number).length;
    const stride = countAgents({ rules: [rule] });
    for (let instance = 0; instance < stride; instance++)
      places.push({ first: question + instance, count, stride });
    question += Math.max(0, count) * stride;
  }
  return (instance, state, at) => {
    const { first, count, stride } = places[instance]!;
    for (let conjunct = 0; conjunct < count; conjunct++)
      if (!holds(first + conjunct * stride, state, at)) return conjunct;
    return count;
  };
}
