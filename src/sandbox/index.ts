/**
 * Runs code under test in a separate process, which may die, hang or be ended without harm to this one.
 *
 * In: a job, as plain data. Out: its ending, with the answer if there is one. Read `parent.ts` first (the process and its limits),
 * then `conversation.ts` (supervision), `child.ts` (the other side) and `../code/isolation` (the lock). `../child.ts` is the program
 * of that process and imports every kind of job.
 *
 * Always true: a dead or hanging process is an ending, never an answer.
 */
export type { Parent, Worker } from "./child.js";
export { ask, converse, type Conversation, type Ending } from "./conversation.js";
export { startChild, type Limits, type Permission, type Start } from "./parent.js";
export type { Job } from "./protocol.js";
