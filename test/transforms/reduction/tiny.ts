/**
 * One tiny program in many modes: each must agree with the plain search.
 *
 * The product is run as in use: the session checks, replays every trace and reports. Only loading is shared, since all modes
 * check the same model. The plain search reports every error; a mode that stops at the first one may leave other properties
 * unknown.
 */
import { hasErrors, type CheckReport } from "../../../src/index.js";
import { temporalKinds } from "../../../src/session/accepting.js";
import { checkInput, load, type CheckOptions, type Registry } from "../../../src/session/index.js";
import { differenceBetween } from "../../compile/explore.js";
import { minimise } from "../../generators/minimise.js";
import { renderProgram, smallerPrograms } from "../../generators/promela-tree.js";
import type { TinyCase } from "../../generators/promela-tiny.js";
import { Random } from "../../generators/random.js";
import { loadingOnce } from "../../peers/loading-once.js";
import { sampling } from "../../session/sampling.js";

export const tinyReductions = ["slice", "dead", "merge", "por"] as const;

export type TinyOutcome =
  | {
      readonly kind: "compared";
      /** Properties that the plain search finds violated. */
      readonly violated: number;
      /** Modes that stored fewer states than the plain search, by name. */
      readonly smaller: readonly string[];
      readonly differences: readonly Difference[];
      /** Beside a peer: kinds of error were compared, counts could not be. */
      readonly byErrors?: boolean;
    }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "too large" };

export interface Difference {
  readonly mode: string;
  readonly what: string;
}

/** The session's own check, or a test's replacement. */
export type Check = typeof checkInput;

/** Programs with more states than this are omitted. */
const MOST_STATES = 3000;
/** Programs with more are not interpreted. */
const MOST_INTERPRETED = 100;

export async function compareTiny(
  asked: TinyCase,
  seed: number,
  check: Check = checkInput,
): Promise<TinyOutcome> {
  const checker = new Checker(asked, seed, check);
  const plain = await checker.run({ isPlain: true, maxErrors: Infinity });
  if (typeof plain === "string")
    return {
      kind: "compared",
      violated: 0,
      smaller: [],
      differences: [{ mode: "--plain --errors all", what: plain }],
    };
  if (hasErrors(plain.diagnostics))
    return { kind: "refused", why: plain.diagnostics.find(({ severity }) => severity === "error")!.message };
  if (plain.properties.some(({ verdict }) => verdict === "unknown")) return { kind: "too large" };
  const expected = answersOf(plain);
  const differences: Difference[] = [];
  const smaller: string[] = [];
  for (const { name, options } of modesOf(asked, seed, plain)) {
    const report = await checker.run(options);
    const found = typeof report === "string" ? report : contradiction(expected, report, options);
    if (found !== undefined) differences.push({ mode: name, what: found });
    if (typeof report !== "string" && options.properties === undefined && isSmaller(report, plain))
      smaller.push(name);
  }
  if (seed % 4 === 1 || asked.invariants.length > 0) differences.push(...(await checker.interpreted()));
  const violated = [...expected.values()].filter(({ verdict }) => verdict === "violated").length;
  return { kind: "compared", violated, smaller, differences };
}

/** The differing case made small: it still differs in the same mode. */
export async function smallestTiny(
  asked: TinyCase,
  seed: number,
  { mode }: Difference,
  check: Check = checkInput,
): Promise<TinyCase> {
  const differs = async (candidate: TinyCase): Promise<boolean> => {
    const outcome = await compareTiny(candidate, seed, check);
    return outcome.kind === "compared" && outcome.differences.some((difference) => difference.mode === mode);
  };
  const without = { ...asked, invariants: [] };
  const start = asked.invariants.length > 0 && (await differs(without)) ? without : asked;
  const program = await minimise(asked.program, smallerPrograms, (candidate) =>
    differs({ ...start, program: candidate }),
  );
  return { ...start, program };
}

/** The program as a file that says how to see the difference. */
export function tinyFile(
  { program, invariants, formula, fairness }: TinyCase,
  { mode, what }: Difference,
): string {
  const options = [
    ...invariants.map((invariant) => `--invariant '${invariant}'`),
    ...(formula === undefined ? [] : [`--ltl '${formula}'`]),
    ...(fairness === "none" ? [] : [`--fairness ${fairness}`]),
  ];
  return `// ${[mode, ...options].join(" ")}: ${what.split("\n")[0]!}\n${renderProgram(program)}`;
}

// ---- modes ---------------------------------------------------------------------------------------

interface Mode {
  readonly name: string;
  readonly options: CheckOptions;
}

/** Default mode and all reductions; then one reduction alone, and one property alone or one of everything at random. */
function modesOf(asked: TinyCase, seed: number, plain: CheckReport): Mode[] {
  const random = new Random(seed);
  const forced = (reductions: readonly (typeof tinyReductions)[number][]): Mode => ({
    name: `--reduction ${reductions.join()} --errors all`,
    options: { maxErrors: Infinity, reductions },
  });
  const one = random.pick(plain.properties).property.name;
  const oneProperty = {
    name: `--reduction all --property '${one}'`,
    options: { reductions: tinyReductions, properties: [one] },
  };
  // Every other program is handed over to reductions in the middle of the search.
  const budget = { maxStates: Math.max(2, plain.stats.states) };
  const byDefault =
    seed % 8 < 4
      ? { name: "default", options: {} }
      : { name: `--max-states ${budget.maxStates}`, options: { budget } };
  return [
    byDefault,
    forced(tinyReductions),
    forced([tinyReductions[seed % tinyReductions.length]!]),
    random.chance(40) ? oneProperty : drawMode(random, asked),
  ];
}

