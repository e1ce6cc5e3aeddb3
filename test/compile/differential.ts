/**
 * All implementations of a program side by side: interpreter and generated code, with declared and with guessed layouts.
 * With one layout the states must be the same word for word; between layouts their number, their edges and faults.
 */
import { expect } from "vitest";
import { compile } from "../../src/compile/index.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { LayoutExceeded, Sources, type Model, type System, type Words } from "../../src/model/index.js";
import { initialOf, successorsOf } from "./walk.js";

const MOST_STATES = 3_000;

export interface Compared {
  readonly states: number;
  /** How often a layout was exceeded. */
  readonly retries: number;
}

/** Compares everything on one model; undefined when it is too large to be looked at like this. */
export function compare(text: string, name: string): Compared | undefined {
  const sources = new Sources();
  sources.add(name, text);
  const loaded = loadPromela({ file: name, text, defines: [], readFile: () => undefined, sources });
  expect(loaded.program, `${name}: ${JSON.stringify(loaded.diagnostics)}\n${text}`).toBeDefined();
  const model = compile(loaded.program!, sources);
  const reference = explore(model.steps);
  if (!reference) return undefined;
  expectSame(explore(model.system), reference, name);
  const { explored, chosen, retries } = exploreCompact(model);
  expectSameFigures(explored, reference, `${name}, guessed`);
  expectSame(explored, explore(chosen.steps)!, `${name}, guessed, interpreted`);
  return { states: reference.states.size, retries };
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
}

interface Explored {
  readonly states: ReadonlySet<string>;
  /** Distinct pairs of states with a step (or an atomic sequence) between them. */
  readonly edges: number;
  /** Sites, in order. */
  readonly faults: readonly number[];
}

/** From so few states the guess is sure to be wrong sometimes: the retry is tried too. */
function exploreCompact(model: Model) {
  let chosen = model.compact!(() => initialOf(model.system), 1);
  for (let retries = 0; ; retries++) {
    try {
      return { explored: explore(chosen.system), chosen, retries };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
  }
}

function explore(system: System): Explored | undefined {
  const key = (state: Words): string =>
    state
      .slice(system.compareFrom)
      .join()
      .replace(/(,0)+$/, "");
  const initial = initialOf(system);
  const states = new Map([[key(initial), initial]]);
  const edges = new Set<string>();
  const faults = new Set<number>();
  for (const [from, state] of states) {
    const inside = new Map([["", state]]);
    for (const [, at] of inside)
      for (const { words, fault, isDead, isIntermediate } of successorsOf(system, at)) {
        if (fault >= 0) faults.add(fault);
        if (isDead) continue;
        if (isIntermediate) inside.set(key(words), words);
        else {
          edges.add(`${from}>${key(words)}`);
          if (!states.has(key(words))) states.set(key(words), words);
        }
      }
    if (states.size > MOST_STATES) return undefined;
  }
  return { states: new Set(states.keys()), edges: edges.size, faults: [...faults].sort((a, b) => a - b) };
}
