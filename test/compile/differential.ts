/**
 * All implementations of a program side by side: interpreter and generated code, with declared and with guessed layouts.
 * With one layout the states must be the same word for word; between layouts their number, their edges and faults.
 */
import { expect } from "vitest";
import { compile, compileRecipe } from "../../src/compile/index.js";
import { numberLeaves, type Guess, type Range } from "../../src/compile/ranges.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { LayoutExceeded, Sources, type Model, type Program } from "../../src/model/index.js";
import { explore, type Explored } from "./explore.js";
import { initialOf } from "./walk.js";

export interface Compared {
  readonly states: number;
  /** Number of exceeded layouts. */
  readonly retries: number;
}

/** Compares everything on one model; undefined if it is too large. */
export function compare(text: string, name: string): Compared | undefined {
  const sources = new Sources();
  sources.add(name, text);
  const loaded = loadPromela({ file: name, text, defines: [], readFile: () => undefined, sources });
  expect(loaded.program, `${name}: ${JSON.stringify(loaded.diagnostics)}\n${text}`).toBeDefined();
  const model = compile(loaded.program!, sources);
  const reference = compareDeclared(model, name);
  if (!reference) return undefined;
  const { explored, chosen, retries } = exploreCompact(model);
  expectSameFigures(explored, reference, `${name}, guessed`);
  expectSame(explored, explore(chosen.steps, chosen)!, `${name}, guessed, interpreted`);
  return { states: reference.states.size, retries };
}

/** Explores with interpreter and generated code, every scalar as wide as declared, and compares. */
export function compareDeclared(model: Model, name: string): Explored | undefined {
  const reference = explore(model.steps, model);
  if (reference) expectSame(explore(model.system, model), reference, name);
  return reference;
}

function expectSame(found: Explored | undefined, reference: Explored, name: string): void {
  expectSameFigures(found, reference, name);
  expect([...found!.states].sort(), `states of ${name}`).toEqual([...reference.states].sort());
}

function expectSameFigures(found: Explored | undefined, reference: Explored, name: string): void {
  expect(found, name).toBeDefined();
  expect(found!.faults, `faults of ${name}`).toEqual(reference.faults);
  expect(found!.states.size, `states of ${name}`).toBe(reference.states.size);
  expect(found!.edges, `edges of ${name}`).toBe(reference.edges);
  expect(found!.observed, `observations of ${name}`).toEqual(reference.observed);
}

/**
 * Compares the program with itself in deliberately wrong layouts: each scalar, and all of them, narrowed to the lowest or
 * highest value; without the last process; and in the fitting one. Returns the number of exceeded layouts.
 */
export function compareGuesses(text: string, name: string): number {
  const sources = new Sources();
  const { program } = loadPromela({ file: name, text, defines: [], readFile: () => undefined, sources });
  const model = compile(program!, sources);
  const reference = explore(model.steps, model)!;
  const guessFrom = (states: number): Guess => {
    const { recipe } = model.compact!(() => initialOf(model.system), states);
    return (recipe!.layout as { readonly guess: Guess }).guess;
  };
  let exceeded = 0;
  for (const guess of [guessFrom(1000), ...wrongGuesses(program!, guessFrom(1))]) {
    const recipe = { ...model.recipe!, layout: { guess, retries: 0 } };
    const { explored, chosen, retries } = exploreCompact(model, compileRecipe(recipe, 0));
    expect(chosen.recipe!.layout, `${name}: the guess was given up`).toHaveProperty("guess");
    expectSameFigures(explored, reference, `${name}, as if ${JSON.stringify(guess)}`);
    exceeded += retries;
  }
  return exceeded;
}

function wrongGuesses(program: Program, { plan, ranges }: Guess): Guess[] {
  const lowest = ({ low }: Range): Range => ({ low, high: low });
  const highest = ({ high }: Range): Range => ({ low: high, high });
  const changed = (change: (range: Range) => Range, only?: number): Guess => ({
    plan,
    ranges: ranges.map((range, i) => (range && (only === undefined || only === i) ? change(range) : range)),
  });
  const guesses = [changed(lowest), changed(highest)];
  ranges.forEach((_, i) => guesses.push(changed(lowest, i), changed(highest, i)));
  if (!plan || plan.length === 0) return guesses;
  const { starts } = numberLeaves(program, plan);
  const without = [...ranges];
  without.splice(starts[plan.length - 1]!, starts[plan.length]! - starts[plan.length - 1]!);
  return [...guesses, { plan: plan.slice(0, -1), ranges: without }];
}

/** Samples few states, so that some layouts are exceeded and retried. */
function exploreCompact(model: Model, first?: Model) {
  let chosen = first ?? model.compact!(() => initialOf(model.system), 1);
  for (let retries = 0; ; retries++) {
    try {
      return { explored: explore(chosen.system, chosen), chosen, retries };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
  }
}
