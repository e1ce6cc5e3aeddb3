/** Programs with some reductions, and their searches: shared by the tests and the bench of reductions. */
import { Unsupported, compile, type CompiledModel } from "../../../src/compile/index.js";
import { checkExplicit, type ExplicitResult, type Proviso } from "../../../src/engines/explicit/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Budget, type Program } from "../../../src/model/index.js";
import {
  compose,
  marking,
  mergeAsSpin,
  planReductions,
  reductionNames,
  resetDead,
  unchanged,
  type Plan,
  type ReductionName,
} from "../../../src/transforms/reduction/index.js";
import { SharedStatements, spinMarking } from "../../../bench/reduction/spin-marking.js";
import { obviousReduced } from "./obvious.js";
import { generateProgram } from "../../generators/promela.js";
import { renderProgram } from "../../generators/promela-tree.js";

export interface Loaded {
  readonly program: Program;
  readonly sources: Sources;
}

export function load(
  text: string,
  defines: Readonly<Record<string, string>> = {},
  invariants: readonly string[] = [],
): Loaded {
  const sources = new Sources();
  const file = "m.pml";
  sources.add(file, text);
  const { program, diagnostics } = loadPromela({
    file,
    text,
    sources,
    readFile: () => undefined,
    defines: Object.entries(defines).map(([name, value]) => ({ name, value })),
    invariants,
  });
  if (!program) throw new Error(diagnostics.map((d) => d.message).join("\n"));
  return { program, sources };
}

/** As Spin sees it: `plain` is `-o1 -o2 -o3`, `opt` its default. */
export function asSpin(
  loaded: Loaded,
  mode: "plain" | "opt",
  order: "bfs" | "dfs",
  isPidGlobal = false,
): CompiledModel {
  const seen = spinProgram(loaded, mode, isPidGlobal);
  return compile(seen, loaded.sources, { candidacy: spinMarking(seen, { isPidGlobal, order }) });
}

export function spinProgram({ program }: Loaded, mode: "plain" | "opt", isPidGlobal = false): Program {
  const shared = new SharedStatements(program, isPidGlobal);
  const isGlobal = shared.isGlobal.bind(shared);
  const { program: seen } =
    mode === "plain" ? unchanged(program) : compose(resetDead(program), (p) => mergeAsSpin(p, isGlobal));
  return seen;
}

/** One transition a statement, with our marking. */
export const plain = ({ program, sources }: Loaded, trustsClaims = true): CompiledModel =>
  compile(program, sources, { candidacy: marking(program, { trustsClaims }) });

/** Likewise a random program; undefined: it has something that is not compiled. */
export function plainRandom(seed: number): CompiledModel | undefined {
  try {
    return plain(load(renderProgram(generateProgram(seed))));
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** With our own reductions, all properties checked. */
export function reduced(
  { program, sources }: Loaded,
  wanted: readonly ReductionName[] = reductionNames,
): { readonly model: CompiledModel; readonly plan: Plan } {
  const { properties } = compile(program, sources);
  const plan = planReductions(program, { wanted, properties, trustsClaims: true });
  return { model: compile(plan.program, sources, { candidacy: plan.candidacy }), plan };
}

export const search = (
  model: CompiledModel,
  order: "bfs" | "dfs",
  proviso?: Proviso,
  options: { readonly errors?: number | "all"; readonly budget?: Budget } = {},
): Promise<ExplicitResult> =>
  checkExplicit(model, {
    order,
    proviso,
    checkDeadlock: true,
    errors: options.errors ?? "all",
    budget: options.budget ?? {},
    control: {},
  });

/** The kinds of violation: sites of faults, `deadlock`, invariants by name. */
export const errorsOf = ({ findings }: ExplicitResult): string[] =>
  findings
    .flatMap(({ property, verdict }) =>
      verdict.kind === "violated"
        ? [verdict.trace!.fault >= 0 ? `${verdict.trace!.fault}` : property.name]
        : [],
    )
    .sort();

/** A naive search replaces the engine for the proviso `visited`, which it lacks. Counts transitions like Spin. */
export async function figuresAsSpin(
  model: CompiledModel,
  order: "bfs" | "dfs",
  proviso: Proviso | "visited" | undefined,
): Promise<{ states: number; transitions: number }> {
  if (proviso === "visited") return obviousReduced(model.system, "bfs", proviso);
  const { stats } = await search(model, order, proviso);
  return { states: stats.states, transitions: stats.transitions + 1 };
}
