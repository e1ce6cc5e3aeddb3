/**
 * Cells of the option matrix: a model of some language with a random store, order, number of threads, set of reductions, fairness and
 * number of errors, compared with one oracle: the plain search, breadth-first, exact, by one thread, that reports all errors.
 *
 * Cell N is drawn from the seed N alone, so that a run resumes anywhere. An internal error is a difference; a refusal is an answer.
 */
import { readdirSync } from "node:fs";
import { relative } from "node:path";
import type { StoreName } from "../../src/model/index.js";
import type { CheckReport } from "../../src/report/index.js";
import {
  checkInput,
  languageOf,
  readInput,
  registry,
  Random,
  type CheckOptions,
  type Input,
  type SearchOrder,
} from "../../src/session/index.js";
import { temporalKinds } from "../../src/session/accepting.js";
import { inRepository } from "../repository.js";

export interface Outcome {
  readonly kind: "compared" | "refused" | "skipped";
  readonly language: string;
  /** What the cell was, as a command. */
  readonly command: string;
  readonly differences: readonly string[];
}

/** More states are not searched by so many options. */
const MOST_STATES = 3000;

const folders = [
  "examples/models",
  "examples/messages",
  "examples/nets",
  "examples/extensions",
  "test/fixtures",
];
const left = /\/(bad|automata|code|out|node_modules)\/|claim\.pml$|package\.json$/;

/** Every small model there is, by path. */
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

interface Question {
  readonly input: Input;
  readonly language: string;
  readonly asked: CheckOptions;
  readonly oracle: CheckReport;
}

export class Matrix {
  /** The models of each language. */
  readonly #languages: readonly (readonly string[])[];
  readonly #workers: boolean;
  readonly #known = new Map<string, Promise<Question | undefined>>();

  /** `workers`: cells with two threads, where the process can start them. */
  constructor({ paths = models(), workers = false }: { paths?: readonly string[]; workers?: boolean } = {}) {
    const groups = new Map<string, string[]>();
    for (const path of paths) {
      const found = languageOf({ file: path, text: "" }, undefined, registry);
      const name = "code" in found ? "" : found.name;
      groups.set(name, [...(groups.get(name) ?? []), path]);
    }
    // Most models are in two languages, which therefore count more than once.
    this.#languages = [...groups].flatMap(([name, of]) =>
      Array<string[]>(["promela", "murphi"].includes(name) ? 4 : 1).fill(of),
    );
    this.#workers = workers;
  }

  async cell(seed: number): Promise<Outcome> {
    const random = new Random(seed);
    const fairness = pick(random, ["none", "none", "weak", "strong"] as const);
    const paths = pick(random, this.#languages);
    let question: Question | undefined;
    for (let tries = 0; !question && tries < 50; tries++)
      question = await this.#question(pick(random, paths), fairness);
    if (!question) return { kind: "skipped", language: "", command: "", differences: [] };
    const { input, language, asked, oracle } = question;
    const command = relative(inRepository("."), input.file);
    const options: CheckOptions = { ...asked, ...drawn(random, language, seed, this.#workers) };
    const told = `${command} ${JSON.stringify(options)}`;
    try {
      const { report } = await checkInput(input, { ...options, isolation: "none" }, registry);
      const refused = report.diagnostics.filter(({ severity }) => severity === "error");
      if (refused.length > 0)
        return {
          kind: "refused",
          language,
          command: told,
          differences: refused
            .filter(({ code }) => !REFUSALS.has(code))
            .map(({ code, message }) => `refused by ${code}: ${message}`),
        };
      return { kind: "compared", language, command: told, differences: differences(oracle, report, options) };
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      return { kind: "compared", language, command: told, differences: [`internal error: ${message}`] };
    }
  }

  #question(path: string, fairness: NonNullable<CheckOptions["fairness"]>): Promise<Question | undefined> {
    const key = `${path} ${fairness}`;
    const known = this.#known.get(key) ?? askOracle(path, fairness);
    this.#known.set(key, known);
    return known;
  }
}

const REFUSALS = new Set(["session/option-not-taken", "session/not-together", "session/wrong-engine"]);

/** Undefined where there is no answer within the limits. */
async function askOracle(
  path: string,
  fairness: NonNullable<CheckOptions["fairness"]>,
): Promise<Question | undefined> {
  const input = readInput(path);
  if ("code" in input) return undefined;
  const found = languageOf(input, undefined, registry);
  if ("code" in found) return undefined;
  const isTemporal = found.accepts.kinds.some((kind) => temporalKinds.includes(kind));
  const asked: CheckOptions = {
    ...(isTemporal ? { fairness } : {}),
    ...(path.endsWith("buffer.pnml") ? { targets: ["item >= 3"] } : {}),
    budget: { maxStates: MOST_STATES },
  };
  const isNet = found.accepts.kinds.includes("coverability");
  const errors = isNet || found.accepts.kinds.includes("provenance") ? {} : { maxErrors: Infinity };
  const { report } = await checkInput(input, { ...asked, isPlain: true, ...errors }, registry);
  const isAnswered =
    report.properties.length > 0 && report.properties.every(({ verdict }) => verdict !== "unknown");
  return isAnswered ? { input, language: found.name, asked, oracle: report } : undefined;
}

/** Each option with its default more often than with any other value. */
function drawn(random: Random, language: string, seed: number, canWork: boolean): CheckOptions {
  const { accepts } = registry.languages.find(({ name }) => name === language)!;
  const { reductions } = accepts;
  if (accepts.kinds.includes("coverability"))
    return { engine: pick(random, ["backward", "eec", "karp-miller", "explicit"]) };
  const store = pick(random, [undefined, ...STORES]);
  const search = pick(random, ORDERS);
  const workers = canWork && pick(random, [...Array<number>(19).fill(1), 2]) === 2 ? 2 : 1;
  const how = pick(random, ["default", "plain", "one", "all", "some"] as const);
  const chosen =
    how === "one" && reductions.length > 0
      ? [pick(random, reductions)]
      : how === "all"
        ? reductions
        : reductions.filter(() => pick(random, [true, false]));
  const isCounted = accepts.kinds.includes("provenance") && language !== "promela";
  return {
    ...(store === undefined ? {} : { store }),
    ...(search === "bfs" ? {} : { search }),
    ...(workers === 1 ? {} : { workers }),
    ...(how === "default" ? {} : how === "plain" ? { isPlain: true } : { reductions: chosen }),
    ...(!isCounted && pick(random, [true, false]) ? { maxErrors: Infinity } : {}),
    ...(how !== "plain" && chosen.length > 0 && pick(random, [...Array<boolean>(9).fill(false), true])
      ? { checksReduction: true }
      : {}),
    seed,
  };
}

const STORES: readonly StoreName[] = ["exact", "tree", "delta", "compact", "bitstate"];
const ORDERS: readonly SearchOrder[] = ["bfs", "bfs", "dfs", "random", "guided"];

const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)]!;

