/** Threads and folders: what they cannot be combined with. */
import type { CheckFlags } from "./check-options.js";
import { scheduleOrders } from "./search-options.js";
import { usageError } from "./usage.js";

/** Nothing that was asked for is left out in silence. */
export function refuseBadResources(
  files: readonly string[],
  flags: CheckFlags,
  argv: readonly string[],
): void {
  refuseBadBounds(flags, argv);
  const asked = [
    ...(flags.workers > 1 ? ["--workers"] : []),
    ...(flags.disk === undefined ? [] : ["--disk"]),
    ...(flags.resume === undefined ? [] : ["--resume"]),
  ];
  if (asked.length > 1)
    throw usageError(
      argv,
      "not-together",
      `${asked[0]} and ${asked[1]} cannot be combined`,
      asked[1],
      flags.disk !== undefined && flags.resume !== undefined
        ? "--resume alone goes on in the folder"
        : "a search on disk is done by one thread",
    );
  for (const option of asked) {
    if (flags.search !== "bfs")
      throw usageError(argv, "not-together", `${option} needs --search bfs`, option, "leave --search out");
    const stores = option === "--workers" ? ["exact", "tree", "compact"] : ["exact"];
    if (flags.store !== "auto" && !stores.includes(flags.store))
      throw usageError(
        argv,
        "not-together",
        `${option} needs the ${stores.join(", ").replace(/, (\w+)$/, " or $1")} store`,
        option,
        `leave --store out, or make it ${stores[0]}`,
      );
    if (option !== "--workers" && files.length > 1)
      throw usageError(
        argv,
        "one-file",
        `${option} is for one model, but ${files.length} are given`,
        option,
        "check them one by one",
      );
  }
}

function refuseBadBounds({ search, bound, runs }: CheckFlags, argv: readonly string[]): void {
  if (bound !== undefined && !(scheduleOrders as readonly string[]).includes(search))
    throw usageError(
      argv,
      "not-together",
      "--bound counts delays, preemptions or orderings",
      "--bound",
      `say --search ${scheduleOrders.join(" or ")}`,
    );
  if (runs !== undefined && search !== "pct")
    throw usageError(argv, "not-together", "--runs needs --search pct", "--runs", "leave it out");
}
