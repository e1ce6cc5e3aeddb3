/**
 * Draws the options of a cell: values for every option that the language accepts, and their names on the tallied axes. Contradictory
 * combinations are rare: `test/session/option-table.test.ts` tests their refusal.
 */
import { EMPTINESS_ALGORITHMS } from "../../src/engines/explicit/emptiness/index.js";
import type { Property, StoreName } from "../../src/model/index.js";
import { temporalKinds } from "../../src/session/accepting.js";
import { registry, type CheckOptions, type Random, type SearchOrder } from "../../src/session/index.js";

/** A folder for a search on disk; `threads`: two threads are possible; `isLarge`: the model has more states than a chunk of a store. */
export interface Means {
  readonly directory: string;
  readonly threads: boolean;
  readonly isLarge: boolean;
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)]!;
export const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

const acceptsOf = (language: string): (typeof registry.languages)[number]["accepts"] =>
  registry.languages.find(({ name }) => name === language)!.accepts;

/** Options that belong to the question, and therefore also to the oracle. */
export function drawnQuestion(random: Random, language: string): CheckOptions {
  const { kinds } = acceptsOf(language);
  const fairness = pick(random, ["none", "none", "none", "weak", "strong"] as const);
  const deadlock = pick(random, [undefined, "stuttering", "stuck", "off"] as const);
  // Properties of nets are restricted to kinds that every procedure decides.
  const isTemporal = kinds.some((kind) => temporalKinds.includes(kind)) && !kinds.includes("coverability");
  return {
    ...(fairness !== "none" && isTemporal ? { fairness } : {}),
    // Every cell meets a loop that does not terminate.
    ...(language === "murphi" ? { loopLimit: 500, ...(deadlock ? { deadlock } : {}) } : {}),
  };
}

/** Draws each option; defaults are the most frequent. */
export function drawnOptions(
  random: Random,
  language: string,
  properties: readonly Property[],
  asked: CheckOptions,
  means: Means,
): CheckOptions {
  const { kinds, facets } = acceptsOf(language);
  if (kinds.includes("coverability")) return ofNets(random, language);
  const how = means.isLarge && chance(random, 60) ? { isPlain: true } : drawnReductions(random, language);
  const isTemporal = properties.some(({ kind }) => temporalKinds.includes(kind));
  const hasOwnOrder = isTemporal || properties.some(({ kind }) => kind === "agef");
  const named = chance(random, 10) ? pick(random, properties) : undefined;
  return {
    ...how,
    ...(chance(random, 3) && isWhole(how) && !messages.includes(language)
      ? { disk: { directory: means.directory, resumes: false } }
      : means.threads && facets.threads === true && random.below(200) === 0
        ? { workers: 2, ...storeOf(random, ["exact", "tree", "compact"]) }
        : {
            ...storeOf(random, STORES),
            ...searchOf(random, hasOwnOrder ? ["bfs", "dfs"] : means.isLarge ? LARGE_ORDERS : ORDERS),
          }),
    ...(messages.includes(language) ? {} : errorsOf(random)),
    ...(kinds.includes("deadlock") && named?.kind !== "deadlock" && chance(random, 15)
      ? { checksDeadlock: false }
      : {}),
    ...(isTemporal && (asked.fairness ?? "none") !== "strong" && chance(random, 50)
      ? { emptiness: pick(random, EMPTINESS_ALGORITHMS) }
      : {}),
    ...(language === "murphi" && chance(random, 50)
      ? { symmetry: pick(random, ["exact", "heuristic"] as const) }
      : {}),
    ...(named ? { properties: [named.name] } : {}),
    ...(chance(random, 30) ? { seed: random.below(1000) } : {}),
  };
}

const ORDERS: readonly SearchOrder[] = ["bfs", "bfs", "dfs", "random", "guided"];
/** Orders whose queues have many chunks at once. */
const LARGE_ORDERS: readonly SearchOrder[] = ["bfs", "dfs", "random", "random", "guided", "guided"];

const isWhole = ({ isPlain, reductions }: CheckOptions): boolean => isPlain ?? reductions?.length === 0;

/** Languages that report one error per property. */
export const messages = ["mpp", "webextension"];

/** Finding the shape of a tree takes longer than a search of a tiny model. */
const STORES: readonly StoreName[] = [
  "tree",
  ...(["exact", "delta", "compact", "bitstate"] as const).flatMap((name) => Array<StoreName>(7).fill(name)),
];

const ofNets = (random: Random, language: string): CheckOptions => ({
  ...(chance(random, 20)
    ? {}
    : {
        engine: isBranching(language) ? "eec" : pick(random, ["backward", "eec", "karp-miller", "explicit"]),
      }),
  ...(chance(random, 20) ? { isPlain: true } : {}),
});

