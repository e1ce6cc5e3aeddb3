/**
 * A test of async code, run once per plan: creates a realm, evaluates the test file, starts the test, then fires one
 * turn after another.
 *
 * Read `program.ts` first. `host-program.ts` runs a closure of the host without a realm.
 */
export { ScheduleProgram, type Declared, type ProgramOptions, type Run } from "./program.js";
export { HostProgram } from "./host-program.js";
export { revivedValue, type DeclaredFile, type DeclaredTest, type Mode } from "../collect/named.js";
export type { ScheduleWorld, ServiceOptions } from "../collect/schedule-world.js";
