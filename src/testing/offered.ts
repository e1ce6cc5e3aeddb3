/** Exports of every entry point beside `everySchedule`. */
export { replay, type ScheduleOptions } from "./options.js";
export {
  History,
  NotLinearizable,
  linearize,
  type Operation,
  type SequentialModel,
} from "../model/linearizability.js";
export type { ScheduleWorld, ServiceOptions } from "../code/schedule/index.js";
