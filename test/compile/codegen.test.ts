/**
 * Generated code against the interpreter: the same states word for word, the same edges between them, the same faults.
 * And against itself with narrowed fields, which must change nothing but the layout.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/compile/index.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { LayoutExceeded, Sources, type Model, type System, type Words } from "../../src/model/index.js";
import { generateProgram } from "../generators/promela.js";
import { renderProgram } from "../generators/promela-tree.js";
import { initialOf, successorsOf } from "./walk.js";

const MOST_STATES = 3_000;

describe("generated code visits what the interpreter visits", () => {
  for (const name of ["m02", "m03", "m04", "m05", "m06", "m07", "m08", "m09", "m11", "m17"])
    test(name, () => {
      const file = `test/fixtures/promela/conformance/${name}.pml`;
      compare(readFileSync(file, "utf8"), file);
    });

  test("random programs", () => {
    let compared = 0;
    for (let seed = 1; seed <= 150; seed++)
      if (compare(renderProgram(generateProgram(seed)), `seed ${seed}`)) compared++;
    expect(compared).toBeGreaterThan(100);
  });
});

/** Compares all implementations on one model; false when it is too large to be looked at like this. */
function compare(text: string, name: string): boolean {
  const sources = new Sources();
  sources.add(name, text);
  const loaded = loadPromela({ file: name, text, defines: [], readFile: () => undefined, sources });
  expect(loaded.program, `${name}: ${JSON.stringify(loaded.diagnostics)}`).toBeDefined();
  const model = compile(loaded.program!, sources);
  const reference = explore(model.steps);
  if (!reference) return false;
  const generated = explore(model.system);
  expect(generated, name).toBeDefined();
  expect(generated!.faults, `faults of ${name}`).toEqual(reference.faults);
  expect([...generated!.states].sort(), `states of ${name}`).toEqual([...reference.states].sort());
  expect(generated!.edges, `edges of ${name}`).toBe(reference.edges);
  const narrowed = exploreCompact(model);
  expect(narrowed!.faults, `faults of ${name}, narrowed`).toEqual(reference.faults);
  expect(narrowed!.states.size, `states of ${name}, narrowed`).toBe(reference.states.size);
  expect(narrowed!.edges, `edges of ${name}, narrowed`).toBe(reference.edges);
  return true;
}

interface Explored {
  readonly states: ReadonlySet<string>;
  /** Distinct pairs of states with a step (or an atomic sequence) between them. */
  readonly edges: number;
  /** Sites, in order. */
  readonly faults: readonly number[];
}

/** From so few states the guess is sure to be wrong sometimes: the retry is tried too. */
function exploreCompact(model: Model): Explored | undefined {
  let compact = model.compact!(() => initialOf(model.system), 1);
  for (;;) {
    try {
      return explore(compact.system);
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      compact = error.retry();
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
