/**
 * From a `RuleProgram` to a `Model` that can be searched, replayed and shown: generated code for searching (`codegen/`), an
 * interpreter for people (`interpreter/`), over states that `layout.ts` lays out.
 */
import type { Model, ObservedSystem, Property, Recipe, Temporal, Words } from "../../model/index.js";
import type { Condition, Rule, RuleProgram } from "../../model/rules.js";
import type { Symmetry } from "../../model/symmetry.js";
import { countAgents } from "./agents.js";
import { generateRules, type RuleSystem, type RuleSurroundings } from "./codegen/index.js";
import { instancesOf as countInstances } from "./codegen/rules.js";
import {
  Discarded,
  interpretRules,
  RuleFault,
  type RuleEvent,
  type RuleInterpreter,
} from "./interpreter/index.js";
import { layOutRules, leavesIn, MOST_LEAVES, TooLarge } from "./layout.js";
import { betweenRepresentatives } from "./representatives.js";

export { countAgents } from "./agents.js";
export { TooLarge } from "./layout.js";
export { numberRules, type NumberedRules } from "./ordered.js";
export { Renamer } from "./renaming.js";
export type { RuleEvent } from "./interpreter/index.js";

export interface RuleModel extends Model {
  readonly temporal: Temporal;
  /** The generated JavaScript. */
  readonly code: string;
  readonly system: RuleSystem;
  /** Events at each entry that `steps.successors` gives there. */
  eventsAt(state: Words, at: number): readonly RuleEvent[];
}

export interface RuleCompileOptions {
  /** Replaces states by representatives; absent: no symmetry reduction. */
  readonly symmetry?: Symmetry | undefined;
}

export function compileRules(program: RuleProgram, options: RuleCompileOptions = {}): RuleModel {
  checkSizes(program);
  const layout = layOutRules(program);
  const interpreter = interpretRules(program, layout);
  const { rules, covers } = program;
  const parts = [
    ...rules.map(({ name, number, span }) => ({ owner: "rule", text: name ?? `rule ${number}`, span })),
    ...covers.map(({ name, span }) => ({ owner: "cover", text: name, span })),
  ];
  const reached = new Uint8Array(parts.length);
  const covered = reached.subarray(rules.length);
  const times = new Float64Array(parts.length);
  // A condition on states is covered by its property.
  covers.forEach(({ condition }, i) => condition && (covered[i] = 1));
  const surroundings: RuleSurroundings = { reached, fired: times, covered, ...options };
  const system = generateRules(program, layout, surroundings);
  const { canonicalise } = system;
  const steps = canonicalise ? betweenRepresentatives(interpreter, canonicalise) : interpreter;
  const questions = questionsOf(program, interpreter);
  const invariants = questions.map(({ property }) => property);
  let labelled: ObservedSystem | undefined;
  const temporal: Temporal = {
    properties: program.temporal,
    system,
    steps,
    labelled: () => (labelled ??= generateRules(program, layout, { ...surroundings, writesAgents: true })),
    agents: countAgents(program),
  };
  return {
    code: system.code,
    system,
    steps,
    temporal,
    eventsAt: (state, at) => interpreter.eventsAt(state, at),
    properties: [...safetyProperties(program), ...invariants, ...temporal.properties],
    invariants,
    sites: program.sites,
    holds: system.holds,
    violationReason: (index, state, at) => questions[index]!.violationReason?.(state, at),
    isMet: ({ name }) => {
      const index = covers.findIndex((cover) => cover.name === name);
      return covers[index]?.condition === undefined && covered[index] === 1; // sound: test/compile/rules/model.test.ts
    },
    coverage: { parts, reached, times },
    recipe: { maker: RULE_COMPILER, data: { program, options } satisfies RuleCompileData },
  };
}

export const RULE_COMPILER = "rules";

/** The model of a recipe whose maker is `RULE_COMPILER`. */
export function compileRuleRecipe({ data }: Recipe): RuleModel {
  const { program, options } = data as RuleCompileData;
  return compileRules(program, options);
}

