/**
 * Proves safety properties of networks by learned assumptions: parts become components that synchronise on the names of vectors, premises are
 * composed by the one product, and every proof is checked again by the checker of certificates.
 */
import { checkAssumptionProof } from "../../engines/certificates/index.js";
import { checkExplicit, exploreLts, type Stop } from "../../engines/explicit/index.js";
import {
  assumptionOf,
  inOrder,
  prove,
  rules,
  type Component,
  type Dfa,
  type Order,
  type Outcome,
  type Question,
  type Rule,
  type RuleOptions,
  type Tools,
} from "../../engines/learning/index.js";
import { termNetwork } from "../../compile/lts-term.js";
import { ltsModel } from "../../compile/lts.js";
import {
  END_NAME,
  ERROR_NAME,
  LtsBuilder,
  Successors,
  TAU,
  TAU_NAME,
  errorStep,
  stepNames,
  type AssumptionProof,
  type Budget,
  type Control,
  type LearningReport,
  type Lts,
  type LtsNetwork,
  type Model,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { actionsOf } from "./labels.js";
import { LearningProblem } from "./learning-problem.js";
import { termTools } from "./terms.js";

const span = { file: "", start: 0, end: 0 };

/** A budget was spent, or the user interrupted. */
export class LearningStopped extends Error {
  constructor(readonly stop: Stop) {
    super(stop);
  }
}

export interface LearningOptions extends Partial<RuleOptions> {
  /** The name of a rule, or a rule of the caller; absent: `asym`. */
  readonly rule?: string | Rule;
  /** Absent: `property`. */
  readonly order?: Order;
  /** Holds for each system that is built, and for the time of all. */
  readonly budget?: Budget;
  readonly control?: Control;
}

export type Proved = LearningReport & {
  readonly kind: "proved" | "violated";
  /** Names of steps (`stepNames`) of all parts together that violate the property; absent: it is proved. */
  readonly trace: readonly string[] | undefined;
  readonly proof: AssumptionProof | undefined;
};

/** `watcher`: the part that watches for the property; undefined: no part may reach its error state. */
export async function proveNetwork(
  network: LtsNetwork,
  property: { readonly name: string; readonly watcher: number | undefined },
  options: LearningOptions = {},
): Promise<Proved> {
  const { watcher } = property;
  const asked = watcher === undefined ? noErrors(network) : questionOf(network, watcher);
  const rule = ruleOf(options.rule);
  const components = inOrder(
    componentsOf(network, watcher),
    asked.alphabet,
    rule.name === "sym" ? "given" : (options.order ?? "property"),
  );
  const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
  // sound: test/engines/learning/learning.test.ts
  const foreign = asked.alphabet.find((label) => !known.has(label));
  if (foreign !== undefined)
    throw new LearningProblem(`no component has the action '${foreign}' of '${property.name}'`);
  const outcome = await prove(components, asked, rule, toolsWithin(options), {
    alphabet: options.alphabet ?? "interface",
  });
  return reportOf(outcome, network, property, rule, components);
}

function reportOf(
  outcome: Outcome,
  network: LtsNetwork,
  { name, watcher }: { readonly name: string; readonly watcher: number | undefined },
  rule: Rule,
  components: readonly Component[],
): Proved {
  const { candidates, queries, largest, steps } = outcome;
  const figures = {
    rule: rule.name,
    order: components.map((each) => each.name),
    candidates,
    queries,
    largest,
    steps,
  };
  if (outcome.kind === "violated")
    return {
      kind: "violated",
      ...figures,
      assumptions: [],
      premises: [],
      trace: outcome.trace,
      proof: undefined,
    };
  const { premises } = outcome;
  const assumptions = outcome.assumptions.map(assumptionOf);
  const proof: AssumptionProof = {
    kind: "assumptions",
    property: name,
    rule: rule.name,
    assumptions,
    premises,
  };
  const judgement = checkAssumptionProof(network, watcher, proof);
  // sound: test/engines/learning/rules.test.ts
  if (judgement.kind === "rejected")
    throw new LearningProblem(`the rule '${rule.name}' proves nothing: ${judgement.why}`);
  return { kind: "proved", ...figures, assumptions, premises, trace: undefined, proof };
}

function ruleOf(asked: string | Rule = "asym"): Rule {
  if (typeof asked !== "string") return asked;
  const found = rules.find(({ name }) => name === asked);
  if (found) return found;
  throw new LearningProblem(
    `there is no rule '${asked}'; rules: ${rules.map(({ name }) => name).join(", ")}`,
  );
}

// ---- networks as components ----

/** Parts that do not watch, over the names of vectors. For a property that watches, a run ends before an error of a part. */
export function componentsOf(network: LtsNetwork, watcher: number | undefined): readonly Component[] {
  const names = stepNames(network);
  return network.parts.flatMap(({ name, lts, watches }, part): Component[] => {
    if (watches) return [];
    const steps = new Map<string, string[]>();
    for (const [v, { label, labels }] of network.vectors.entries()) {
      const own = labels[part];
      // The end of a run changes no state, and no property is about it.
      if (own === undefined || own === END_NAME || label === ERROR_NAME) continue;
      steps.set(own, [...(steps.get(own) ?? []), nth(names, v)]);
    }
    const alphabet = new Set([...steps.values()].flat());
    if (watcher === undefined && lts.error >= 0) alphabet.add(errorStep(name));
    return [
      { name, lts: overSteps(lts, steps, watcher === undefined ? errorStep(name) : undefined), alphabet },
    ];
  });
}

/** `error`: the step of the error state; absent: transitions to it are omitted. */
function overSteps(lts: Lts, steps: ReadonlyMap<string, readonly string[]>, error: string | undefined): Lts {
  const builder = new LtsBuilder();
  for (let s = 0; s < lts.states; s++) {
    if (s === lts.error) {
      if (error !== undefined) builder.add(s, builder.labels.of(error), s);
      continue;
    }
    for (let t = nth(lts.firsts, s); t < nth(lts.firsts, s + 1); t++) {
      const [action, target] = [nth(lts.actions, t), nth(lts.targets, t)];
      // sound: test/session/learning.test.ts
      if (target === lts.error && error === undefined) continue;
      if (action === TAU) builder.add(s, TAU, target);
      else
        for (const step of steps.get(nth(lts.labels, action)) ?? [])
          builder.add(s, builder.labels.of(step), target);
    }
  }
  const initial = error === undefined ? lts.initial.filter((s) => s !== lts.error) : lts.initial;
  return builder.finish(lts.states, initial);
}

/** The runs that a part does not object to. */
function questionOf(network: LtsNetwork, watcher: number): Question {
  const { lts, watches } = nth(network.parts, watcher);
  if (!watches) throw new Error("the part does not watch");
  const names = stepNames(network);
  const letters = network.vectors.flatMap(({ labels }, v) => {
    const own = labels[watcher];
    return own === undefined ? [] : [{ step: nth(names, v), own }];
  });
  const numbers = new Map(lts.labels.map((label, number) => [label, number]));
  const [initial = 0] = lts.initial;
  // State 0 is the initial one.
  const order = [initial, ...Array.from({ length: lts.states }, (_, s) => s).filter((s) => s !== initial)];
  const places = new Map(order.map((state, place) => [state, place]));
  const next = order.map((state) =>
    letters.map(({ own }) => {
      for (let t = nth(lts.firsts, state); t < nth(lts.firsts, state + 1); t++)
        if (lts.actions[t] === numbers.get(own)) return entryOf(places, nth(lts.targets, t));
      return entryOf(places, watches.state);
    }),
  );
  const dfa: Dfa = { next, accepting: order.map((state) => state !== watches.state) };
  return { dfa, alphabet: letters.map(({ step }) => step) };
}

function noErrors({ parts }: LtsNetwork): Question {
  const alphabet = parts.flatMap(({ name, lts, watches }) =>
    watches || lts.error < 0 ? [] : [errorStep(name)],
  );
  return {
    alphabet,
    dfa: { next: [alphabet.map(() => 1), alphabet.map(() => 1)], accepting: [true, false] },
  };
}

// ---- the product ----

/** The system of components that synchronise on shared labels. */
export const composeComponents = (components: readonly Component[]): Promise<Lts> =>
  toolsWithin({}).compose(components);

/** A shortest run to an error state: visible actions and the number of all steps. */
export async function searchError(
  components: readonly Component[],
  { budget = {}, control = {} }: Pick<LearningOptions, "budget" | "control"> = {},
): Promise<{
  readonly trace: readonly string[] | undefined;
  readonly steps: number;
  readonly states: number;
  readonly transitions: number;
}> {
  const model = ltsModel(await joined(components));
  const { findings, stats, isComplete, stop } = await checkExplicit(model, {
    order: "bfs",
    checkDeadlock: false,
    errors: 1,
    budget,
    control,
  });
  const violation = findings.map(({ verdict }) => verdict).find(({ kind }) => kind === "violated");
  // sound: test/session/learning.test.ts
  if (!violation && !isComplete) throw new LearningStopped(stop ?? "interrupted");
  const choices = violation?.kind === "violated" ? (violation.trace?.choices ?? []) : [];
  return {
    trace: violation && labelsOf(model, choices),
    steps: choices.length,
    states: stats.states,
    transitions: stats.transitions,
  };
}

/** Systems of at most `maxStates`, all of them within the time. */
function toolsWithin({ budget = {}, control = {} }: Pick<LearningOptions, "budget" | "control">): Tools {
  const started = performance.now();
  const left = (): Budget =>
    budget.timeMs === undefined
      ? budget
      : { ...budget, timeMs: Math.max(1, budget.timeMs - (performance.now() - started)) };
  return {
    compose: async (components) => {
      const source = actionsOf(ltsModel(await joined(components)), () => true);
      const { lts, stop } = await exploreLts(source, left(), control);
      if (!lts) throw new LearningStopped(stop ?? "interrupted");
      return lts;
    },
    search: (components) => searchError(components, { budget: left(), control }),
  };
}

async function joined(components: readonly Component[]): Promise<LtsNetwork> {
  const parts = components.map((component) => ({ kind: "part" as const, ...component, span }));
  return (await termNetwork("components", { kind: "parallel", parts }, span, termTools)).network;
}

function labelsOf({ steps }: Model, choices: readonly number[]): string[] {
  const out = new Successors(steps.width);
  steps.initial(out);
  let state = out.words.slice(0, steps.width);
  return choices.flatMap((choice, i) => {
    const { action } = steps.describe(state, 0, choice);
    out.clear();
    steps.successors(state, 0, out);
    state = out.words.slice(choice * out.stride, choice * out.stride + steps.width);
    const isStart = steps.hasRoot === true && i === 0;
    return isStart || action === TAU_NAME || action === ERROR_NAME ? [] : [action];
  });
}

/**
 * Proves a property of components that synchronise on shared labels. Throws `LearningProblem` if it has no meaning: it must be
 * deterministic, and its alphabet within those of the components.
 */
export async function proveByAssumptions(
  components: readonly Component[],
  property: Component,
  rule: string | Rule = "asym",
  options: Omit<LearningOptions, "rule"> = {},
): Promise<Proved> {
  const why = termTools.whyNotDeterministic(property.lts);
  if (why !== undefined)
    throw new LearningProblem(`property '${property.name}' is not deterministic: ${why}`);
  const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
  const foreign = [...property.alphabet].find((label) => !known.has(label));
  if (foreign !== undefined)
    throw new LearningProblem(`no component has the action '${foreign}' of '${property.name}'`);
  const parts = components.map((component) => ({ kind: "part" as const, ...component, span }));
  const watched = {
    kind: "property" as const,
    name: property.name,
    span,
    of: { kind: "part" as const, ...property, span },
  };
  const { network } = await termNetwork(
    "components",
    { kind: "parallel", parts: [...parts, watched] },
    span,
    termTools,
  );
  const watcher = network.parts.findIndex(({ watches }) => watches?.property === property.name);
  return proveNetwork(network, { name: property.name, watcher }, { order: "given", ...options, rule });
}
