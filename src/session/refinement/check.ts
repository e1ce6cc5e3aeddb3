/**
 * Decides whether every sequence of observations of a system of nodes is one of its specification: explores the system, and compares both
 * by trace inclusion. Finite behaviours alone are compared: a system that stops refines.
 */
import { NotSupported, type SystemModel } from "../../code/system/index.js";
import { exploreLts, withoutFinding } from "../../engines/explicit/index.js";
import { comparing, showsTrace } from "../../engines/lts/index.js";
import {
  Successors,
  type Budget,
  type Diagnostic,
  type Lts,
  type Model,
  type Property,
  type Stats,
  type System,
  type Trace,
  type Verdict,
} from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import { suggest } from "../../languages/toolkit/spelling.js";
import type { EngineRequest, EngineResult } from "../contracts.js";
import { run } from "../lts/slices.js";
import {
  BEFORE,
  byObservation,
  isSeen,
  runShowing,
  type ObservedLts,
  type Specification,
} from "./observed.js";
import { problem } from "./problem.js";

export const refinementOf = ({ file }: Specification): Property => ({
  name: `refines ${file}`,
  kind: "refinement",
  span: undefined,
});

/** The model with the property, and with the judgement of single runs. */
export const withRefinement = (model: SystemModel, specification: Specification): SystemModel =>
  Object.assign(model, {
    properties: [...model.properties, refinementOf(specification)],
    refutes: (_: Property, { choices }: Pick<Trace, "choices">): boolean =>
      new Compared(model, specification).refutes(choices),
  });

/** Why the two cannot be compared. */
export function whyNotCompared(
  model: SystemModel,
  { file: name, isSystem, lts }: Specification,
  file: string,
): Diagnostic | undefined {
  const first = model.observe && firstObservation(model);
  if (first === undefined)
    return problem(
      file,
      "nothing-observed",
      model.observe ? "the system does not start" : "the system does not declare what is observed",
      "name the values in defineSystem: observe: ({ nodes }) => ({ holder: nodes.server.holder })",
    );
  const mine = Object.keys(valuesIn(first));
  const seen = lts.observed.names.filter(isSeen);
  const theirs = Object.keys(valuesIn(seen[0] ?? "{}"));
  // sound: test/session/refinement.test.ts
  const missing = mine.find((each) => seen.some((text) => !Object.hasOwn(valuesIn(text), each)));
  if (missing !== undefined)
    return problem(
      file,
      "not-in-specification",
      `'${missing}' is observed, and '${name}' ${theirs.includes(missing) ? "does not have it in every state" : "has no such value"}`,
      suggest(missing, theirs) ?? `its values: ${theirs.slice(0, 12).join(", ")}`,
    );
  // sound: test/session/refinement.test.ts
  const more = isSystem ? theirs.find((each) => !mine.includes(each)) : undefined;
  if (more !== undefined)
    return problem(file, "not-in-specification", `'${name}' observes '${more}', and the system does not`);
  const odd = isSystem ? undefined : mine.find((each) => !isScalar(valuesIn(first)[each]));
  if (odd !== undefined)
    return problem(
      file,
      "not-in-specification",
      `the value of '${odd}' is not a number, a boolean or a text, and variables of '${name}' are`,
      "observe its parts by the names of variables, such as 'flag[0]'",
    );
  return mine.length === 0 ? problem(file, "nothing-observed", "'observe' returns no values") : undefined;
}

export async function checkRefinement(
  model: SystemModel,
  specification: Specification,
  { properties, budget, control }: EngineRequest,
): Promise<EngineResult> {
  const started = performance.now();
  const compared = new Compared(model, specification);
  const found = await exploreLts(compared.source, budget, control);
  const { states, transitions, peakBytes } = found;
  const lts = found.lts && exploredSystem(found.lts);
  const left = leftOf(budget, started);
  const ended = lts
    ? await run(comparing(compared.mine(lts), compared.allowed, "trace"), left, control)
    : undefined;
  const stop = found.stop ?? ended?.stop;
  const stats: Stats = {
    ...{ states, transitions, peakBytes, depth: 0 },
    seconds: (performance.now() - started) / 1000,
    bytesPerState: states === 0 ? 0 : peakBytes / states,
  };
  const comparison = ended?.result;
  const verdict =
    lts && comparison
      ? compared.verdict(lts, comparison.evidence)
      : withoutFinding(stop ?? "interrupted", stats);
  const property = nth(properties, 0);
  const isOver = verdict.kind !== "unknown" || stop === undefined;
  return {
    findings: [{ property, verdict, occurrences: verdict.kind === "violated" ? 1 : 0 }],
    scope: {
      kind: verdict.kind === "holds" ? "complete" : "partial",
      by: "trace inclusion",
      notes: [`finite behaviours of ${specification.file} by what is observed`, ...specification.notes],
    },
    end:
      verdict.kind === "violated"
        ? "errors"
        : isOver
          ? "complete"
          : stop === "interrupted"
            ? "stopped"
            : "budget",
    runs: [{ properties: [property.name], reductions: [], stats }],
    stats,
    coversAll: false,
    notices: [],
  };
}

const leftOf = (budget: Budget, started: number): Budget =>
  budget.timeMs === undefined
    ? budget
    : { ...budget, timeMs: Math.max(1, budget.timeMs - (performance.now() - started)) };

/** The position of each step among those of its state. */
type ExploredSystem = Omit<ObservedLts, "observed"> &
  Required<Pick<Lts, "observed">> & { readonly choices: Int32Array };

