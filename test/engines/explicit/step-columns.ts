/**
 * One random program, searched in many ways as JavaScript and as WebAssembly (`npm run fuzz:step`).
 *
 * Two cells of order, store and reduction, for one seed in ten all eight, are searched by both codes, from the first state
 * on. Searches that visit everything agree with each other, in every cell. One cell is repeated with hashes of eight bits, or
 * with a memory that WebAssembly outgrows at some point; some programs with lossy stores, and with two threads.
 */
import type { SearchOptions, SearchResult, WorkerSource } from "../../../src/engines/explicit/index.js";
import type { Crew } from "../../../src/engines/explicit/parallel/crew.js";
import type { Sizes } from "../../../src/engines/explicit/parallel/protocol.js";
import { searchInParallel } from "../../../src/engines/explicit/parallel/search.js";
import { LayoutExceeded, type Model } from "../../../src/model/index.js";
import { renderProgram, type Program } from "../../generators/promela-tree.js";
import type { StepCase } from "../../generators/promela-step.js";
import { Random } from "../../generators/random.js";
import {
  differenceOf,
  formOf,
  load,
  optionsOf,
  replayed,
  searchForm,
  type Cell,
  type Form,
  type Limits,
  type Searched,
  type Seen,
} from "./code-comparison.js";

export type StepOutcome =
  | { readonly kind: "refused" }
  | {
      readonly kind: "compared";
      /** Pairs of searches, by column. */
      readonly columns: ReadonlyMap<string, number>;
      readonly asStepCode: number;
      readonly violations: number;
      readonly replayed: number;
      readonly isComplete: boolean;
      readonly differences: readonly string[];
    };

export interface Threads {
  readonly source: WorkerSource;
  readonly crew: Crew;
}

const MOST_STATES = 1200;

export async function compareStep(asked: StepCase, seed: number, threads?: Threads): Promise<StepOutcome> {
  const program = load({ ...asked, name: `seed ${seed}`, text: renderProgram(asked.program) });
  if (!program) return { kind: "refused" };
  const columns = new Columns(seed, threads);
  await columns.compare(program);
  return columns.outcome();
}

/** With sizes at which even a small search comes to all borders. */
const SMALL_SIZES: Sizes = {
  ...{ chunkStates: 16, blockIds: 4, firstTable: 16, firstNodes: 8, nodeBlock: 2, narrow: 2 },
};

class Columns {
  readonly #random: Random;
  readonly #threads: Threads | undefined;
  readonly #limits: Limits;
  readonly #columns = new Map<string, number>();
  readonly #differences: string[] = [];
  /** The first search that visited everything without reduction. */
  #whole: Seen | undefined;
  #asStepCode = 0;
  #violations = 0;
  #replayed = 0;

  constructor(seed: number, threads: Threads | undefined) {
    this.#random = new Random(seed);
    this.#threads = threads;
    this.#limits = { maxStates: MOST_STATES, trialStates: this.#random.pick([1, 40, 40, 1000]) };
  }

