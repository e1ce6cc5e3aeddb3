/** Exports of every door besides `everySchedule`. */
export { replay, type ScheduleOptions } from "../session/schedules/options.js";
export {
  History,
  NotLinearizable,
  linearize,
  type Operation,
  type SequentialModel,
} from "../model/linearizability.js";
export {
  lockModel,
  logModel,
  queueModel,
  registerModel,
  setModel,
  type LockOperation,
  type LogOperation,
  type QueueOperation,
  type RegisterOperation,
  type SetOperation,
} from "../model/sequential-models.js";
export type { ScheduleWorld, ServiceOptions } from "../code/schedule/index.js";
