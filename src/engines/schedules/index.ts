/**
 * Stateless search: runs code that cannot be restored to a former state from the start for every schedule.
 *
 * In: a runner of plans (`ScheduleRequest` to `ScheduleRun`). Out: the shortest failing schedule found, or the extent
 * of the exploration. Read `search.ts` first, then `frontier.ts`.
 *
 * Invariant: no schedule is run twice, except to check determinism; `exhausted`: every schedule was run to its end.
 */
export {
  ScheduleSearch,
  type Chance,
  type SearchOptions,
  type SearchResult,
  type Spent,
  type Strategy,
} from "./search.js";
