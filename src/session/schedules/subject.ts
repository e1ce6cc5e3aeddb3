/** The tests of a file, each a property: the input of the engine `schedules`. */
import type { Property, Subject } from "../../model/index.js";
import type { Narrative } from "../../report/index.js";
import type { Exploration } from "./explore.js";
import type { Replayed } from "./job.js";
import type { ScheduleOptions } from "./options.js";
import type { Watch } from "./run-job.js";

export interface SchedulesSubject extends Subject {
  readonly kind: "schedules";
  readonly tests: readonly Test[];
}

export interface Test {
  readonly property: Property;
  /** As declared in the file. */
  readonly options: ScheduleOptions;
  explore(options: ScheduleOptions, watch?: Watch): Promise<Exploration>;
  narrative(ran: Replayed): Narrative;
}

export const isSchedulesSubject = (subject: Subject | undefined): subject is SchedulesSubject =>
  subject?.kind === "schedules";
