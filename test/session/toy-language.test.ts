/** Languages of a few lines, one lowered to nets and one to programs: each supports every cell that its IR allows, and refuses the rest. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { netModel } from "../../src/compile/net.js";
import type { CheckReport } from "../../src/index.js";
import { isNet, Successors, type Model, type Net, type System } from "../../src/model/index.js";
import { net, promela } from "../../src/session/declarations.js";
import { gridOf, load, registry, type Language, type Registry } from "../../src/session/index.js";
import { makeModel } from "../../src/session/engines/make-model.js";
import { loadedNet } from "../../src/session/languages/net.js";
import { load as loadPromela } from "../../src/session/languages/promela.js";
import { inRepository } from "../repository.js";
import { ask, isRefused, removeFolders, shows } from "./grid-cells.js";
import { inputOf, registryOf, samples, type GridSample } from "./grid-rows.js";

/** `aa;a>b b>a`: tokens, and the transitions that move one. */
function arrows(text: string): Net {
  const [tokens = "", moves = ""] = text.split(";");
  const letters = [...new Set(text.match(/[a-z]/g))].sort();
  const at = (letter = ""): number => letters.indexOf(letter);
  const span = { file: "toy.arrows", start: 0, end: text.length };
  const transitions = moves.split(" ").map((name) => {
    const [from, to] = [at(name[0]), at(name[2])];
    const effect =
      from === to
        ? []
        : (
            [
              [from, -1],
              [to, 1],
            ] as const
          ).toSorted(([a], [b]) => a - b);
    return { name, span, guard: [[from, 1]] as const, effect };
  });
  const initial = letters.map((letter) => tokens.split(letter).length - 1);
  return {
    kind: "net",
    name: "toy",
    places: letters.map((name) => ({ name, span })),
    transitions,
    initial,
    properties: [],
  };
}

const language = (name: string, accepts: Language["accepts"], lower: Language["load"]): Registry => ({
  ...registry,
  languages: [{ name, summary: "", extensions: [`.${name}`], accepts, load: lower }],
});

const toNets = language("arrows", net, async ({ text }, options) =>
  loadedNet({ net: arrows(text), diagnostics: [] }, options),
);

/** A word names a program. */
const toPrograms = language("word", promela, async (input, options) =>
  loadPromela(
    { ...input, text: readFileSync(inRepository(`test/fixtures/grid/${input.text}.pml`), "utf8") },
    options,
  ),
);

const toys: readonly { readonly like: string; readonly sample: GridSample }[] = [
  {
    like: "mist",
    sample: {
      file: "toy.arrows",
      text: "aa;a>b b>a c>a",
      registry: toNets,
      options: { targets: ["c >= 1"] },
      invariants: ["a + b == 2", "b < 2"],
      formulas: ['G "a + b == 2"', 'F "b == 2"'],
      deadlock: { text: "a;a>b c>b", options: { deadlock: "stuck" } },
      unfair: { text: "a;a>a a>b c>b", options: { ltl: ["F b"], properties: ["F b"] } },
      broken: { options: { invariants: ["b < 2"] } },
      unreached: "c>a",
    },
  },
  {
    like: "promela",
    sample: {
      ...samples["promela"],
      reduced: { file: "toy.word", text: "../../../examples/models/interchangeable-processes" },
      file: "toy.word",
      text: "counters",
      registry: toPrograms,
      deadlock: { text: "stuck", options: {} },
      unfair: { text: "turns", options: { ltl: ["<> done"] } },
    },
  },
];

afterAll(removeFolders);

describe.each(toys.map((toy) => [toy.sample.file, toy] as const))("%s", (_, { like, sample }) => {
  const [row] = gridOf(registryOf(sample));
  let base: CheckReport;
  beforeAll(async () => {
    base = await ask(sample, {});
  });

  test(`has the cells of ${like}`, () => {
    const other = gridOf(registry).find(({ language: name }) => name === like);
    const named = new Set(row!.cells.map(({ capability: { name } }) => name));
    const answers = (cells = row!.cells): string[] =>
      cells
        .filter(({ capability: { name } }) => named.has(name))
        .map(({ capability: { name }, engine, reason }) => `${name}: ${engine} ${reason}`);
    expect(answers()).toEqual(answers(other!.cells));
  });

  for (const cell of row!.cells) {
    const { group, name } = cell.capability;
    if (cell.reason !== "") test(`${group}: no ${name}`, () => isRefused(cell, sample));
    // Threads receive models, not texts: compares the rebuilt model.
    else if (name === "--workers") test(`${group}: ${name}`, () => isMadeAgain(sample));
    else
      test(
        `${group}: ${name}`,
        () => shows(cell, row!, sample, base, () => Promise.reject(new Error("no threads"))),
        60_000,
      );
  }
});

/** The recipe rebuilds a model with the same states. */
async function isMadeAgain(sample: GridSample): Promise<void> {
  const { model, subject } = await load(inputOf(sample), sample.options ?? {}, registryOf(sample));
  const { recipe, system } = model!;
  const again = await makeModel(structuredClone(recipe!), system.width);
  expect(countOf(again.system)).toBe(countOf(system));
  if (isNet(subject)) expect(countOf(netModel(subject).system)).toBe(countOf(system));
}

function countOf(system: Model["system"]): number {
  const seen = new Map<string, Int32Array>();
  const add = (expand: (out: Successors) => void): void => {
    const out = new Successors(system.width);
    expand(out);
    for (let i = 0; i < out.count; i++) {
      const words = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (!seen.has(words.join())) seen.set(words.join(), words);
    }
  };
  add((out) => system.initial(out));
  for (const state of seen.values()) add((out) => (system satisfies System).successors(state, 0, out));
  return seen.size;
}
