/**
 * Adapts compositions to the registry. For each property: the relation that keeps it, the composition, the answer of the composed system,
 * and its trace, led back to the parts and replayed on the uncomposed product.
 */
import { ltsProduct, type LtsProduct } from "../../compile/lts.js";
import {
  Cursor,
  compose,
  completeLabel,
  type Composed,
  type Culprit,
} from "../../engines/compositional/index.js";
import {
  StateFormulas,
  acceptedRun,
  basicEquivalences,
  type BasicEquivalence,
} from "../../engines/lts/index.js";
import {
  END_NAME,
  ERROR_NAME,
  LtsBuilder,
  TAU_NAME,
  actionSetsOf,
  contains,
  isComposition,
  type ActionQuestion,
  type Budget,
  type Composition,
  type CompositionStep,
  type Lts,
  type LtsNetwork,
  type Property,
  type Stats,
  type Trace,
  type Verdict,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { keepingRelations, whyNotKept } from "../../transforms/actions/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded } from "../contracts.js";
import { compositionTools } from "../lts/composing.js";
import { FlatRun, type Move } from "../lts/flat-run.js";
import { RelationProblem } from "../lts/relation-problem.js";
import { withoutParts } from "../lts/questions.js";
import { total } from "../pipeline/totals.js";

export async function check({ subject }: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isComposition(subject)) throw new Error("there is no composition to check");
  const asked = request.properties.map((property) => {
    const question = subject.questions.get(property.name);
    if (!question) throw new Error(`there is no question for '${property.name}'`);
    return { property, question, relation: relationFor(question, request.symbolic?.relation) };
  });
  refuse(asked, request.symbolic?.relation);
  const product = ltsProduct(subject.network);
  const answers: Answer[] = [];
  for (const one of asked) answers.push(await answer(one, subject, product, request));
  return resultOf(answers);
}

interface Asked {
  readonly property: Property;
  readonly question: ActionQuestion;
  readonly relation: BasicEquivalence;
}

/** The coarsest that keeps the answer, of those that are cheap. */
function relationFor(question: ActionQuestion, requested: string | undefined): BasicEquivalence {
  const relation = requested ?? keepingRelations.find((each) => whyNotKept(question, each) === undefined);
  return basicEquivalences.find((each) => each === relation) ?? "strong";
}

function refuse(asked: readonly Asked[], requested: string | undefined): void {
  if (requested === undefined) return;
  const reasons = asked.flatMap(({ property, question }) => {
    const why = whyNotKept(question, requested);
    return why === undefined ? [] : [`--relation ${requested} does not keep '${property.name}': ${why}`];
  });
  // sound: test/session/compositional.test.ts
  if (reasons.length > 0) throw new RelationProblem(reasons.join("; "));
}

interface Answer {
  readonly property: Property;
  readonly relation: BasicEquivalence;
  readonly verdict: Verdict;
  readonly log: readonly CompositionStep[];
  readonly stats: Stats;
  readonly isOpen: boolean;
}

async function answer(
  { property, question, relation }: Asked,
  { network, hierarchy }: Composition,
  product: LtsProduct,
  request: EngineRequest,
): Promise<Answer> {
  const started = performance.now();
  const view = viewOf(network, question);
  const order =
    hierarchy && withoutParts(hierarchy, (name) => !view.network.parts.some((part) => part.name === name));
  const tools = compositionTools(relation, request.control);
  const composed = await compose(view.network, visibleIn(question), order, request.budget, tools);
  const { log } = composed;
  const base = {
    property,
    relation,
    log,
    stats: statsOf(log, (performance.now() - started) / 1000),
  };
  if ("stop" in composed) return { ...base, verdict: unknown(composed, request.budget), isOpen: true };
  const lts = named(composed.root.lts);
  const path = counterexample(lts, question);
  if (path === undefined) return { ...base, verdict: HOLDS(relation, log), isOpen: false };
  const run = new FlatRun(product, view.origins, visibleIn(question), moveIn(view.network), moveIn(network));
  const trace = isShown(path, question) ? lift(composed, path, property, run, relation) : undefined;
  return { ...base, verdict: violated(property, question, trace, product), isOpen: false };
}

const HOLDS = (relation: BasicEquivalence, log: readonly CompositionStep[]): Verdict => ({
  kind: "holds",
  scope: {
    kind: "complete",
    by: "composition",
    notes: [`minimised by ${relation} bisimilarity; largest graph: ${largest(log)} states`],
  },
});

const largest = (log: readonly CompositionStep[]): number => Math.max(0, ...log.map(({ states }) => states));