const exploredSystem = (lts: Lts): ExploredSystem => ({
  ...lts,
  observed: known(lts.observed, "the observations"),
  choices: known(lts.origins, "the positions of steps").numbers,
});

/** A system and its specification, by the values that the system observes. */
class Compared {
  readonly allowed: Lts;
  readonly #model: SystemModel;
  readonly #specification: Specification;
  readonly #names: readonly string[];

  constructor(model: SystemModel, specification: Specification) {
    this.#model = model;
    this.#specification = specification;
    this.#names = Object.keys(valuesIn(known(firstObservation(model), "the first observation"))).sort();
    this.allowed = byObservation(specification.lts, (text) => this.#text(valuesIn(text)));
  }

  /** Actions are positions of steps, so that a run of the graph is a trace. */
  get source(): Parameters<typeof exploreLts>[0] {
    const { steps, observe } = this.#model;
    return {
      system: withoutRoot(steps),
      actionOf: (_state, choice) => choice,
      labelOf: () => undefined,
      sourcesOf: () => [],
      observe: (state, at) => observe?.(state, at) ?? BEFORE,
    };
  }

  mine(lts: ObservedLts): Lts {
    return byObservation(lts, (text) => this.#labelOf(text));
  }

  /** Does the run show observations that the specification does not allow? */
  refutes(choices: readonly number[]): boolean {
    const { steps, observe } = this.#model;
    const out = new Successors(steps.width);
    steps.initial(out);
    const labels: string[] = [];
    let words = out.stateAt(0);
    const note = (): void => {
      const text = observe?.(words, 0);
      const label = text === undefined ? undefined : this.#labelOf(text);
      if (label !== undefined && label !== labels.at(-1)) labels.push(label);
    };
    note();
    for (const choice of choices) {
      out.clear();
      steps.successors(words, 0, out);
      if (choice >= out.count || out.isDead(choice)) break;
      words = out.stateAt(choice);
      note();
    }
    return !showsTrace(this.allowed, labels);
  }

  verdict(
    lts: ExploredSystem,
    evidence: { readonly kind: string; readonly labels?: readonly string[] } | undefined,
  ): Verdict {
    if (evidence?.labels) return this.#violated(lts, evidence.labels);
    // A step without a state after it is no part of any sequence.
    // sound: test/session/refinement.test.ts
    if (lts.error >= 0)
      return {
        kind: "unknown",
        reason: "some steps of the system fail, and nothing is observed after them",
        advice: "mend what the other properties report first",
      };
    return { kind: "holds", scope: { kind: "complete", by: "trace inclusion", notes: [] } };
  }

  #violated(lts: ExploredSystem, labels: readonly string[]): Verdict {
    const { numbers, names } = lts.observed;
    const texts = names.map((name) => (isSeen(name) ? this.#labelOf(name) : undefined));
    const way = runShowing(lts, (s) => texts[nth(numbers, s)], labels);
    const choices = known(way, "a run that shows the difference").map((t) => nth(lts.choices, t));
    const before = labels.slice(0, -1);
    const next = this.allowed.labels.slice(1).filter((label) => showsTrace(this.allowed, [...before, label]));
    const last = nth(labels, labels.length - 1);
    const after = before.length === 0 ? "at the start" : `after ${nth(before, before.length - 1)}`;
    const may = next.length === 0 ? "no other observation" : next.slice(0, 4).join(" or ");
    return {
      kind: "violated",
      reason: `the specification cannot follow: ${last} is observed; ${after} it allows ${may}${next.length > 4 ? " and others" : ""}`,
      trace: { choices, fault: -1, loopStart: undefined },
    };
  }

  /** Of the system, whose states all show the same names. */
  #labelOf(text: string): string {
    const values = valuesIn(text);
    // sound: test/session/refinement.test.ts
    if (Object.keys(values).sort().join() !== this.#names.join())
      throw new NotSupported("an 'observe' that returns other names in some states");
    const { isSystem, file } = this.#specification;
    // sound: test/session/refinement.test.ts
    const odd = isSystem ? undefined : this.#names.find((name) => !isScalar(values[name]));
    if (odd !== undefined)
      throw new NotSupported(
        `a value of '${odd}' that variables of '${file}' cannot have: ${canonical(values[odd])}`,
      );
    return this.#text(values);
  }

  /** Values of models are texts. */
  #text(values: Readonly<Record<string, unknown>>): string {
    const { isSystem } = this.#specification;
    const shown = (value: unknown): string =>
      !isSystem && typeof value === "string" ? value : canonical(value);
    return this.#names.map((name) => `${name} = ${shown(values[name])}`).join(", ");
  }
}

/** The root is a state here: the step out of it shows the first observation. */
const withoutRoot = (steps: Model["steps"]): System => ({
  get width() {
    return steps.width;
  },
  compareFrom: steps.compareFrom,
  initial: (out) => steps.initial(out),
  successors: (state, at, out) => steps.successors(state, at, out),
  status: (state, at) => steps.status(state, at),
});

/** Of the first start; undefined: the system fails when it starts. */
function firstObservation({ steps, observe }: SystemModel): string | undefined {
  const out = new Successors(steps.width);
  steps.initial(out);
  if (out.isDead(0)) return undefined;
  const words = out.stateAt(0);
  const text = observe?.(words, 0);
  if (text !== undefined) return text;
  out.clear();
  steps.successors(words, 0, out);
  return out.count === 0 || out.isDead(0) ? undefined : observe?.(out.stateAt(0), 0);
}

const valuesIn = (observation: string): Readonly<Record<string, unknown>> =>
  JSON.parse(observation) as Readonly<Record<string, unknown>>;

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** The order of keys is no part of data. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