/** Some systems of `.bvas` are branching, which one engine accepts. */
const isBranching = (language: string): boolean => language === "rpp" || language === "bvas";

function drawnReductions(random: Random, language: string): CheckOptions {
  const { reductions } = acceptsOf(language);
  const chosen = pick(random, [
    undefined,
    "plain" as const,
    [],
    [pick(random, reductions)],
    reductions,
    reductions.filter(() => chance(random, 50)),
  ]);
  if (chosen === "plain") return { isPlain: true };
  const isCompared = chosen?.length !== 0 && chance(random, 10);
  return {
    ...(chosen ? { reductions: chosen } : chance(random, 50) ? { reducesAtOnce: true } : {}),
    ...(isCompared ? { checksReduction: true } : {}),
  };
}

const searchOf = (random: Random, orders: readonly SearchOrder[]): CheckOptions => ({
  search: pick(random, orders),
});

/** Lossy tables are small: clearing one of the default size takes longer than a search of a tiny model. */
function storeOf(random: Random, stores: readonly StoreName[]): CheckOptions {
  const store = chance(random, 15) ? undefined : pick(random, stores);
  if (store === undefined) return {};
  const isLossy = store === "compact" || store === "bitstate";
  return { store, ...(isLossy ? { storeRequest: { tableBytes: 2 ** 16 } } : {}) };
}

function errorsOf(random: Random): CheckOptions {
  const maxErrors = pick(random, [undefined, 1, 2, Infinity, Infinity]);
  return maxErrors === undefined ? {} : { maxErrors };
}

/** The values of every axis; a long run must compare enough cells of each. */
export const axes: Readonly<Record<string, readonly string[]>> = {
  language: registry.languages.map(({ name }) => name),
  model: ["file", "random"],
  size: ["small", "large"],
  verdict: ["holds", "violated"],
  kind: [...new Set(registry.languages.flatMap(({ accepts }) => accepts.kinds))],
  store: ["auto", "exact", "tree", "delta", "compact", "bitstate", "disk"],
  search: ["bfs", "dfs", "random", "guided"],
  workers: ["1", "2"],
  reduction: [
    "auto",
    "at once",
    "plain",
    "none",
    ...new Set(registry.languages.flatMap(({ accepts }) => accepts.reductions)),
  ],
  "check-reduction": ["no", "yes"],
  symmetry: ["exact", "heuristic"],
  "Murphi's deadlock": ["stuttering", "stuck", "off"],
  deadlock: ["checked", "not checked"],
  errors: ["1", "2", "all"],
  fairness: ["none", "weak", "strong"],
  emptiness: ["auto", ...EMPTINESS_ALGORITHMS],
  engine: ["auto", "backward", "eec", "karp-miller", "explicit"],
  property: ["all", "one"],
};

/** The values of a cell on each applicable axis. */
export function placesOf(
  language: string,
  options: CheckOptions,
  isTemporal: boolean,
): readonly (readonly [axis: string, value: string])[] {
  const { kinds } = acceptsOf(language);
  const isNet = kinds.includes("coverability");
  const { reductions, isPlain, reducesAtOnce, maxErrors = 1, disk } = options;
  const searched: (readonly [string, string])[] = [
    ["store", disk ? "disk" : (options.store ?? "auto")],
    ["search", options.search ?? "bfs"],
    ["workers", `${options.workers ?? 1}`],
    ...(isPlain
      ? ["plain"]
      : reductions?.length
        ? reductions
        : [reductions ? "none" : reducesAtOnce ? "at once" : "auto"]
    ).map((name) => ["reduction", name] as const),
    ["check-reduction", options.checksReduction ? "yes" : "no"],
    ["errors", maxErrors === Infinity ? "all" : `${maxErrors}`],
  ];
  return [
    ["language", language],
    ["property", options.properties ? "one" : "all"],
    ...(isNet ? [["engine", options.engine ?? "auto"] as const] : searched),
    ...(kinds.includes("deadlock")
      ? [["deadlock", options.checksDeadlock === false ? "not checked" : "checked"] as const]
      : []),
    ...(options.symmetry ? [["symmetry", options.symmetry] as const] : []),
    ...(options.deadlock ? [["Murphi's deadlock", options.deadlock] as const] : []),
    ...(isTemporal
      ? ([
          ["fairness", options.fairness ?? "none"],
          ["emptiness", options.emptiness ?? "auto"],
        ] as const)
      : []),
  ];
}
