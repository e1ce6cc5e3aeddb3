/**
 * Partial-order reduction for models made from a `RuleProgram`: the same model with candidates. A candidate is a rule
 * instance; it stands for the enabled instances of the stubborn set around it (`transforms/reduction/rules`).
 */
import {
  compileRules,
  countAgents,
  numberRules,
  type NumberedRules,
  type RuleModel,
} from "../compile/rules/index.js";
import {
  Successors,
  type Candidates,
  type ConditionTest,
  type Property,
  type Recipe,
  type Reduced,
  type Words,
} from "../model/index.js";
import { nth } from "../model/known.js";
import type { Condition, RuleProgram } from "../model/rules.js";
import {
  StubbornSets,
  conjunctsOf,
  instancesOf,
  observedParts,
  testOrder,
} from "../transforms/reduction/rules/index.js";
import { isStutterInvariant } from "../transforms/ltl/index.js";

export const ORDER = "por";

/** More rule instances take longer to compare than they save. */
const MOST_INSTANCES = 1024;

/** The reason why no property of the program allows it. */
export function whyUnordered(program: RuleProgram): string | undefined {
  // sound: test/session/rule-order.test.ts
  if (program.assumptions.length > 0) return "assumptions discard states after any rule";
  const instances = countAgents(program);
  return instances > MOST_INSTANCES
    ? `the model has ${instances.toLocaleString("en")} rule instances, and at most ${MOST_INSTANCES.toLocaleString("en")} are compared`
    : undefined;
}

/** The reason why a property needs all interleavings. */
export function whyAllOrders(
  property: Property,
  { temporal }: RuleProgram,
  isFair: boolean,
): string | undefined {
  if (property.kind === "agef") return "reachability from every state depends on all orders of steps"; // sound: test/session/rule-order.test.ts
  const formula = temporal.find((one) => one === property);
  if (!formula) return undefined;
  if (isFair) return "fairness depends on who is postponed"; // sound: test/session/rule-order.test.ts
  const { requirement } = formula;
  if (requirement.kind !== "satisfies") return "it is a claim";
  return isStutterInvariant(requirement.formula) ? undefined : "it counts steps, with 'next'"; // sound: test/session/rule-order.test.ts
}

export function orderedRules(
  program: RuleProgram,
  original: RuleModel,
  properties: readonly Property[],
): Reduced {
  const asked = properties.flatMap((property) => {
    const index = original.invariants.indexOf(property);
    return index >= 0 && property.kind === "invariant" ? [index] : [];
  });
  const numbered = numberRules(program, original.coverage, conjunctsOf);
  const candidates = candidatesOf(
    program,
    numbered,
    asked.map((index) => nth(program.invariants, index)),
  );
  return {
    model: withCandidates(original, candidates, {
      maker: ORDERED_RULES,
      data: { program, asked } satisfies OrderedData,
    }),
    names: [ORDER],
    concretise: (trace) => trace,
    test: orderTest(numbered, candidates, original, asked, properties),
    transferCoverage: () => undefined,
  };
}

/** For threads and searches that are resumed. */
export const ORDERED_RULES = "ordered rules";

interface OrderedData {
  readonly program: RuleProgram;
  readonly asked: readonly number[];
}

export function orderedFromRecipe(recipe: Recipe): RuleModel {
  const { program, asked } = recipe.data as OrderedData;
  const model = compileRules(program);
  const numbered = numberRules(program, model.coverage, conjunctsOf);
  const conditions = asked.map((index) => nth(program.invariants, index));
  return withCandidates(model, candidatesOf(program, numbered, conditions), recipe);
}

function withCandidates(model: RuleModel, candidates: Candidates, recipe: Recipe): RuleModel {
  const { step: _, ...rest } = model.system;
  const system = { ...rest, candidates };
  return { ...model, system, temporal: { ...model.temporal, system }, recipe };
}

const candidatesOf = (
  program: RuleProgram,
  numbered: NumberedRules,
  asked: readonly Condition[],
): Candidates =>
  new Proposals(numbered, new StubbornSets(instancesOf(program), observedParts(program, asked))).facet();

/** Seeds that are tried in a state, and of these the smallest sets that are proposed. */
const MOST_SEEDS = 32;
const MOST_PROPOSED = 3;

class Proposals {
  readonly #numbered: NumberedRules;
  readonly #sets: StubbornSets;
  /** The last expanded state, its successors, and its enabled instances. */
  readonly #state: Int32Array;
  readonly #all: Successors;
  readonly #isEnabled: Uint8Array;
  readonly #enabled: number[] = [];
  readonly #falseConjuncts: Int32Array;
  readonly #falseConjunct: (instance: number) => number;
  #isKnown = false;

