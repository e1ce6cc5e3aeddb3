/** One random program searched in full, under every proviso, and with every reduction. */
import { Unsupported, compile, type CompiledModel } from "../../../src/compile/index.js";
import type { ExplicitResult, Proviso } from "../../../src/engines/explicit/index.js";
import { concretise } from "../../../src/session/reductions/concretise.js";
import { shows } from "../../../src/session/replay/ending.js";
import { narrate } from "../../../src/report/index.js";
import { reductionNames, type Plan, type ReductionName } from "../../../src/transforms/reduction/index.js";
import { generateProgram } from "../../generators/promela.js";
import { renderProgram } from "../../generators/promela-tree.js";
import { errorsOf, load, plain, reduced, search, type Loaded } from "./reducing.js";

export type Outcome =
  | { readonly kind: "compared"; readonly isSmaller: boolean; readonly differences: readonly string[] }
  | { readonly kind: "too large" | "not supported" };

/** Programs with more states than this are omitted. */
const MOST_STATES = 4000;

export async function compareReductions(seed: number): Promise<Outcome> {
  return compareText(renderProgram(generateProgram(seed)));
}

export async function compareText(text: string): Promise<Outcome> {
  const loaded = load(text);
  let model: CompiledModel;
  try {
    model = plain(loaded);
  } catch (error) {
    if (error instanceof Unsupported) return { kind: "not supported" };
    throw error;
  }
  const full = await search(model, "bfs", undefined, { budget: { maxStates: MOST_STATES } });
  if (!full.isComplete) return { kind: "too large" };
  const differences: string[] = [];
  let isSmaller = false;
  const compare = (what: string, result: ExplicitResult, of = (errors: string[]) => errors): void => {
    if (result.stats.states < full.stats.states) isSmaller = true;
    const [expected, obtained] = [of(errorsOf(full)), of(errorsOf(result))].map((e) => e.join());
    if (expected !== obtained)
      differences.push(`${what}: full search finds ${expected}, reduced ${obtained}`);
  };
  for (const [order, proviso] of searches)
    compare(
      `${order} ${proviso}`,
      await search(model, order, proviso),
      proviso === "none" ? deadlocks : undefined,
    );
  for (const wanted of choices) {
    const { model: small, plan } = reduced(loaded, wanted);
    for (const [order, proviso] of [
      ["bfs", "queue"],
      ["dfs", "stack"],
    ] as const) {
      const result = await search(small, order, proviso);
      compare(`${wanted.join()} ${order}`, result);
      differences.push(
        ...untold(result, small, loaded, plan).map((why) => `${wanted.join()} ${order}: ${why}`),
      );
    }
  }
  return { kind: "compared", isSmaller, differences };
}

const searches: readonly (readonly ["bfs" | "dfs", Proviso])[] = [
  ["bfs", "queue"],
  ["bfs", "none"],
  ["dfs", "stack"],
  ["dfs", "none"],
];

const choices: readonly (readonly ReductionName[])[] = [
  ...reductionNames.filter((name) => name !== "por").map((name) => [name]),
  reductionNames,
];

const deadlocks = (errors: string[]): string[] => errors.filter((e) => e === "deadlock");

/** Traces that do not show their violation in the original program. */
function untold(
  result: ExplicitResult,
  model: CompiledModel,
  { program, sources }: Loaded,
  plan: Plan,
): string[] {
  const original = compile(program, sources);
  return result.findings.flatMap(({ property, verdict }) => {
    if (verdict.kind !== "violated") return [];
    const trace = concretise(verdict.trace!, model, original, plan.origins);
    const told = narrate(original.steps, trace);
    if (told.kind === "diverged") return [`the trace for ${property.name} diverges at step ${told.step}`];
    const { final, fault } = told.narrative;
    const shown = { ...trace, words: final.words, fault };
    return shows(original, property, shown) ? [] : [`the trace does not show ${property.name}`];
  });
}
