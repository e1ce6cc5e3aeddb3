/**
 * A test of async code as something that runs once for every plan: a fresh realm, the test file evaluated in it, its body
 * started, then one turn after the other.
 *
 * Read `program.ts` first. `host-program.ts` runs a closure of the host in place, without a realm.
 */
export { ScheduleProgram, type Declared, type ProgramOptions, type Run } from "./program.js";
export { HostProgram } from "./host-program.js";
export { NO_DATA, revivedValue, type DeclaredFile, type DeclaredTest, type Mode } from "../collect/named.js";
export type { ScheduleWorld, ServiceOptions } from "../collect/schedule-world.js";
