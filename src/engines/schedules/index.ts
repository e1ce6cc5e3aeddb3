/**
 * Stateless search: code that cannot be put back into a former state is run again from the start for every schedule.
 *
 * In: something that runs a plan (`ScheduleRequest` to `ScheduleRun`). Out: the shortest failing schedule that was
 * found, or how much was explored. Read `search.ts` first, then `frontier.ts` (what is still to be run).
 *
 * Always true: no schedule is run twice, except to see that it runs alike; `exhausted` means that every schedule was
 * run to its end.
 */
export {
  ScheduleSearch,
  type Chance,
  type SearchOptions,
  type SearchResult,
  type Spent,
  type Strategy,
} from "./search.js";
