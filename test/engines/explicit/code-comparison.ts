/**
 * The same search by JavaScript and by WebAssembly: all results must be the same, and every trace must replay.
 *
 * A program is compiled once with and once without candidates for partial order. `Cell` names one search of it; further
 * columns repeat a cell with hashes of few bits, or with a memory that WebAssembly outgrows, and expect the result of the
 * plain one.
 */
import { compile, type CompiledModel } from "../../../src/compile/index.js";
import {
  search,
  type Proviso,
  type SearchOptions,
  type SearchResult,
} from "../../../src/engines/explicit/index.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { LayoutExceeded, Sources, hasErrors, type Model, type Program } from "../../../src/model/index.js";
import { planReductions } from "../../../src/transforms/reduction/index.js";

export interface Asked {
  readonly name: string;
  readonly text: string;
  readonly invariants?: readonly string[];
}

export interface Cell {
  readonly order: "bfs" | "dfs";
  readonly store: "flat" | "tree";
  readonly maxErrors: number;
}

export interface Limits {
  readonly maxStates: number;
  /** States of the short search that suggests the layout. */
  readonly trialStates: number;
}

/** A program in one of its two forms. */
export interface Form {
  readonly isReduced: boolean;
  readonly model: CompiledModel;
  /** The model in the layout that the states of a short search suggest. */
  readonly layouts: Layouts;
}

export interface Seen {
  readonly states: number;
  readonly transitions: number;
  readonly stop: string | undefined;
  readonly violations: readonly {
    readonly cause: unknown;
    readonly occurrences: number;
    readonly path: unknown;
  }[];
}

export interface Searched {
  readonly seen: Seen;
  readonly result: SearchResult;
  readonly model: Model;
}

/** Undefined: the program is refused. */
export function load({ text, invariants = [] }: Asked): Program | undefined {
  const sources = new Sources();
  const file = "m.pml";
  sources.add(file, text);
  const given = { file, text, sources, readFile: () => undefined, defines: [], invariants };
  const { program, diagnostics } = loadPromela(given);
  return hasErrors(diagnostics) || !program ? undefined : { ...program, temporal: [] };
}

/** Without or with candidates. */
export async function formOf(program: Program, isReduced: boolean, limits: Limits): Promise<Form> {
  const candidacy = isReduced ? candidacyOf(program) : undefined;
  const model = compile(program, new Sources(), { candidacy });
  return { isReduced: candidacy !== undefined, model, layouts: await Layouts.of(model, limits) };
}

export async function searchForm(
  form: Form,
  cell: Cell,
  limits: Limits,
  more: Partial<SearchOptions>,
): Promise<Searched> {
  return searchBy(form.layouts, { ...optionsOf(form, cell, limits), ...more });
}

export function optionsOf(
  { isReduced, model }: Form,
  { order, store, maxErrors }: Cell,
  limits: Limits,
): SearchOptions {
  const proviso: Proviso | undefined = isReduced ? (order === "bfs" ? "queue" : "stack") : undefined;
  return { ...optionsFor(model, limits), order, store, maxErrors, proviso };
}

/** Replays the trace of every violation; throws if one does not show it. */
export const replayed = ({ result, model }: Searched): number =>
  result.violations.filter((violation) => traceTo(violation, model).choices.length >= 0).length;

/** The difference between two searches; undefined: none. */
export function differenceOf(expected: Seen, found: Seen): string | undefined {
  // Each code gives an endless atomic sequence up at a round of its own, with more or fewer states stored before.
  if (expected.stop === "step" && found.stop === "step") return undefined;
  for (const key of Object.keys(expected) as (keyof Seen)[]) {
    const [one, other] = [JSON.stringify(expected[key]), JSON.stringify(found[key])];
    if (one !== other) return `${key}: ${brief(one)} and ${brief(other)}`;
  }
  return undefined;
}

const brief = (text: string | undefined): string =>
  text !== undefined && text.length > 300 ? `${text.slice(0, 300)}…` : `${text}`;

const candidacyOf = (program: Program) =>
  planReductions(program, {
    wanted: ["por"],
    properties: [{ kind: "assertion", name: "assertions", span: undefined }],
    trustsClaims: false,
  }).candidacy;

const optionsFor = (model: Model, { maxStates }: Limits): Omit<SearchOptions, "order"> => ({
  budget: { maxStates },
  control: {},
  maxErrors: 1,
  checksDeadlock: true,
  checksSite: model.sites.map(() => true),
  invariants: model.invariants.map((_, i) => i),
});

/** A model whose layout was exceeded is not used again; one that sufficed is, since compiling takes longer than most searches. */
export class Layouts {
  readonly #compact: () => Model;
  #sufficing: Model | undefined;
  #made = 0;

  static async of(model: CompiledModel, limits: Limits): Promise<Layouts> {
    const budget = { maxStates: limits.trialStates };
    const { store } = await search(model, { ...optionsFor(model, limits), order: "bfs", budget });
    return new Layouts(() => model.compact!((i) => store.numbered(i + 1, store.width), store.count));
  }

  private constructor(compact: () => Model) {
    this.#compact = compact;
  }

  /** The first two are new: either code meets a layout that is exceeded. */
  next(): Model {
    if (this.#made++ < 2) return this.#compact();
    return this.#sufficing ?? this.#compact();
  }

  /** States of a model without step code may have become wider. */
  suffices(model: Model): void {
    if (model.system.step) this.#sufficing = model;
  }
}

/** Repeats in a wider layout whenever one is exceeded. */
async function searchBy(layouts: Layouts, options: SearchOptions): Promise<Searched> {
  let chosen = layouts.next();
  for (;;)
    try {
      // An abandoned search of JavaScript leaves its marks, one of WebAssembly does not.
      chosen.coverage!.reached.fill(0);
      const result = await search(chosen, options);
      layouts.suffices(chosen);
      return { seen: seenBy(result, chosen), result, model: chosen };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
}

function seenBy({ stats, stop, violations }: SearchResult, model: Model): Seen {
  const { states, transitions, depth, matched, peakFrontier, stateBytes, partialOrder } = stats;
  return {
    ...{ states, transitions, depth, matched, peakFrontier, stateBytes, partialOrder, stop },
    violations: violations.map(({ cause, path, occurrences, stuckAt }) => ({
      cause,
      occurrences,
      path: Array.from({ length: path.length }, (_, i) => [...path.state(i)]),
      stuckAt: stuckAt && [...stuckAt],
    })),
    ...{ reached: [...model.coverage!.reached] },
  };
}
