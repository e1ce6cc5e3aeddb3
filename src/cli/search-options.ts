/** Options for the search order. */
import { Option } from "commander";
import type { CheckOptions, SwitchRequest, SearchOrder } from "../session/index.js";
import { count } from "./values.js";

export const stateOrders = ["bfs", "dfs", "random", "guided"] as const satisfies readonly SearchOrder[];
export const scheduleOrders = [
  "delays",
  "preemptions",
  "pct",
] as const satisfies readonly SwitchRequest["by"][];

export interface SearchFlags {
  readonly search?: SearchOrder | SwitchRequest["by"];
  readonly bound?: number;
  readonly runs?: number;
  /** Set by the command `simulate`. */
  readonly swarm?: SwitchRequest;
}

export const boundOption = (): Option =>
  new Option(
    "--bound <n>",
    "with --search delays or preemptions: their maximum; with pct: the orderings an error may require (3)",
  ).argParser(count("--bound", 0));

export const runsOption = (): Option =>
  new Option("--runs <n>", "with --search pct: make so many runs (1000)").argParser(count("--runs"));

export function searchOptions({
  search,
  bound,
  runs,
  swarm,
}: SearchFlags): Pick<CheckOptions, "search" | "schedules"> {
  if (swarm) return { schedules: swarm };
  if (search === undefined) return {};
  const by = scheduleOrders.find((order) => order === search);
  if (!by) return { search: search as SearchOrder };
  return {
    schedules: { by, ...(bound === undefined ? {} : { bound }), ...(runs === undefined ? {} : { runs }) },
  };
}
