/** Requests to run one execution again. */
import type { PrintedRun } from "../chi/trail.js";
import type { States } from "./itf.js";
import type { TraceFile } from "./trace-file.js";
import type { Trail } from "./trail.js";

export type ReplayRequest =
  | {
      readonly schedule: string;
      /** Recorded outcome; without it, any error counts. */
      readonly expected?: TraceFile;
      /** The test to which the schedule belongs, if the file has several. */
      readonly property?: string;
      /** Also natively, under sanitizers: C programs. */
      readonly isNative?: boolean;
    }
  | { readonly trail: Trail }
  /** States without steps, as Apalache and Quint write them. */
  | { readonly states: States }
  /** Steps of Promela that was generated from another language, as Spin prints them. */
  | { readonly printed: PrintedRun };
