/**
 * The labelled transition system of an input of any language, its quotient, and the comparison of two.
 *
 * Read `labels.ts` for the names of steps. Exploration and refinement run in slices (`engines/explicit/drive.ts`), so budgets, progress
 * and Ctrl-C are those of a check.
 */
import { exploreLts, type Stop } from "../../engines/explicit/index.js";
import {
  comparing,
  partitioning,
  type Comparison,
  isEquivalence,
  seenBy,
  seesStates,
  type Relation,
} from "../../engines/lts/index.js";
import { hasErrors, type Budget, type Diagnostic, type Model } from "../../model/index.js";
import type { Registry } from "../contracts.js";
import { isRefused, languageOf, load } from "../load.js";
import type { Input, ModelOptions } from "../request.js";
import { actionsOf, visibility } from "./labels.js";
import type { LtsOptions, LtsResult } from "./result.js";
import { run } from "./slices.js";

export type { LtsOptions, LtsResult } from "./result.js";

/** Code is explored in a separate process. */
export async function toLts(input: Input, options: LtsOptions, registry: Registry): Promise<LtsResult> {
  const language = languageOf(input, options.language, registry);
  const isRun = !("code" in language) && language.runsCode === true;
  if (!isRun || isRefused(input, modelOnly(options), registry)) return exploreInput(input, options, registry);
  return (await import("../apart/lts.js")).ltsInChild(input, language.name, options);
}

const modelOnly = ({
  visible: _v,
  minimise: _m,
  relation: _r,
  budget: _b,
  control: _c,
  ...model
}: LtsOptions): ModelOptions => model;

/** In this process. */
export async function exploreInput(
  input: Input,
  options: LtsOptions,
  registry: Registry,
): Promise<LtsResult> {
  const { visible, minimise, relation = minimise, budget = {}, control = {}, ...model } = options;
  const started = performance.now();
  const loaded = await load(input, { ...model, isPlain: true }, registry);
  const { language, sources, assumptions } = loaded;
  const base = {
    file: input.file,
    language,
    sources,
    notes: assumptions?.notes ?? [],
    isCut: assumptions?.bound === "asked",
  };
  const none = { lts: undefined, explored: { states: 0, transitions: 0 }, seconds: 0, stop: undefined };
  if (hasErrors(loaded.diagnostics)) return { ...base, ...none, diagnostics: loaded.diagnostics };
  if (!loaded.model) {
    // A warning is the reason: the code does something that is not supported when it starts.
    const isExplained = loaded.diagnostics.some(({ severity }) => severity === "warning");
    const diagnostics = isExplained
      ? loaded.diagnostics
      : [...loaded.diagnostics, withoutStates(input.file, language)];
    return { ...base, ...none, diagnostics };
  }
  const source = asCompared(loaded.model, relation, input.file, language);
  if ("code" in source) return { ...base, ...none, diagnostics: [...loaded.diagnostics, source] };
  const found = await exploreLts(actionsOf(source, visibility(visible)), budget, control);
  const explored = { states: found.states, transitions: found.transitions };
  const left = budgetLeft(budget, started);
  const smaller =
    found.lts && minimise ? await run(partitioning(found.lts, minimise), left, control) : undefined;
  return {
    ...base,
    lts: smaller ? smaller.result?.quotient : found.lts,
    explored,
    seconds: (performance.now() - started) / 1000,
    stop: found.stop ?? smaller?.stop,
    diagnostics: loaded.diagnostics,
  };
}

/** The model with the starts and the environment that a relation quantifies over. */
function asCompared(
  { steps, actions }: Model,
  relation: Relation | undefined,
  file: string,
  language: string,
): Pick<Model, "steps" | "actions"> | Diagnostic {
  const refused = (message: string): Diagnostic => ({
    code: "session/no-observation",
    severity: "error",
    message,
    span: { file, start: 0, end: 0 },
  });
  if (relation === undefined || !isEquivalence(relation) || !seesStates(relation))
    return { steps, ...(actions ? { actions } : {}) };
  // sound: test/languages/chi/traps.test.ts
  if (!actions?.observe)
    return refused(
      `'${relation}' compares states, and '${language}' shows actions alone; 'branching' compares these`,
    );
  const { from } = seenBy[relation];
  if (!from) return { steps, actions };
  const among = actions.among?.(from) ?? "the language has no environments";
  return typeof among === "string"
    ? refused(`'${relation}' cannot be decided: ${among}`)
    : { steps, actions: among };
}

export interface CompareResult {
  readonly systems: readonly [LtsResult, LtsResult];
  /** Absent if some input is wrong or the computation did not end. */
  readonly comparison: Comparison | undefined;
  readonly stop: Stop | undefined;
  readonly seconds: number;
  /** Different as the congruence, but alike without an environment. */
  readonly isAlikeInIsolation?: boolean;
}

export async function compareInputs(
  inputs: readonly [Input, Input],
  relation: Relation,
  options: Omit<LtsOptions, "minimise">,
  registry: Registry,
): Promise<CompareResult> {
  const started = performance.now();
  const { budget = {}, control = {} } = options;
  const first = await toLts(inputs[0], { ...options, relation }, registry);
  const second = await toLts(
    inputs[1],
    { ...options, relation, budget: budgetLeft(budget, started) },
    registry,
  );
  const ended =
    first.lts && second.lts
      ? await run(comparing(first.lts, second.lts, relation), budgetLeft(budget, started), control)
      : undefined;
  const isDifferent = relation === "congruence" && ended?.result?.isRelated === false;
  const left = { ...options, budget: budgetLeft(budget, started) };
  const isolated = isDifferent
    ? await compareInputs(inputs, "isolated-congruence", left, registry)
    : undefined;
  return {
    systems: [first, second],
    comparison: ended?.result,
    stop: first.stop ?? second.stop ?? ended?.stop,
    seconds: (performance.now() - started) / 1000,
    ...(isolated ? { isAlikeInIsolation: isolated.comparison?.isRelated === true } : {}),
  };
}

const budgetLeft = (budget: Budget, started: number): Budget =>
  budget.timeMs === undefined
    ? budget
    : { ...budget, timeMs: Math.max(1, budget.timeMs - (performance.now() - started)) };

const withoutStates = (file: string, language: string): Diagnostic => ({
  code: "session/no-states",
  severity: "error",
  message: `'${language}' has no states to step through, and so no transition system`,
  span: { file, start: 0, end: 0 },
});
