/**
 * Code under test in a process of its own, which may die, hang or be ended without harm to this one.
 *
 * In: a job, as plain data. Out: how it ended, with what was answered. Read `parent.ts` first (the process and its limits), then
 * `conversation.ts` (the watch over it), `child.ts` (the other side) and `../code/isolation` (what is taken away there). The program of
 * that process is `../child.ts`, which knows every kind of job.
 *
 * Always true: a process that is gone, or hangs, is an ending and never an answer.
 */
export type { Parent, Worker } from "./child.js";
export { ask, converse, type Conversation, type Ending } from "./conversation.js";
export { startChild, type Limits, type Permission, type Start } from "./parent.js";
export type { Job } from "./protocol.js";
