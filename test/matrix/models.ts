/**
 * Models of the option matrix: small files of the repository, and tiny random models from a seed. Random nets and networks have no
 * text: they are loaded from their IR.
 *
 * A model is loaded once for all cells with the same load options, since loading dominates the time of a cell.
 */
import { readdirSync } from "node:fs";
import fc from "fast-check";
import {
  languageOf,
  readInput,
  registry,
  type CheckOptions,
  type Input,
  type Registry,
} from "../../src/session/index.js";
import { networkLoaded } from "../../src/session/languages/network.js";
import { loadedNet } from "../../src/session/languages/net.js";
import type { Language, Loaded, LoadOptions } from "../../src/session/contracts.js";
import { anyProgram } from "../generators/mpp.js";
import { ruleCase } from "../generators/murphi-ltl.js";
import { symmetricModel } from "../generators/murphi-symmetric.js";
import { randomNet } from "../generators/nets.js";
import { randomNetwork } from "../generators/network.js";
import { tinyCase } from "../generators/promela-tiny.js";
import { renderProgram } from "../generators/promela-tree.js";
import { inRepository } from "../repository.js";

export interface MatrixModel {
  readonly input: Input;
  readonly language: string;
  /** Options that add properties to the text's. */
  readonly asks: CheckOptions;
}

const folders = [
  "examples/models",
  "examples/messages",
  "examples/nets",
  "examples/networks",
  "examples/extensions",
  "test/fixtures",
];
const left = /\/(bad|automata|code|out|node_modules)\/|claim\.pml$|package\.json$/;

/** Paths of all models of the repository. */
export function models(): readonly string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(inRepository(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`),
    )
    .filter(
      (path) => !left.test(path) && !("code" in languageOf({ file: path, text: "" }, undefined, registry)),
    )
    .sort();
}

export function modelAt(path: string): MatrixModel | undefined {
  const input = readInput(path);
  if ("code" in input) return undefined;
  const found = languageOf(input, undefined, registry);
  if ("code" in found) return undefined;
  return {
    input,
    language: found.name,
    asks: path.endsWith("buffer.pnml") ? { targets: ["item >= 3"] } : {},
  };
}

/** Tiny random models by language; languages without an entry have files only. */
const tinyMakers: Readonly<Record<string, (seed: number) => MatrixModel>> = {
  promela: (seed) => {
    const { program, invariants, formula } = tinyCase(seed, { hasFormula: seed % 2 === 0 });
    const asks = { invariants, ...(formula === undefined ? {} : { ltl: [formula] }) };
    const text = renderProgram(program) + (claims.find(({ every }) => seed % every === 1)?.text(seed) ?? "");
    return { input: tiny(seed, ".pml", text), language: "promela", asks };
  },
  murphi: (seed) => {
    const { murphi, formula } = ruleCase(seed);
    const isTemporal = seed % 2 === 0;
    const text = isTemporal ? murphi : withFormula(symmetricModel(seed));
    return { input: tiny(seed, ".m", text), language: "murphi", asks: isTemporal ? { ltl: [formula] } : {} };
  },
  mpp: (seed) => {
    const [text] = fc.sample(anyProgram, { seed, numRuns: 1 });
    return { input: tiny(seed, ".mpp", text!), language: "mpp", asks: {} };
  },
  sdn: (seed) => ({
    input: tiny(seed, ".sdn", `${seed}`),
    language: "sdn",
    asks: { concrete: 1 + (seed % 2) },
  }),
  mist: (seed) => ({
    input: tiny(seed, ".spec", `${seed}`),
    language: "mist",
    asks: seed % 3 === 0 ? { asksBoundedness: true } : {},
  }),
};

export const tinyModels: ReadonlyMap<string, (seed: number) => MatrixModel> = new Map(
  Object.entries(tinyMakers),
);

/** Adds a formula about the counter, if there is one; in some states it is undefined. */
const withFormula = (text: string): string =>
  /\bn: 0\.\.2;/.test(text) ? `${text}\nltl [] <> n = 0 | <> (isundefined(n) | n > 1)\n` : text;

/** Claims that random programs lack: about `g`, which every program has, and about events of an additional channel. */
const claims: readonly { readonly every: number; text(seed: number): string }[] = [
  {
    every: 8,
    text: (seed) => `never {
  do :: g == ${seed % 3} -> break :: true od;
accept: do :: ${seed % 5 === 0 ? "true" : `h != ${seed % 4}`} od
}`,
  },
  {
    every: 5,
    text: (seed) => `chan traced = [1] of {byte};
active proctype T() { traced!g; traced?_; if :: h == 0 -> traced!1 :: g == ${seed % 2} fi }
${seed % 2 === 0 ? "" : "no"}trace { traced!${seed % 3}; traced?_; ${seed % 7 === 0 ? "" : "traced!1"} }`,
  },
];

const tiny = (seed: number, extension: string, text: string): Input => ({
  file: `tiny-${seed}${extension}`,
  text,
});

/** Random models without a text. */
const made: ReadonlyMap<string, (seed: number, options: LoadOptions) => Loaded> = new Map([
  ["sdn", (seed, options) => networkLoaded(randomNetwork(seed), undefined, options)],
  ["mist", (seed, options) => loadedNet({ net: randomNet(seed), diagnostics: [] }, options)],
]);

/** The registry; its languages load a model once until `forget`. Code, which may have state, is loaded each time. */
export class SharedModels {
  readonly #known = new Map<
    string,
    { readonly loaded: Promise<Loaded>; readonly sources: LoadOptions["sources"] }
  >();
  readonly registry: Registry;
  /** The same without sharing. */
  readonly unshared: Registry;

  constructor() {
    const languages = registry.languages.map(withRandom);
    this.unshared = { ...registry, languages };
    this.registry = {
      ...registry,
      languages: languages.map((one) => (one.runsCode ? one : this.#sharing(one))),
    };
  }

  forget(): void {
    this.#known.clear();
  }

  #sharing(language: Language): Language {
    return {
      ...language,
      load: async (input, options) => {
        const { sources, ...rest } = options;
        const key = JSON.stringify([
          input.file,
          Object.entries(rest)
            .filter(([name]) => loadsBy.has(name))
            .sort(),
        ]);
        const known = this.#known.get(key) ?? { loaded: language.load(input, options), sources };
        this.#known.set(key, known);
        const loaded = await known.loaded;
        for (const file of known.sources.files()) sources.add(file, known.sources.text(file)!);
        // Coverage of other cells must not leak into this one.
        loaded.model?.coverage.reached.fill(0);
        return loaded;
      },
    };
  }
}

/** Options that affect loading. */
const loadsBy: ReadonlySet<string> = new Set<keyof LoadOptions>([
  "isPlain",
  "warnsTruncation",
  "reductions",
  "isSearched",
  "invariants",
  "ltl",
  "fairness",
  "targets",
  "asksBoundedness",
  "deadlock",
  "loopLimit",
  "symmetry",
  "concrete",
]);

const withRandom = (language: Language): Language => ({
  ...language,
  load: async (input, options) => {
    const make = made.get(language.name);
    return make && input.file.startsWith("tiny-")
      ? make(Number(input.text), options)
      : language.load(input, options);
  },
});
