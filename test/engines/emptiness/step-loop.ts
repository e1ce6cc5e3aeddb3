/**
 * One temporal property by both codes: the product's states, transitions and figures, the answer, the run and the coverage
 * must be the same.
 */
import { expect } from "vitest";
import { compile, type CompiledModel } from "../../../src/compile/index.js";
import {
  checkEmptiness,
  isWeak,
  type EmptinessOptions,
  type EmptinessResult,
} from "../../../src/engines/explicit/emptiness/index.js";
import { search } from "../../../src/engines/explicit/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, hasErrors, type Model } from "../../../src/model/index.js";
import { productModel, type ProductModel } from "../../../src/transforms/product-model.js";
import { soughtBy } from "../../../src/transforms/ltl/sought.js";

export interface Tally {
  compared: number;
  asStepCode: number;
  accepting: number;
  faults: number;
  /** The most of one product. */
  states: number;
}

export const newTally = (): Tally => ({ compared: 0, asStepCode: 0, accepting: 0, faults: 0, states: 0 });

const MOST_STATES = 3000;

export function modelOf(text: string, formula: string): CompiledModel | undefined {
  const sources = new Sources();
  const file = "m.pml";
  sources.add(file, text);
  const given = { file, text, sources, readFile: () => undefined, defines: [], formulas: [formula] };
  const { program, diagnostics } = loadPromela(given);
  return program && !hasErrors(diagnostics) ? compile(program, sources) : undefined;
}

/** With every fairness that marks express; `auto`'s algorithms, and a reachability search of the same product. */
export async function compareOnBoth(name: string, model: CompiledModel, tally: Tally): Promise<void> {
  const properties = model.temporal?.properties ?? [];
  for (const [index, property] of properties.entries()) {
    const automaton = soughtBy(property);
    if (!automaton) continue;
    for (const fairness of ["none", "weak"] as const) {
      const make = (): ProductModel =>
        productModel(model, { property: index, automaton, fairness, stutters: true });
      const weak = fairness === "none" && isWeak(automaton);
      for (const algorithm of weak ? (["cou99", "dfs"] as const) : (["cou99"] as const))
        await compareCycles(
          `${name} ${fairness} ${algorithm}`,
          model,
          make,
          { algorithm, isWeak: weak },
          tally,
        );
      if (fairness === "none") await compareReachable(name, make);
    }
  }
}

async function compareCycles(
  name: string,
  model: Model,
  make: () => ProductModel,
  asked: Pick<EmptinessOptions, "algorithm" | "isWeak">,
  tally: Tally,
): Promise<void> {
  const [one, other] = [
    await checked(model, make(), asked, false),
    await checked(model, make(), asked, true),
  ];
  expect(other.seen, name).toEqual(one.seen);
  tally.compared++;
  if (other.result.stats.backend === "webassembly") tally.asStepCode++;
  if (one.result.isEmpty === false) tally.accepting++;
  tally.faults += one.seen.faults.length;
  tally.states = Math.max(tally.states, one.seen.states);
}

async function checked(
  { coverage }: Model,
  { system }: ProductModel,
  asked: Pick<EmptinessOptions, "algorithm" | "isWeak">,
  usesStep: boolean,
) {
  coverage.reached.fill(0);
  const faults: unknown[] = [];
  const result = await checkEmptiness(system, {
    ...asked,
    conditions: system.conditions,
    budget: { maxStates: MOST_STATES },
    control: {},
    usesStep,
    onFault: (site, path) => void faults.push([site, path()]),
  });
  return { result, seen: { ...figuresOf(result), faults, reached: [...coverage.reached] } };
}

function figuresOf({ isEmpty, stop, run, stats }: EmptinessResult) {
  const { states, transitions, depth, stack, systemStates } = stats;
  return { isEmpty, stop, run, states, transitions, depth, stack, systemStates };
}

/** As where a violation shows after finitely many steps. */
async function compareReachable(name: string, make: () => ProductModel): Promise<void> {
  const [one, other] = await Promise.all(
    [false, true].map(async (usesStep) => {
      const model = make();
      const { violations, stop, stats } = await search(model, {
        ...{ order: "bfs", control: {}, maxErrors: 1, checksDeadlock: false, usesStep },
        budget: { maxStates: MOST_STATES },
        checksSite: model.sites.map(() => true),
        invariants: [0],
      });
      const paths = violations.map(({ cause, path }) => [
        cause,
        Array.from({ length: path.length }, (_, i) => path.state(i)),
      ]);
      return { paths, stop, states: stats.states, transitions: stats.transitions, depth: stats.depth };
    }),
  );
  expect(other, `${name} reachability`).toEqual(one);
}