function* compared(oracle: CheckReport, report: CheckReport, options: CheckOptions): Generator<string> {
  const { maxErrors = 1, store, isPlain = false, reductions, search = "bfs" } = options;
  const isLossy = store === "compact" || store === "bitstate";
  const truth = verdicts(oracle);
  const answers = verdicts(report);
  const isCutShort = maxErrors === 1 && [...answers.values()].includes("violated");
  const isSpent = report.properties.some(({ reason }) => /states was reached|limit on states/.test(reason));
  for (const [name, wanted] of truth) {
    const got = answers.get(name);
    const mayBeUnknown = isLossy || isCutShort || isSpent;
    if (got === undefined) yield `'${name}' is missing, and is ${wanted}`;
    else if (got === "holds" && isLossy && !isDecidedExactly(report, name))
      yield `'${name}' holds by a lossy store`;
    else if (got !== wanted && !(got === "unknown" && mayBeUnknown))
      yield `'${name}' is ${wanted}, not ${got}`;
  }
  for (const name of answers.keys()) if (!truth.has(name)) yield `'${name}' is no property of the oracle`;
  const isWhole = isPlain || reductions?.length === 0;
  const isComplete = maxErrors === Infinity || ![...truth.values()].includes("violated");
  if (!isWhole || isLossy || isSpent) return;
  if (isComplete && search !== "dfs" && oracle.runs.length === 1 && report.runs.length === 1) {
    const { states, transitions } = oracle.stats;
    if (report.stats.states !== states || report.stats.transitions !== transitions)
      yield `${report.stats.states} states and ${report.stats.transitions} transitions, not ${states} and ${transitions}`;
  }
  if (search !== "bfs") return;
  for (const { property, trace } of report.properties) {
    const shortest = stepsOf(oracle, property.name);
    if (
      !trace ||
      trace.loopStart !== undefined ||
      temporalKinds.includes(property.kind) ||
      shortest === undefined
    )
      continue;
    const steps = stepsOf(report, property.name);
    if (steps !== shortest) yield `'${property.name}' is violated in ${steps} steps, not ${shortest}`;
  }
}

const differences = (...all: Parameters<typeof compared>): string[] => [...compared(...all)];

/** A property with several kinds of fault is violated if one of them is met. */
function verdicts({ properties }: CheckReport): Map<string, string> {
  const found = new Map<string, string>();
  for (const { property, verdict } of properties)
    if (found.get(property.name) !== "violated") found.set(property.name, verdict);
  return found;
}

/** Some runs use an exact store whatever was asked for, and say so. */
const isDecidedExactly = ({ runs }: CheckReport, name: string): boolean =>
  runs.some(({ properties, store }) => properties.includes(name) && (!store || !store.omissions));

function stepsOf({ properties }: CheckReport, name: string): number | undefined {
  const lengths = properties.flatMap(({ property, trace }) =>
    property.name === name && trace && trace.loopStart === undefined ? [trace.length] : [],
  );
  return lengths.length === 0 ? undefined : Math.min(...lengths);
}
