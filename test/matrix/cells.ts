/**
 * Cells of the option matrix: a model with random options, compared with one oracle: the plain, breadth-first, exact, single-threaded
 * search that reports all errors.
 *
 * Cell N depends on the number N alone, so that a run can resume anywhere: its question (a model and its properties) on N / 25, its
 * options on N. An internal error is a difference; a refusal is an answer.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Property } from "../../src/model/index.js";
import type { CheckReport } from "../../src/report/index.js";
import { checkInput, languageOf, Random, registry, type CheckOptions } from "../../src/session/index.js";
import { temporalKinds } from "../../src/session/accepting.js";
import { inRepository } from "../repository.js";
import { differences, told, type Told } from "./comparing.js";
import { chance, drawnOptions, drawnQuestion, messages, pick, placesOf } from "./draws.js";
import { modelAt, models, SharedModels, tinyModels, type MatrixModel } from "./models.js";

export interface Outcome {
  readonly kind: "compared" | "refused" | "skipped";
  /** The values of the cell on each axis; for a refused cell, the reason. */
  readonly places: readonly (readonly [axis: string, value: string])[];
  /** The cell as a command. */
  readonly command: string;
  readonly differences: readonly string[];
}

/** Larger models are skipped. */
const MOST_STATES = 200;
/** One question in this number is about a larger file: stores keep states in chunks of a thousand. */
const LARGE_EVERY = 8;
const LARGE = { least: 1100, most: 4000 };

/** Size of the model of the cell with that number. */
export const sizeOf = (number: number): "large" | "small" =>
  Math.floor(number / CELLS_A_QUESTION) % LARGE_EVERY === 0 ? "large" : "small";

/** A cell may need more than its oracle: it searches twice, or abstracts. */
const MOST_OF_A_CELL = 10;
const CELLS_A_QUESTION = 25;

interface Question {
  readonly model: MatrixModel;
  readonly asked: CheckOptions;
  readonly oracle: Told;
  readonly size: ReturnType<typeof sizeOf>;
  readonly properties: readonly Property[];
}

export class Matrix {
  /** The models of each language, repeated by weight. */
  readonly #languages: readonly (readonly [name: string, paths: readonly string[]])[];
  readonly #threads: boolean;
  readonly #shared = new SharedModels();
  readonly #directory = mkdtempSync(join(tmpdir(), "everypath-matrix-"));
  /** Files that are too large or have no verdict. */
  readonly #unfit = new Set<string>();
  #block = -1;
  #question: Question | undefined;

  /** `workers`: allow cells with two threads, if the process can start them. */
  constructor({ paths = models(), workers = false }: { paths?: readonly string[]; workers?: boolean } = {}) {
    const groups = new Map<string, string[]>();
    for (const path of paths) {
      const found = languageOf({ file: path, text: "" }, undefined, registry);
      const name = "code" in found ? "" : found.name;
      groups.set(name, [...(groups.get(name) ?? []), path]);
    }
    this.#languages = [...groups].flatMap((group) => Array<typeof group>(WEIGHTS[group[0]] ?? 1).fill(group));
    this.#threads = workers;
  }

