/** Exports of every door besides `everySchedule`. */
export { replay, type ScheduleOptions } from "../session/schedules/options.js";
export {
  History,
  NotLinearizable,
  linearize,
  type Operation,
  type SequentialModel,
} from "../model/linearizability.js";
export type { ScheduleWorld, ServiceOptions } from "../code/schedule/index.js";
