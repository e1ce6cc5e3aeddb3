/**
 * Reductions for models that are made from a `RuleProgram`: symmetry, which is the model of representatives and the way back from it, and
 * partial order (`rule-order.ts`). They are not combined: symmetry takes precedence where a property allows it.
 */
import { Renamer, compileRules, type RuleModel } from "../../compile/rules/index.js";
import {
  needsAllStates,
  type Acceptance,
  type ConditionTest,
  type Doubt,
  type Model,
  type Property,
  type Reduced,
  type ReductionRequest,
  type Reductions,
  type Words,
} from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import type { RuleProgram, Scalarset } from "../../model/rules.js";
import type { Symmetry } from "../../model/symmetry.js";
import {
  isSymmetric,
  planSymmetry,
  testSymmetry,
  type Refusal as Asymmetry,
  type SymmetrySubject,
} from "../../transforms/symmetry/index.js";
import type { ModelOptions } from "../request.js";
import { followRepresentatives } from "./following.js";
import { ORDER, orderedRules, whyAllOrders, whyUnordered } from "../rule-order.js";

export function ruleReductions(
  program: RuleProgram,
  original: RuleModel,
  how: NonNullable<ModelOptions["symmetry"]>,
): Reductions {
  const plan = planSymmetry(program);
  const named = program.scalarsets.flatMap((scalarset, i) => (isRenamed(scalarset) ? [i] : []));
  const symmetry: Symmetry = {
    scalarsets: how === "force" ? named : plan.scalarsets,
    form: how === "heuristic" ? "normal" : "canonical",
  };
  // sound: test/session/symmetry.test.ts
  const isForced = how === "force" && plan.refused.length > 0;
  const refused = (isForced ? [] : plan.refused).map((r) => ({
    name: SYMMETRY,
    why: whyRefused(r, program),
    span: r.span,
  }));
  const isPossible = symmetry.scalarsets.length > 0;
  const whyNoOrder = whyUnordered(program);
  const ofSymmetry = (property: Property, { wanted }: ReductionRequest): Acceptance => {
    if (!wanted.includes(SYMMETRY) || !isPossible) return { names: [], refused: [] };
    const why = whyWhole(property, program, symmetry);
    return why === undefined
      ? { names: [SYMMETRY], refused: [] }
      : { names: [], refused: [needsAllStates(property, SYMMETRY, why)] };
  };
  const ofOrder = (property: Property, { wanted, fairness }: ReductionRequest): Acceptance => {
    if (!wanted.includes(ORDER) || whyNoOrder !== undefined) return { names: [], refused: [] };
    const why = whyAllOrders(property, program, fairness !== "none");
    return why === undefined
      ? { names: [ORDER], refused: [] }
      : { names: [], refused: [needsAllStates(property, ORDER, why)] };
  };
  return {
    names: [...(named.length > 0 ? [SYMMETRY] : []), ORDER],
    // It expands states twice, which only few models repay.
    optional: [ORDER],
    proposing: [ORDER],
    refused: ({ wanted, isAsked }) => [
      ...(wanted.includes(SYMMETRY) ? refused : []),
      ...(isAsked && wanted.includes(ORDER) && whyNoOrder !== undefined
        ? [{ name: ORDER, why: whyNoOrder }]
        : []),
    ],
    accepts: (property, request) => {
      const symmetric = ofSymmetry(property, request);
      const isSymmetric = symmetric.names.length > 0; // sound: test/session/rule-order.test.ts
      if (isSymmetric)
        return request.isAsked && request.wanted.includes(ORDER)
          ? { ...symmetric, refused: [{ name: ORDER, why: "symmetry takes its place" }] }
          : symmetric;
      const ordered = ofOrder(property, request);
      return { names: ordered.names, refused: [...symmetric.refused, ...ordered.refused] };
    },
    apply: (properties, request) => {
      // sound: test/session/rule-order.test.ts
      if (!properties.every((property) => ofSymmetry(property, request).names.length > 0))
        return orderedRules(program, original, properties);
      return {
        ...reduced(program, original, symmetry, properties),
        ...(isForced ? { doubt: doubtOf(plan.refused, program) } : {}),
      };
    },
  };
}

