/** Exports the sequential program of a task program, for other checkers of C. */
import { isTaskSubject } from "../../model/tasks.js";
import type { Checked } from "../check/check.js";
import type { Exported } from "./net.js";

export async function exportedSequential({ subject }: Pick<Checked, "subject">): Promise<Exported> {
  return isTaskSubject(subject) ? subject.exported() : { why: "it is no task program" };
}