function unknown({ step, parts, stop, states }: Culprit, { maxStates }: Budget): Verdict {
  const whole =
    parts.length > 1
      ? `the composition of ${parts.map((name) => `'${name}'`).join(" and ")}`
      : `part '${step}'`;
  const reason =
    stop === "states"
      ? `${whole} has more than ${maxStates ?? states} states`
      : `${whole} was not finished after ${states} states: ${stop}`;
  return {
    kind: "unknown",
    reason,
    advice:
      "choose another order with --hierarchy, hide more actions, or raise --max-states, --memory or --time",
  };
}

/** Actions that the answer depends on. `√` always counts: it is no deadlock. */
function visibleIn(question: ActionQuestion): (label: string) => boolean {
  if (question.kind === "runs") return (label) => label === END_NAME || question.letterOf(label) !== 0;
  if (question.kind !== "states") return (label) => label === END_NAME;
  const sets = actionSetsOf(question.formula);
  // Hides an action that every set treats as τ.
  // sound: test/session/compositional.test.ts
  return (label) =>
    label === END_NAME || sets.some((set) => contains(set, label) !== contains(set, TAU_NAME));
}

interface View {
  readonly network: LtsNetwork;
  /** By part of the view: the part of the network. */
  readonly origins: readonly number[];
}

/**
 * The parts that a question is about. Properties that watch never block, so others are omitted, unless they have actions that no other part
 * has. For a property that watches, a run ends before an error of a part.
 */
function viewOf({ name, parts, vectors, span }: LtsNetwork, question: ActionQuestion): View {
  const watcher = question.kind === "error" ? question.watcher : undefined;
  // sound: test/session/compositional.test.ts
  const isAlone = (part: number): boolean =>
    vectors.some(
      ({ labels }) =>
        labels[part] !== undefined && labels.every((own, p) => own === undefined || nth(parts, p).watches),
    );
  const origins = [...parts.keys()].filter(
    (part) => !nth(parts, part).watches || part === watcher || isAlone(part),
  );
  return {
    origins,
    network: {
      name,
      span,
      parts: origins.map((part) => {
        const { watches, ...own } = nth(parts, part);
        const seen = watches && part === watcher ? { ...own, watches } : own;
        // sound: test/session/compositional.test.ts
        return watcher === undefined ? seen : { ...seen, lts: withoutError(own.lts) };
      }),
      vectors: vectors.flatMap(({ label, labels }) => {
        const kept = origins.map((part) => labels[part]);
        return kept.every((own) => own === undefined) ? [] : [{ label, labels: kept }];
      }),
    },
  };
}

function withoutError(lts: Lts): Lts {
  if (lts.error < 0) return lts;
  const builder = new LtsBuilder();
  const numbers = lts.labels.map((label) => builder.labels.of(label));
  for (let s = 0; s < lts.states; s++)
    for (let t = nth(lts.firsts, s); t < nth(lts.firsts, s + 1); t++)
      if (lts.targets[t] !== lts.error)
        builder.add(s, nth(numbers, nth(lts.actions, t)), nth(lts.targets, t));
  // Transitions have other numbers than in the part: `FlatRun` finds them by label and target.
  return builder.finish(lts.states, lts.initial);
}

const moveIn =
  ({ parts }: LtsNetwork) =>
  (part: number, transition: number): Move => {
    const { targets, actions, labels } = nth(parts, part).lts;
    return { target: nth(targets, transition), label: nth(labels, nth(actions, transition)) };
  };

/** The names of complete steps. */
const named = (lts: Lts): Lts => ({
  ...lts,
  labels: lts.labels.map((label) => completeLabel(label) ?? label),
});

/** A path of the composed system, by transitions. */
interface Path {
  readonly initial: number;
  readonly transitions: readonly number[];
  readonly loopStart: number | undefined;
}

/** Undefined: there is none, and the property holds. */
function counterexample(lts: Lts, question: ActionQuestion): Path | undefined {
  const { firsts } = lts;
  switch (question.kind) {
    case "deadlock":
      return shortest(lts, (state) => firsts[state] === firsts[state + 1]);
    case "error":
      return lts.error < 0 ? undefined : shortest(lts, (state) => state === lts.error);
    case "states": {
      const formulas = new StateFormulas(lts);
      const holds = formulas.holds(question.formula);
      const initial = lts.initial.find((state) => holds[state] === 0);
      return initial === undefined
        ? undefined
        : { initial, ...formulas.explain(question.formula, initial, false) };
    }
    case "runs": {
      const found = acceptedRun(lts, question.automaton, question.letterOf);
      return found && { initial: initialOf(lts, found), ...found };
    }
  }
}

function initialOf(lts: Lts, { transitions }: Pick<Path, "transitions">): number {
  const [first] = transitions;
  if (first === undefined)
    return nth(
      lts.initial.filter((state) => lts.firsts[state] === lts.firsts[state + 1]),
      0,
    );
  return nth(
    lts.initial.filter((state) => nth(lts.firsts, state) <= first && first < nth(lts.firsts, state + 1)),
    0,
  );
}