  outcome(): StepOutcome {
    return {
      ...{ kind: "compared", columns: this.#columns, asStepCode: this.#asStepCode },
      ...{ violations: this.#violations, replayed: this.#replayed, isComplete: this.#whole !== undefined },
      differences: this.#differences,
    };
  }

  async compare(program: Parameters<typeof formOf>[0]): Promise<void> {
    const random = this.#random;
    const isThorough = random.chance(10);
    const forms = isThorough ? [false, true] : [random.chance(35)];
    for (const isReduced of forms) await this.#compareForm(program, isReduced, isThorough);
  }

  async #compareForm(
    program: Parameters<typeof formOf>[0],
    isReduced: boolean,
    isThorough: boolean,
  ): Promise<void> {
    const random = this.#random;
    const form = await formOf(program, isReduced, this.#limits);
    const from = random.below(CELLS.length);
    const cells = isThorough ? CELLS : [CELLS[from]!, CELLS[(from + random.between(1, 3)) % 4]!];
    for (const [index, { order, store }] of cells.entries()) {
      const cell = { order, store, maxErrors: random.pick([Infinity, Infinity, 1, 2]) };
      const name = `${order} ${store}${form.isReduced ? " por" : ""} errors ${cell.maxErrors}`;
      await this.#attempt(name, () => this.#compareCell(form, cell, name, index === 0));
    }
    if (random.chance(25)) await this.#attempt("lossy", () => this.#compareLossy(form));
    if (this.#threads) await this.#attempt("two threads", () => this.#compareThreads(form, this.#threads!));
  }

  /** An exception is a difference. */
  async #attempt(name: string, compare: () => Promise<void>): Promise<void> {
    try {
      await compare();
    } catch (error) {
      this.#differences.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #compareCell(form: Form, cell: Cell, name: string, isRepeated: boolean): Promise<void> {
    const plain = await searchForm(form, cell, this.#limits, { usesStep: false });
    this.#agrees(form, cell, plain, name);
    const step = await this.#same(name, "codes", plain, form, cell, { usesStep: true });
    this.#violations += step.result.violations.length;
    this.#replayed += replayed(step);
    if (!isRepeated) return;
    const storeSizes = { hashBits: 8, chunkBits: 5 };
    const usesStep = this.#random.chance(70);
    if (this.#random.chance(50))
      return void (await this.#same(name, "eight bits", plain, form, cell, { usesStep, storeSizes }));
    const stepPages = this.#random.between(this.#random.pick([1, 128]), 170);
    const leaving = { usesStep: true, storeSizes: { chunkBits: 6, stepPages } };
    await this.#same(`${name} ${stepPages} pages`, "leaving", plain, form, cell, leaving);
  }

  async #same(
    name: string,
    column: string,
    { seen }: Searched,
    form: Form,
    cell: Cell,
    more: Partial<SearchOptions>,
  ): Promise<Searched> {
    const found = await searchForm(form, cell, this.#limits, more);
    this.#compared(column, found.result);
    this.#tell(`${name}, ${column}${more.usesStep ? " (step)" : ""}`, differenceOf(seen, found.seen));
    return found;
  }

  /** All searches that visit everything, in any order and store, and meet all errors. */
  #agrees({ isReduced }: Form, { maxErrors }: Cell, { seen, result }: Searched, name: string): void {
    if (seen.stop !== undefined || maxErrors !== Infinity) return;
    // A store that cannot reduce visits everything.
    if (isReduced && result.stats.partialOrder) return;
    this.#whole ??= seen;
    this.#tell(`${name}, as other cells`, differenceOf(figures(this.#whole), figures(seen)));
  }

  /** Never more states or errors than exact stores have. */
  async #compareLossy(form: Form): Promise<void> {
    const whole = this.#whole;
    if (!whole || form.isReduced) return;
    const random = this.#random;
    const hashed = { hash: random.pick(["murmur", "h3"] as const), seed: random.below(100) };
    const store = random.pick([
      { kind: "compact", cells: 2003, width: random.pick([8, 16, 60]), ...hashed },
      { kind: "bitstate", bits: random.pick([500, 100_000]), functions: random.between(1, 3), ...hashed },
    ] as const);
    const cell = { order: random.pick(["bfs", "dfs"] as const), store: "flat", maxErrors: Infinity } as const;
    const name = `${cell.order} ${store.kind}`;
    const plain = await searchForm(form, cell, this.#limits, { usesStep: false, store });
    const step = await this.#same(name, "lossy", plain, form, cell, { usesStep: true, store });
    this.#replayed += replayed(step);
    const { states, transitions } = plain.seen;
    if (states > whole.states || transitions > whole.transitions)
      this.#differences.push(`${name}: ${states} states of ${whole.states}, ${transitions} transitions`);
    const known = new Set(whole.violations.map(({ cause }) => JSON.stringify(cause)));
    if (plain.seen.violations.some(({ cause }) => !known.has(JSON.stringify(cause))))
      this.#differences.push(`${name}: an error that exact stores do not meet`);
  }

  async #compareThreads(form: Form, { source, crew }: Threads): Promise<void> {
    const whole = this.#whole;
    if (!whole || form.isReduced) return;
    const store = this.#random.pick(["flat", "tree"] as const);
    const options = optionsOf(form, { order: "bfs", store, maxErrors: Infinity }, this.#limits);
    const given = { ...options, usesStep: true, budget: {} };
    const found = await fitting(form.layouts.next(), (model) =>
      searchInParallel(model, given, source, crew, { sizes: SMALL_SIZES }),
    );
    if (!found) return;
    const { result } = found;
    this.#compared("two threads", result);
    const name = `bfs ${store}, two threads`;
    this.#tell(name, differenceOf(figures(whole), figures(seenOf(result))));
    this.#replayed += replayed({ result, model: found.model, seen: whole });
    const one = await searchForm(
      form,
      { order: "bfs", store: "flat", maxErrors: Infinity },
      this.#limits,
      {},
    );
    this.#tell(name, differenceOf(lengths(one.result), lengths(result)));
  }

  #compared(column: string, { stats }: SearchResult): void {
    this.#columns.set(column, (this.#columns.get(column) ?? 0) + 1);
    if (stats.backend === "webassembly") this.#asStepCode++;
  }

  #tell(name: string, difference: string | undefined): void {
    if (difference !== undefined) this.#differences.push(`${name}: ${difference}`);
  }
}

const CELLS = (["bfs", "dfs"] as const).flatMap((order) =>
  (["flat", "tree"] as const).map((store) => ({ order, store })),
);

function figures({ states, transitions, stop, violations }: Seen): Seen {
  const errors = violations.map(({ cause, occurrences }) => ({ cause, occurrences, path: 0 }));
  const key = (error: (typeof errors)[number]): string => JSON.stringify(error.cause);
  return { states, transitions, stop, violations: errors.sort((a, b) => (key(a) < key(b) ? -1 : 1)) };
}

const seenOf = ({ stats, stop, violations }: SearchResult): Seen => ({
  ...{ states: stats.states, transitions: stats.transitions, stop },
  violations: violations.map(({ cause, occurrences }) => ({ cause, occurrences, path: 0 })),
});

/** Breadth-first: the depth, and how long each shortest way is. */
function lengths({ stats, violations }: SearchResult): Seen {
  const ways = violations.map(({ cause, path }) => ({ cause, occurrences: 0, path: path.length }));
  const key = (way: (typeof ways)[number]): string => JSON.stringify(way.cause);
  return {
    ...{ states: stats.depth, transitions: stats.matched, stop: undefined },
    violations: ways.sort((a, b) => (key(a) < key(b) ? -1 : 1)),
  };
}

/** The differing case made small. */
export const smallerCases = function* (
  asked: StepCase,
  smaller: (program: Program) => Iterable<Program>,
): Generator<StepCase> {
  if (asked.invariants.length > 0) yield { ...asked, invariants: [] };
  for (const program of smaller(asked.program)) yield { ...asked, program };
};

/** Searches again where a state does not fit the layout, as checks do. */
async function fitting<T>(model: Model, searchBy: (model: Model) => Promise<T>): Promise<T> {
  try {
    return await searchBy(model);
  } catch (error) {
    if (!(error instanceof LayoutExceeded)) throw error;
    return fitting(error.retry(), searchBy);
  }
}