  constructor(numbered: NumberedRules, sets: StubbornSets) {
    const { width } = numbered.system;
    this.#numbered = numbered;
    this.#sets = sets;
    this.#state = new Int32Array(width);
    this.#all = new Successors(width);
    this.#isEnabled = new Uint8Array(numbered.instances);
    this.#falseConjuncts = new Int32Array(numbered.instances);
    this.#falseConjunct = (instance) => {
      const known = this.#falseConjuncts[instance]!;
      if (known !== UNKNOWN) return known;
      return (this.#falseConjuncts[instance] = numbered.falseConjunct(instance, this.#state, 0));
    };
  }

  facet(): Candidates {
    return {
      propose: (state, at, out) => this.#propose(state, at, out),
      successorsOf: (seed, state, at, out) => this.#offer(seed, state, at, out),
    };
  }

  #propose(state: Words, at: number, out: Int32Array): number {
    this.#expand(state, at);
    const found: { readonly seed: number; readonly size: number }[] = [];
    for (const seed of this.#enabled.slice(0, MOST_SEEDS)) {
      const ample = this.#sets.around(seed, this.#isEnabled, this.#falseConjunct);
      // sound: test/session/rule-order.test.ts
      if (ample && ample.length < this.#enabled.length && this.#leadsAway(ample))
        found.push({ seed, size: ample.length });
      if (ample?.length === 1 && found.length === MOST_PROPOSED) break;
    }
    found.sort((a, b) => a.size - b.size || a.seed - b.seed);
    const count = Math.min(found.length, MOST_PROPOSED, out.length);
    for (let i = 0; i < count; i++) out[i] = found[i]!.seed;
    return count;
  }

  #offer(seed: number, state: Words, at: number, out: Successors): void {
    this.#expand(state, at);
    const ample = this.#sets.around(seed, this.#isEnabled, this.#falseConjunct);
    if (!ample) throw new Error("a rule instance that was not proposed is explored alone");
    const { words, labels, count, stride } = this.#all;
    if (out.stride !== stride) out.widen(stride);
    for (let i = 0; i < count; i++) {
      if (!ample.includes(labels[i]!)) continue;
      if (out.count === out.capacity) out.grow();
      for (let k = 0; k < stride; k++) out.words[out.count * stride + k] = words[i * stride + k]!;
      out.labels[out.count] = labels[i]!;
      out.flags[out.count++] = 0;
    }
  }

  #expand(state: Words, at: number): void {
    if (this.#isKnown && this.#state.every((word, k) => word === state[at + k])) return;
    for (const one of this.#enabled) this.#isEnabled[one] = 0;
    this.#enabled.length = 0;
    this.#falseConjuncts.fill(UNKNOWN);
    this.#state.set(state.subarray(at, at + this.#state.length));
    this.#isKnown = true;
    const all = this.#all;
    all.clear();
    this.#numbered.system.successors(this.#state, 0, all);
    // A state in which something fails is explored as a whole; the steps of the root have no instances.
    if (all.isFlagged) return; // sound: test/session/rule-order.test.ts
    if (this.#isRoot()) return;
    for (let i = 0; i < all.count; i++) {
      const instance = all.labels[i]!;
      if (this.#isEnabled[instance] === 1) continue;
      this.#isEnabled[instance] = 1;
      this.#enabled.push(instance);
    }
  }

  #isRoot(): boolean {
    return this.#state.every((word) => word === 0);
  }

  /** Some step changes the state; if none does, the state counts as a deadlock. */
  #leadsAway(ample: readonly number[]): boolean {
    const { words, labels, count, stride } = this.#all;
    for (let i = 0; i < count; i++)
      if (ample.includes(labels[i]!) && this.#state.some((word, k) => word !== words[i * stride + k]))
        return true; // sound: test/session/rule-order.test.ts
    return false;
  }
}

const UNKNOWN = -2;

/** Tests the conditions of a proposal on real successors. */
function orderTest(
  { system }: NumberedRules,
  candidates: Candidates,
  original: RuleModel,
  asked: readonly number[],
  properties: readonly Property[],
): ConditionTest {
  const formulas = original.temporal.properties.flatMap((formula, index) =>
    properties.includes(formula) ? [index] : [],
  );
  return (state) =>
    testOrder(
      {
        numbered: system,
        candidates,
        steps: original.steps,
        seen: (words) =>
          [
            ...asked.map((index) => original.holds(index, words, 0)),
            ...formulas.map((index) => original.temporal.system.valuation(index, words, 0)),
          ].join(),
      },
      state,
    );
}