function shortest({ initial, firsts, targets }: Lts, isGoal: (state: number) => boolean): Path | undefined {
  const cameBy = new Map<number, readonly [number, number] | undefined>(
    initial.map((state) => [state, undefined]),
  );
  for (const [state] of cameBy) {
    if (isGoal(state)) {
      const transitions: number[] = [];
      let at = state;
      for (let step = cameBy.get(at); step; step = cameBy.get(at)) {
        transitions.unshift(step[1]);
        [at] = step;
      }
      return { initial: at, transitions, loopStart: undefined };
    }
    for (let t = nth(firsts, state); t < nth(firsts, state + 1); t++) {
      const to = nth(targets, t);
      if (!cameBy.has(to)) cameBy.set(to, [state, t]);
    }
  }
  return undefined;
}

/** A run ends with the error. */
function untilError({ labels, actions }: Lts, path: Path): Path {
  const error = labels.indexOf(ERROR_NAME);
  const at = path.transitions.findIndex((t) => error >= 0 && actions[t] === error);
  return at < 0 ? path : { ...path, transitions: path.transitions.slice(0, at), loopStart: undefined };
}

/** A cycle is repeated until the states of all parts repeat. */
function lift(
  { root }: Composed,
  path: Path,
  property: Property,
  run: FlatRun,
  relation: BasicEquivalence,
): Trace {
  const { initial, transitions, loopStart } = untilError(root.lts, path);
  const cursor = new Cursor(root, initial, relation === "weak");
  run.start(cursor.positions());
  const follow = (from: number, to: number): void => {
    for (const t of transitions.slice(from, to))
      for (const step of cursor.follow(t)) run.take(step, property);
  };
  follow(0, loopStart ?? transitions.length);
  if (loopStart === undefined) {
    const last =
      transitions.length === 0 ? initial : nth(root.lts.targets, nth(transitions, transitions.length - 1));
    // Other relations forget endless internal work, which would never settle.
    // sound: test/session/compositional.test.ts
    const isStuck =
      whyNotKept({ kind: "deadlock" }, relation) === undefined &&
      root.lts.firsts[last] === root.lts.firsts[last + 1];
    if (isStuck) for (const step of cursor.settle()) run.take(step, property);
    return run.trace(undefined);
  }
  const seen = new Map<string, number>();
  for (;;) {
    const known = seen.get(run.place);
    if (known !== undefined) return run.trace(known);
    seen.set(run.place, run.length);
    follow(loopStart, transitions.length);
  }
}

/** No path shows that a formula such as `EF <a> true` is false. */
const isShown = ({ transitions }: Path, { kind }: ActionQuestion): boolean =>
  kind !== "states" || transitions.length > 0;

function violated(
  property: Property,
  question: ActionQuestion,
  trace: Trace | undefined,
  { model }: LtsProduct,
): Verdict {
  const site = trace && model.sites[trace.fault];
  const reason = {
    deadlock: () => `deadlock: ${model.stuck ?? "no transition is possible"}`,
    error: () => site?.message ?? "the error state is reached",
    states: () =>
      property.kind === "agef" ? `agef violated: ${property.name}` : `the formula is false: ${property.name}`,
    runs: () =>
      trace?.loopStart === undefined
        ? `a run that ends violates ${property.name}`
        : `an endless run violates ${property.name}`,
  }[question.kind]();
  return { kind: "violated", reason, trace };
}

function statsOf(log: readonly CompositionStep[], seconds: number): Stats {
  const sum = (of: (step: CompositionStep) => number): number => log.reduce((n, step) => n + of(step), 0);
  return {
    states: sum(({ states }) => states),
    transitions: sum(({ transitions }) => transitions),
    depth: 0,
    seconds,
    peakBytes: 0,
    bytesPerState: 0,
  };
}

function resultOf(answers: readonly Answer[]): EngineResult {
  const isComplete = answers.every(({ verdict }) => verdict.kind === "holds");
  const isOpen = answers.some((each) => each.isOpen);
  return {
    findings: answers.map(({ property, verdict }): EngineFinding => ({
      property,
      verdict,
      occurrences: verdict.kind === "violated" ? 1 : 0,
    })),
    scope: isComplete
      ? { kind: "complete", by: "composition", notes: [] }
      : { kind: "partial", by: "composition", notes: ["some properties do not hold, or are undecided"] },
    end: isOpen ? "budget" : isComplete ? "complete" : "errors",
    runs: answers.map(({ property, relation, log, stats }) => ({
      properties: [property.name],
      reductions: [],
      stats,
      method: `composition, minimised by ${relation} bisimilarity`,
      composition: log,
    })),
    stats: total(answers.map(({ stats }) => stats)),
    coversAll: false,
    notices: [],
  };
}
