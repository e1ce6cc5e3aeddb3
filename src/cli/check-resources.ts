/** Command-line options that exclude each other. Sessions refuse other combinations themselves (`session/accepting.ts`). */
import type { CheckFlags } from "./check-options.js";
import { scheduleOrders } from "./search-options.js";
import { usageError } from "./usage.js";

/** Refuses every option that would be ignored. */
export function refuseBadResources(
  files: readonly string[],
  flags: CheckFlags,
  argv: readonly string[],
): void {
  const together = (message: string, option: string, hint: string): Error =>
    usageError(argv, "not-together", message, option, hint);
  const { bound, runs, search, disk, resume } = flags;
  if (bound !== undefined && !scheduleOrders.some((order) => order === search))
    throw together(
      "--bound counts delays, preemptions or orderings",
      "--bound",
      `say --search ${scheduleOrders.join(" or ")}`,
    );
  if (runs !== undefined && search !== "pct")
    throw together("--runs needs --search pct", "--runs", "leave it out");
  if (flags.sliceValues !== undefined && flags.slice === undefined)
    throw together("--slice-values needs --slice auto", "--slice-values", "omit it");
  if (flags.netEncoding !== undefined && flags.emitNet === undefined)
    throw together("--net-encoding needs --emit-net", "--net-encoding", "omit it");
  if (disk !== undefined && resume !== undefined)
    throw together(
      "--disk and --resume cannot be combined",
      "--resume",
      "--resume alone goes on in the folder",
    );
  const folder = disk !== undefined ? "--disk" : resume !== undefined ? "--resume" : undefined;
  if (folder !== undefined && files.length > 1)
    throw usageError(
      argv,
      "one-file",
      `${folder} is for one model, but ${files.length} are given`,
      folder,
      "check them one by one",
    );
}
