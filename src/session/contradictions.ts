/** Options that exclude each other, or that need another one, whatever the language and the engine. */
import type { StoreName } from "../model/index.js";
import type { CheckOptions, StoreRequest } from "./request.js";

/** The problem, and the remedy. */
export function contradictions(options: CheckOptions): (readonly [message: string, hint: string])[] {
  return [
    ...ofThreadsAndDisks(options),
    ...ofReductions(options),
    ...ofSchedules(options),
    ...ofStores(options),
  ];
}

function* ofThreadsAndDisks({
  workers = 1,
  disk,
  search = "bfs",
  schedules,
  store,
}: CheckOptions): Generator<readonly [string, string]> {
  const onDisk = disk && (disk.resumes ? "--resume" : "--disk");
  if (workers > 1 && onDisk)
    yield [`--workers and ${onDisk} cannot be combined`, "a search on disk is done by one thread"];
  const wanted = [...(workers > 1 ? ["--workers"] : []), ...(onDisk ? [onDisk] : [])];
  for (const flag of wanted) {
    // Random runs are made by processes, which need no order.
    if (schedules?.by === "swarm" && flag === "--workers") continue;
    if (search !== "bfs" || schedules) yield [`${flag} needs --search bfs`, "omit --search"];
    const stores: readonly StoreName[] = flag === "--workers" ? ["exact", "tree", "compact"] : ["exact"];
    if (store && !stores.includes(store))
      yield [
        `${flag} needs the ${stores.join(", ").replace(/, (\w+)$/, " or $1")} store`,
        `omit --store, or make it ${stores[0]}`,
      ];
  }
}

function* ofReductions({
  isPlain = false,
  reductions,
  reducesAtOnce = false,
  checksReduction = false,
  disk,
  fairness,
  emptiness = "auto",
}: CheckOptions): Generator<readonly [string, string]> {
  const isReduced = reducesAtOnce || (reductions?.length ?? 0) > 0;
  if (isPlain && isReduced) yield ["--plain and --reduction cannot be combined", "--plain reduces nothing"];
  if (checksReduction && (isPlain || reductions?.length === 0))
    yield ["--check-reduction compares with a reduced search, and nothing is reduced", "omit one of the two"];
  if (disk && (isReduced || checksReduction))
    yield ["a search on disk is not reduced", "omit --reduction and --check-reduction, or --disk"];
  if (fairness === "strong" && emptiness !== "auto")
    yield ["--fairness strong has a separate emptiness check", "omit --emptiness"];
}

function* ofSchedules({
  search,
  schedules,
  slice,
  refines,
}: CheckOptions): Generator<readonly [string, string]> {
  if (refines !== undefined && schedules)
    yield [
      "--refines compares all executions, and this search omits some",
      "omit --search, --runs or --refines",
    ];
  if (search && schedules) yield ["there are two orders to search in", "give one of them"];
  if (schedules?.runs !== undefined && schedules.by !== "pct" && schedules.by !== "swarm")
    yield ["--runs needs --search pct", "omit --runs"];
  if (slice?.moreValuesThan !== undefined && slice.paths !== "auto")
    yield ["--slice-values needs --slice auto", "omit --slice-values"];
}

/** Settings of an unused store have no effect. If probable answers are accepted, `auto` may choose a lossy store and its size. */
function* ofStores({ store, storeRequest = {}, accept }: CheckOptions): Generator<readonly [string, string]> {
  const ofAuto: readonly string[] = accept === "probabilistic" ? ["tableBytes", "hash"] : [];
  for (const [setting, [flag, stores]] of Object.entries(storeSettings)) {
    const value = storeRequest[setting as keyof StoreRequest];
    const isUsed = store === undefined ? ofAuto.includes(setting) : stores.includes(store);
    if (value !== undefined && !isUsed)
      yield [`${flag} needs --store ${stores.join(" or ")}`, `omit ${flag}, or choose the store`];
  }
}

const storeSettings: Readonly<Record<keyof StoreRequest, readonly [string, readonly StoreName[]]>> = {
  tableBytes: ["--table", ["compact", "bitstate"]],
  expectStates: ["--expect-states", ["compact", "bitstate"]],
  hashFunctions: ["--hash-functions", ["bitstate"]],
  hashBits: ["--hash-bits", ["compact"]],
  hash: ["--hash", ["compact", "bitstate"]],
  deltaDistance: ["--delta-distance", ["delta"]],
};
