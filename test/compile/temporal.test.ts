/** Propositions and agents: generated code agrees with the interpreter, state by state. */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, type CompiledModel } from "../../src/compile/index.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { FOREIGN_AGENT, Sources, Successors, type System, type Words } from "../../src/model/index.js";
import { randomAtom } from "../generators/formula.js";
import { generateProgram } from "../generators/promela.js";
import { renderProgram } from "../generators/promela-tree.js";
import { Random } from "../generators/random.js";
import { keyOf, nominalSuccessors } from "../transforms/obvious-emptiness.js";
import { initialOf } from "./walk.js";

const folder = "test/fixtures/promela/temporal/";

describe("valuations and agents are those of the interpreter", () => {
  for (const name of readdirSync(folder))
    test(name, () => compare(modelOf(readFileSync(folder + name, "utf8"), name)));

  test("random programs", () => {
    let states = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const program = generateProgram(seed);
      const random = new Random(seed);
      const atoms = Array.from({ length: 5 }, () => randomAtom(random, program));
      const text = `${renderProgram(program)}ltl all { ${atoms.join(" && ")} }\n${claim}`;
      states += compare(modelOf(text, `seed ${seed}`));
    }
    expect(states).toBeGreaterThan(1_500);
  });
});

/** Conditions allowed only in claims. */
const claim =
  "never { do :: timeout || np_ || _last == 1 || _nr_pr == 2 || pc_value(0) > 2 :: enabled(0) od }\n";

test("a process with a high number is a foreign agent", () => {
  const model = modelOf("byte x; active [33] proctype P() { x = 1 }", "many");
  const out = new Successors(model.temporal!.labelled().width);
  model.temporal!.labelled().successors(initialOf(model.system), 0, out);
  expect([...out.labels.subarray(0, 33)]).toEqual([
    FOREIGN_AGENT,
    FOREIGN_AGENT,
    ...Array.from({ length: 31 }, (_, i) => 1 << (30 - i)),
  ]);
});

test("a proposition that cannot be evaluated is the fault it is", () => {
  const model = modelOf("byte x, a[2]; active proctype P() { x = 2 } ltl p { [] (a[x] == 0) }", "bounds");
  const out = new Successors(model.system.width);
  const initial = initialOf(model.system);
  model.system.successors(initial, 0, out);
  expect(model.temporal!.system.valuation(0, initial, 0)).toBe(1);
  const site = ~model.temporal!.system.valuation(0, out.words, 0);
  expect(model.sites[site]!.fault).toBe("array-bounds");
});

function modelOf(text: string, file: string): CompiledModel {
  const sources = new Sources();
  sources.add(file, text);
  const loaded = loadPromela({ file, text, defines: [], readFile: () => undefined, sources });
  expect(loaded.program, `${file}: ${JSON.stringify(loaded.diagnostics)}`).toBeDefined();
  return compile(loaded.program!, sources);
}

/** Compares the first states; returns their number. */
function compare(model: CompiledModel): number {
  const temporal = model.temporal!;
  const { steps } = temporal;
  const labelled = temporal.labelled();
  const states = new Map([["", initialOf(model.steps)]]);
  for (const [, state] of states) {
    const padded = new Int32Array(Math.max(steps.width, labelled.width));
    padded.set(state);
    temporal.properties.forEach((property, index) => {
      const reference = steps.valuation(index, padded, 0);
      expect(labelled.valuation(index, padded, 0), `${property.name} in ${state.join()}`).toBe(reference);
    });
    const reference = nominalSteps(steps, state);
    expect([...nominalSteps(labelled, state).keys()].sort(), state.join()).toEqual(
      [...reference.keys()].sort(),
    );
    for (const words of reference.values()) {
      const key = keyOf(words, steps.compareFrom);
      if (states.size < 150 && !states.has(key)) states.set(key, words);
    }
  }
  return states.size;
}

/** Successors in one step, by state and agents. */
function nominalSteps(system: System, source: Words): Map<string, Words> {
  const found = nominalSuccessors(system, source);
  return new Map(
    found.map(({ state, marks: agents }) => [`${keyOf(state, system.compareFrom)} by ${agents}`, state]),
  );
}
