/** Requests to run one execution again. */
import type { TraceFile } from "./trace-file.js";
import type { Trail } from "./trail.js";

export type ReplayRequest =
  | {
      readonly schedule: string;
      /** What the trace showed when it was written; without it any error counts. */
      readonly expected?: TraceFile;
      /** Whose schedule it is, where a file has several systems: the test. */
      readonly property?: string;
    }
  | { readonly trail: Trail };
