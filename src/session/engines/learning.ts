/**
 * Adapts learning to the registry. For each property: the proof, checked again, or the trace of the parts, led back to a run of the product.
 */
import { ltsProduct, type LtsProduct, type NetworkStep } from "../../compile/lts.js";
import {
  TAU_NAME,
  errorStep,
  isComposition,
  stepNames,
  type Budget,
  type Composition,
  type LtsNetwork,
  type Property,
  type Stats,
  type Trace,
  type Verdict,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { EngineRequest, EngineResult, Loaded } from "../contracts.js";
import { LearningProblem } from "../lts/learning-problem.js";
import { LearningStopped, proveNetwork, type Proved } from "../lts/learning.js";
import { firstWords } from "../lts/refuting.js";
import { total } from "../pipeline/totals.js";

export async function check({ subject }: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isComposition(subject)) throw new Error("there is no composition to check");
  const product = ltsProduct(subject.network);
  const answers: Answer[] = [];
  for (const property of request.properties) answers.push(await answer(property, subject, product, request));
  return resultOf(answers);
}

interface Answer {
  readonly property: Property;
  readonly verdict: Verdict;
  /** Absent if a budget was spent. */
  readonly proved: Proved | undefined;
  readonly stats: Stats;
}

async function answer(
  property: Property,
  { network, questions }: Composition,
  product: LtsProduct,
  { symbolic = {}, budget, control }: EngineRequest,
): Promise<Answer> {
  const started = performance.now();
  const question = questions.get(property.name);
  if (question?.kind !== "error") throw new LearningProblem(`'${property.name}' is not a safety property`);
  const { rule, order, alphabet } = symbolic;
  const settings = {
    ...(rule ? { rule } : {}),
    ...(order ? { order } : {}),
    ...(alphabet ? { alphabet } : {}),
  };
  try {
    const proved = await proveNetwork(
      network,
      { name: property.name, watcher: question.watcher },
      { ...settings, budget, control },
    );
    const stats = statsOf(proved, (performance.now() - started) / 1000);
    const verdict = proved.trace
      ? violated(property, replayed(product, network, property, proved.trace))
      : holds(proved);
    return { property, verdict, proved, stats };
  } catch (error) {
    if (!(error instanceof LearningStopped)) throw error;
    const stats = statsOf(undefined, (performance.now() - started) / 1000);
    return { property, verdict: unknown(error, budget), proved: undefined, stats };
  }
}

const holds = ({ rule, assumptions, largest }: Proved): Verdict => ({
  kind: "holds",
  scope: {
    kind: "complete",
    by: "learned assumptions",
    notes: [
      `rule ${rule}, ${assumptions.length} assumption${assumptions.length === 1 ? "" : "s"}, premises checked again; largest graph: ${largest} states`,
    ],
  },
});

const violated = ({ name }: Property, trace: Trace): Verdict => ({
  kind: "violated",
  reason: name === "error state" ? "the error state is reached" : `property '${name}' is violated`,
  trace,
});

const unknown = ({ stop }: LearningStopped, { maxStates }: Budget): Verdict => ({
  kind: "unknown",
  reason:
    stop === "states"
      ? `a premise has more than ${maxStates ?? 0} states`
      : `the assumptions were not learned: ${stop}`,
  advice: "choose another --rule, --order or --alphabet, or raise --max-states, --memory or --time",
});

/**
 * A shortest run of the product whose steps of vectors are those of the trace; internal steps of parts are free. Throws if there is none:
 * every violation is one of the whole.
 */