function drawMode(random: Random, asked: TinyCase): Mode {
  // The other orders are for properties of single states.
  const isSafety = asked.formula === undefined;
  const search = random.pick(
    isSafety ? (["dfs", "dfs", "bfs", "random", "guided"] as const) : (["dfs", "bfs"] as const),
  );
  const store = random.pick(["exact", "exact", "tree", "delta", "compact"] as const);
  const reductions = tinyReductions.filter(() => random.chance(isSafety ? 50 : 30));
  const isAll = random.chance(40);
  return {
    name: `--search ${search} --store ${store} --reduction ${reductions.join() || "none"}${isAll ? " --errors all" : ""}`,
    options: {
      search,
      store,
      reductions,
      ...(store === "compact" ? { storeRequest: { tableBytes: 1 << 16 } } : {}),
      ...(isAll ? { maxErrors: Infinity } : {}),
    },
  };
}

// ---- answers -------------------------------------------------------------------------------------

interface Answer {
  readonly verdict: string;
  /** In how many ways it fails, each by its reason. */
  readonly reasons: readonly string[];
}

function answersOf({ properties }: CheckReport): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const { property, verdict, violations } of properties) {
    const before = answers.get(property.name);
    const reasons = new Set([
      ...(before?.reasons ?? []),
      ...violations.map(({ reason }) => withoutLength(reason)),
    ]);
    answers.set(property.name, {
      verdict: before?.verdict === "violated" ? "violated" : verdict,
      reasons: [...reasons].sort(),
    });
  }
  return answers;
}

/** A temporal property is reported with one of the executions that violate it: a reduction may meet another one, or omit steps. */
const withoutLength = (reason: string): string =>
  reason.replace(/ (a cycle of \d+ steps?|an execution that ends)/, "");

/** Contradiction between a report and the answers of the plain search. */
function contradiction(
  expected: ReadonlyMap<string, Answer>,
  report: CheckReport,
  { maxErrors, properties, store, budget }: CheckOptions,
): string | undefined {
  const error = report.diagnostics.find(({ severity }) => severity === "error");
  if (error) return `refused: ${error.message}`;
  const answers = answersOf(report);
  const temporal = new Set(
    report.properties
      .filter(({ property }) => temporalKinds.includes(property.kind))
      .map((p) => p.property.name),
  );
  const isCut =
    maxErrors === undefined && [...answers.values()].some(({ verdict }) => verdict === "violated");
  for (const [name, { verdict, reasons }] of expected) {
    if (properties && !properties.includes(name)) continue;
    const answer = answers.get(name);
    if (!answer) return `no answer on '${name}'`;
    // The product with the automaton may need more states than the hand-over leaves it.
    const isShort = budget !== undefined && temporal.has(name);
    // Dead variables are reset on some ways to a state only, which may distinguish states that are one in the plain search.
    const isFull = budget?.maxStates !== undefined && report.stats.states >= budget.maxStates;
    const mayBeUnknown = isCut || isShort || isFull || (store === "compact" && verdict === "holds");
    if (answer.verdict === "unknown" && mayBeUnknown) continue;
    if (answer.verdict !== verdict)
      return `'${name}' is ${verdict} by the plain search, ${answer.verdict} here`;
    if (maxErrors !== undefined && answer.reasons.join() !== reasons.join())
      return `'${name}' fails by '${reasons.join("', '")}' in the plain search, by '${answer.reasons.join("', '")}' here`;
  }
  return undefined;
}

const isSmaller = (reduced: CheckReport, plain: CheckReport): boolean =>
  reduced.stats.states < plain.stats.states;

/** Checks one model again and again; it is loaded once. */
class Checker {
  readonly #input: { readonly file: string; readonly text: string };
  readonly #common: CheckOptions;
  readonly #registry: Registry;
  readonly #check: Check;

  constructor({ program, invariants, formula, fairness }: TinyCase, seed: number, check: Check) {
    this.#check = check;
    this.#input = { file: "tiny.pml", text: renderProgram(program) };
    this.#common = {
      invariants,
      ...(formula === undefined ? {} : { ltl: [formula] }),
      fairness,
      budget: { maxStates: MOST_STATES },
    };
    const registry = loadingOnce("promela");
    // Testing conditions at sampled states takes as long as a search of a tiny program.
    this.#registry = seed % 4 === 0 ? registry : sampling(registry, "none");
  }

  /** Differences between the interpreter and generated code on the program and its invariants. */
  async interpreted(): Promise<Difference[]> {
    const { model } = await load(this.#input, this.#common, this.#registry);
    const what = model && differenceBetween(model, MOST_INTERPRETED);
    return what === undefined ? [] : [{ mode: "interpreter", what }];
  }

  /** The report, or the message of an internal error. */
  async run(options: CheckOptions): Promise<CheckReport | string> {
    try {
      return (await this.#check(this.#input, { ...this.#common, ...options }, this.#registry)).report;
    } catch (error) {
      return `internal error: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
