/**
 * Breadth-first search on a graphics processor, through OpenCL.
 *
 * Read `search.ts` (the host's loop), `kernels.ts` (the text of the kernels around the model's step code), `store.ts` (memory of the device),
 * then `causes.ts` and `paths.ts` (errors, and the way to them).
 *
 * Always true: every state is counted once, regardless of the work item that entered it; figures and traces do not depend on timing.
 */
export {
  searchOnDevice,
  whyNotOnDevice,
  type DeviceResult,
  type DeviceSearchOptions,
  type DeviceSettings,
} from "./search.js";