interface RuleCompileData {
  readonly program: RuleProgram;
  readonly options: RuleCompileOptions;
}

/** One more could be tried in no state, or kept as a property. */
const MOST_INSTANCES = 100_000_000;
const MOST_PROPERTIES = 10_000;

function checkSizes(program: RuleProgram): void {
  const { starts, rules, invariants, assumptions, liveness, covers } = program;
  const check = (what: string, { binders, span }: Pick<Rule, "binders" | "span">, most: number): void => {
    const count = countInstances(binders);
    if (count > most) throw new TooLarge(`${what} of ${count.toLocaleString("en")} instances`, span); // sound: test/compile/rules/model.test.ts
  };
  for (const rule of [...starts, ...rules]) check("a rule", rule, MOST_INSTANCES);
  for (const condition of [...invariants, ...assumptions]) check("a condition", condition, MOST_INSTANCES);
  for (const { condition } of covers) if (condition) check("a condition", condition, MOST_INSTANCES);
  for (const condition of liveness) check("a liveness property", condition, MOST_PROPERTIES);
  for (const { slots, span } of [...starts, ...rules, ...program.procedures])
    for (const { kind, name, type } of slots)
      if (kind === "variable" && leavesIn(type) > MOST_LEAVES)
        throw new TooLarge(
          `the local variable '${name}' of ${leavesIn(type).toLocaleString("en")} values`,
          span,
        );
}

/** Properties checked for every program, declared or not. */
function safetyProperties({ sites, deadlock }: RuleProgram): Property[] {
  const properties: Property[] = [];
  // sound: test/compile/rules/model.test.ts
  if (sites.some(({ fault }) => fault === "assertion"))
    properties.push({ name: "assertions", kind: "assertion", span: undefined });
  if (deadlock.mode !== "off") properties.push({ name: "deadlock", kind: "deadlock", span: undefined }); // sound: test/compile/rules/model.test.ts
  // sound: test/compile/rules/model.test.ts
  if (sites.some(({ fault }) => fault !== "assertion" && fault !== "deadlock"))
    properties.push({ name: "runtime errors", kind: "runtime", span: undefined });
  return properties;
}

/** A question about states. */
interface Question {
  readonly property: Property;
  violationReason?(state: Words, at: number): string | undefined;
}

/** In the order of `RuleSystem.holds`. */
function questionsOf(program: RuleProgram, steps: RuleInterpreter): Question[] {
  const { sites } = program;
  const invariants = program.invariants.map((condition): Question => ({
    property: { name: condition.name, kind: "invariant", span: condition.span },
    violationReason: (state, at) => faultIn(() => steps.allHold(condition, state, at), sites),
  }));
  const covers = program.covers.map(({ name, span }): Question => ({
    property: { name, kind: "cover", span },
  }));
  const alive = program.liveness
    .flatMap(instancesOf)
    .map((property): Question => ({ property: { ...property, kind: "agef" } }));
  return [...invariants, ...covers, ...alive];
}

/** The message of the fault, if there is one. */
function faultIn(evaluate: () => unknown, sites: RuleProgram["sites"]): string | undefined {
  try {
    evaluate();
    return undefined;
  } catch (error) {
    if (error instanceof Discarded) return "it rests on an assumption that does not hold";
    if (!(error instanceof RuleFault)) throw error;
    return sites[error.site]!.message;
  }
}

/** The names of all instances of a condition: `raised (i: 0)`. */
function instancesOf({ name, binders, slots, span }: Condition): Pick<Property, "name" | "span">[] {
  let names = [""];
  for (const binder of binders) {
    if (binder.kind !== "values") continue; // sound: test/compile/rules/model.test.ts
    const values: number[] = [];
    for (let v = binder.low; binder.step > 0 ? v <= binder.high : v >= binder.high; v += binder.step)
      values.push(v);
    names = names.flatMap((before) =>
      values.map((value) => `${before}${before === "" ? "" : ", "}${slots[binder.slot]!.name}: ${value}`),
    );
  }
  return names.map((values) => ({ name: values === "" ? name : `${name} (${values})`, span }));
}