const SYMMETRY = "symmetry";

function reduced(
  program: RuleProgram,
  original: RuleModel,
  symmetry: Symmetry,
  properties: readonly Property[],
): Reduced {
  const model = compileRules(program, { symmetry });
  return {
    // The same objects, so that the caller can ask for them by identity.
    model: { ...model, properties: original.properties, invariants: original.invariants },
    names: [SYMMETRY],
    concretise: (trace) => {
      const { system } = orbitsOf(program, symmetry, model);
      return followRepresentatives(trace, model.steps, original.steps, {
        canonicalise: (words) => canonicaliser(system)(words, 0),
        // Among several errors of one kind, renamed elements may meet another one first.
        isSameKind: (a, b) => isAssertion(a, original) === isAssertion(b, original),
      });
    },
    // A shortest run of representatives corresponds to a shortest run.
    keepsLengths: true,
    test: conditionTest(program, original.invariants, model, symmetry, properties),
    transferCoverage: () => {
      original.coverage.reached.set(model.coverage.reached);
      if (model.coverage.times) original.coverage.times?.set(model.coverage.times);
    },
  };
}

/** The conditions of the symmetry, tested in representatives. */
function conditionTest(
  program: RuleProgram,
  invariants: readonly Property[],
  { system }: RuleModel,
  { scalarsets, form }: Symmetry,
  properties: readonly Property[],
): ConditionTest {
  const renamer = new Renamer(program);
  let subject: SymmetrySubject | undefined;
  return (state) => {
    if (renamer.isRoot(state)) return undefined;
    subject ??= {
      // A separate instance: rules fired by a test are not counted.
      original: compileRules(program),
      asked: invariants.flatMap((invariant, index) => (properties.includes(invariant) ? [index] : [])),
      sizes: scalarsets.map((scalarset) => nth(program.scalarsets, scalarset).size),
      renamed: (renamed, to) =>
        renamer.renamed(renamed, new Map(scalarsets.map((scalarset, i) => [scalarset, nth(to, i)]))),
      canonicalise: canonicaliser(system),
      isCanonical: form === "canonical",
    };
    return testSymmetry(subject, state);
  };
}

/** Of a system that searches representatives. */
const canonicaliser = ({ canonicalise }: RuleModel["system"]): ((words: Words, at: number) => void) =>
  known(canonicalise, "the canonical form");

/** Is there anything to rename? */
const isRenamed = ({ name, size }: Scalarset): boolean => name !== undefined && size > 1;

/**
 * A property of one element, such as an instance of a liveness property, is not the same in a renamed state. Of temporal properties it would
 * have to be shown that formula and fairness treat all elements alike, and a loop of representatives need not close in the whole model.
 */
function whyWhole(
  { kind, name }: Property,
  { liveness }: RuleProgram,
  { scalarsets }: Symmetry,
): string | undefined {
  // sound: test/session/murphi-temporal.test.ts
  if (kind === "ltl") return "it speaks of executions, in which elements keep their names";
  if (kind !== "agef") return undefined;
  const condition = liveness.find((c) => name === c.name || name.startsWith(`${c.name} (`));
  if (!condition) throw new Error(`there is no liveness property '${name}'`);
  // sound: test/session/symmetry.test.ts
  return isSymmetric(condition, scalarsets) ? undefined : "it speaks of one element";
}

const whyRefused = ({ scalarset, why }: Asymmetry, { scalarsets }: RuleProgram): string =>
  `of '${nth(scalarsets, scalarset).name}' elements are not interchangeable: ${why}`;

const doubtOf = (refusals: readonly Asymmetry[], program: RuleProgram): Doubt => ({
  reason: `symmetry was forced, and ${whyRefused(nth(refusals, 0), program)}`,
  advice: "check without --symmetry force",
});

/** A model whose representatives distinguish states that no renaming makes equal; a normal form has several for such states. */
const orbitsOf = (program: RuleProgram, symmetry: Symmetry, model: RuleModel): RuleModel =>
  symmetry.form === "canonical"
    ? model
    : compileRules(program, { symmetry: { ...symmetry, form: "canonical" } });

const isAssertion = (site: number, { sites }: Model): boolean => nth(sites, site).fault === "assertion";