  async cell(number: number): Promise<Outcome> {
    const block = Math.floor(number / CELLS_A_QUESTION);
    if (block !== this.#block) {
      this.#shared.forget();
      this.#question = await this.#ask(block);
      this.#block = block;
    }
    if (!this.#question) return { kind: "skipped", places: [], command: "", differences: [] };
    const { model, asked, properties, size } = this.#question;
    const random = new Random(number);
    const means = {
      directory: join(this.#directory, `${number}`),
      threads: this.#threads,
      isLarge: size === "large",
    };
    const drawn = drawnOptions(random, model.language, properties, asked, means);
    const options: CheckOptions = {
      ...asked,
      ...drawn,
      budget: { maxStates: MOST_OF_A_CELL * (size === "large" ? LARGE.most : MOST_STATES) },
    };
    const outcome = await this.#compare(this.#question, options, this.#shared.registry);
    if (outcome.differences.length === 0) return outcome;
    // A difference that only a shared model shows is not a user's; repeats without sharing.
    const again = await this.#compare(this.#question, options, this.#shared.unshared);
    return again.differences.length > 0
      ? again
      : {
          ...again,
          differences: outcome.differences.map((each) => `of a model that is loaded once: ${each}`),
        };
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #ask(block: number): Promise<Question | undefined> {
    const random = new Random(Math.imul(block, 0x9e3779b1));
    const size = sizeOf(block * CELLS_A_QUESTION);
    const searched = this.#languages.filter(([name]) => size === "small" || LARGE_LANGUAGES.has(name));
    if (searched.length === 0) return undefined;
    const [language, paths] = pick(random, searched);
    const asks = drawnQuestion(random, language);
    for (let tries = 0; tries < 50; tries++) {
      const make = size === "small" && chance(random, 60) ? tinyModels.get(language) : undefined;
      const path = make ? undefined : pick(random, paths);
      const key = `${size} ${path} ${JSON.stringify(asks)}`;
      if (path !== undefined && this.#unfit.has(key)) continue;
      const model = path === undefined ? make!(block * 61 + tries) : modelAt(path);
      const question = model && (await this.#asked(model, asks, size));
      if (question) return question;
      this.#unfit.add(key);
    }
    return undefined;
  }

  /** Undefined if there is no answer within the limits. */
  async #asked(
    model: MatrixModel,
    asks: CheckOptions,
    size: Question["size"],
  ): Promise<Question | undefined> {
    const { kinds } = registry.languages.find(({ name }) => name === model.language)!.accepts;
    const asked: CheckOptions = { ...model.asks, ...asks };
    const isShownOnce = kinds.includes("coverability") || messages.includes(model.language);
    const errors = isShownOnce ? {} : { maxErrors: Infinity };
    const budget = { maxStates: size === "large" ? LARGE.most : MOST_STATES };
    const plain: CheckOptions = { ...asked, isPlain: true, ...errors, budget };
    const { report } = await checkInput(model.input, { ...plain, isolation: "none" }, this.#shared.registry);
    const isAnswered =
      report.properties.length > 0 && report.properties.every(({ verdict }) => verdict !== "unknown");
    if (!isAnswered || (size === "large" && report.stats.states < LARGE.least)) return undefined;
    const properties = [
      ...new Map(report.properties.map(({ property }) => [property.name, property])).values(),
    ];
    return { model, asked, oracle: told(report), properties, size };
  }

  async #compare(
    { model, oracle, properties, size }: Question,
    options: CheckOptions,
    known: SharedModels["registry"],
  ): Promise<Outcome> {
    const { input, language } = model;
    const command = `${relative(inRepository("."), input.file)} ${JSON.stringify(options)}`;
    const isTemporal = properties.some(({ kind }) => temporalKinds.includes(kind));
    const common = { places: [] as Outcome["places"], command };
    try {
      const { report } = await checkInput(input, { ...options, isolation: "none" }, known);
      const refused = report.diagnostics.filter(({ severity }) => severity === "error");
      if (refused.length > 0)
        return {
          ...common,
          kind: "refused",
          places: refused.map(({ message }) => ["refused", message] as const),
          differences: refused.flatMap(unforeseen),
        };
      const places = [
        ["model", input.file.startsWith("tiny-") ? "random" : "file"] as const,
        ["size", size] as const,
        ...placesOf(language, options, isTemporal),
        ...answersOf(report),
      ];
      return { kind: "compared", places, command, differences: differences(oracle, report, options) };
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      return { ...common, kind: "compared", differences: [`internal error: ${message}`] };
    } finally {
      if (options.disk) rmSync(options.disk.directory, { recursive: true, force: true });
    }
  }
}

/** Weights of languages: few languages have most models, and code is slow to load. */
const WEIGHTS: Readonly<Record<string, number>> = {
  promela: 80,
  murphi: 56,
  mpp: 24,
  sdn: 24,
  mist: 20,
  bvas: 10,
  rpp: 8,
  pnml: 8,
  webextension: 5,
};

/** Languages with files of that size. */
const LARGE_LANGUAGES = new Set(["promela", "murphi"]);

const REFUSALS = new Set(["session/option-not-taken", "session/not-together", "session/wrong-engine"]);

const unforeseen = ({ code, message }: { readonly code: string; readonly message: string }): string[] =>
  REFUSALS.has(code) ? [] : [`refused by ${code}: ${message}`];

/** The decided kinds of property, with verdicts. */
function answersOf({ properties }: CheckReport): readonly (readonly [string, string])[] {
  const decided = properties.filter(({ verdict }) => verdict !== "unknown");
  return [
    ...[...new Set(decided.map(({ property }) => property.kind))].map((kind) => ["kind", kind] as const),
    ...[...new Set(decided.map(({ verdict }) => verdict))].map((verdict) => ["verdict", verdict] as const),
  ];
}