// sound: test/session/learning.test.ts
function replayed(
  { model, stepsOf }: LtsProduct,
  network: LtsNetwork,
  { name }: Property,
  trace: readonly string[],
): Trace {
  const errors = new Set(network.parts.map((part) => errorStep(part.name)));
  const wanted = trace.filter((step) => !errors.has(step));
  const namesOf = namesByMoves(network);
  const first = { words: firstWords(model.steps), at: 0, choices: [] as readonly number[] };
  const queue: { readonly words: Words; readonly at: number; readonly choices: readonly number[] }[] = [
    first,
  ];
  const seen = new Set([`${first.words.join()} 0`]);
  for (const { words, at, choices } of queue)
    for (const [choice, step] of stepsOf(words, false).entries()) {
      const isFree = isInternal(step, network);
      if (!isFree && !(at < wanted.length && namesOf(step).includes(nth(wanted, at)))) continue;
      const after = [...choices, choice];
      if (step.fault >= 0 && model.sites[step.fault]?.owner === name)
        return { choices: after, fault: step.fault, loopStart: undefined };
      const next = at + (isFree ? 0 : 1);
      const key = `${step.words?.join() ?? ""} ${next}`;
      if (!step.words || seen.has(key)) continue;
      seen.add(key);
      queue.push({ words: step.words, at: next, choices: after });
    }
  throw new Error(`the product cannot take ${wanted.join(", ")}`);
}

/** A choice of initial states, or a part alone. */
function isInternal({ taken }: NetworkStep, { parts }: LtsNetwork): boolean {
  const movers = [...taken.keys()].filter((part) => nth(taken, part) >= 0);
  const [only] = movers;
  if (only === undefined) return true;
  const { actions, labels } = nth(parts, only).lts;
  return movers.length === 1 && labels[nth(actions, nth(taken, only))] === TAU_NAME;
}

/** The vectors that a step may be. */
function namesByMoves(network: LtsNetwork): (step: NetworkStep) => readonly string[] {
  const names = stepNames(network);
  const found = new Map<string, string[]>();
  const keyOf = (label: string, labels: readonly (string | undefined)[]): string =>
    JSON.stringify([label, ...labels.map((own) => own ?? null)]);
  for (const [v, { label, labels }] of network.vectors.entries()) {
    const key = keyOf(label, labels);
    found.set(key, [...(found.get(key) ?? []), nth(names, v)]);
  }
  return ({ label, taken }) => {
    const labels = network.parts.map(({ lts }, part) => {
      const t = taken[part] ?? -1;
      return t < 0 ? undefined : nth(lts.labels, nth(lts.actions, t));
    });
    return found.get(keyOf(label, labels)) ?? [];
  };
}

function statsOf(proved: Proved | undefined, seconds: number): Stats {
  const steps = proved?.steps ?? [];
  return {
    states: steps.reduce((sum, { states }) => sum + states, 0),
    transitions: steps.reduce((sum, { transitions }) => sum + transitions, 0),
    depth: 0,
    seconds,
    peakBytes: 0,
    bytesPerState: 0,
  };
}

function resultOf(answers: readonly Answer[]): EngineResult {
  const isComplete = answers.every(({ verdict }) => verdict.kind === "holds");
  const isOpen = answers.some(({ proved }) => !proved);
  const [first] = answers;
  return {
    findings: answers.map(({ property, verdict }) => ({
      property,
      verdict,
      occurrences: verdict.kind === "violated" ? 1 : 0,
    })),
    scope:
      isComplete && first?.verdict.kind === "holds"
        ? { ...first.verdict.scope, notes: answers.length === 1 ? first.verdict.scope.notes : [] }
        : {
            kind: "partial",
            by: "learned assumptions",
            notes: ["some properties do not hold, or are undecided"],
          },
    end: isOpen ? "budget" : isComplete ? "complete" : "errors",
    runs: answers.map(({ property, proved, stats }) => ({
      properties: [property.name],
      reductions: [],
      stats,
      ...(proved ? { method: `rule ${proved.rule}`, learning: reportOf(proved) } : {}),
    })),
    stats: total(answers.map(({ stats }) => stats)),
    coversAll: false,
    notices: [],
    proofs: answers.flatMap(({ proved }) => proved?.proof ?? []),
  };
}

/** Without the trace, which the report shows as a run of the product. */
const reportOf = ({ rule, order, candidates, queries, largest, steps, assumptions, premises }: Proved) => ({
  rule,
  order,
  candidates,
  queries,
  largest,
  steps,
  assumptions,
  premises,
});
