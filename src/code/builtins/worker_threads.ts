/** `node:worker_threads`, in the only thread. */
import { MessageChannel, MessagePort } from "./message-channel.js";

export { MessageChannel, MessagePort };
export const isMainThread = true;
export const threadId = 0;
export const parentPort = null;
export const workerData = null;
export const resourceLimits = {};
export default {
  isMainThread,
  threadId,
  parentPort,
  workerData,
  resourceLimits,
  MessageChannel,
  MessagePort,
};
