/** Position of a call. */
import { fileURLToPath } from "node:url";

export interface Caller {
  readonly file: string;
  /** In the lines of the source, as far as the framework maps stacks to it; raw positions of the loaded code do not. */
  readonly stack: string;
}

export function callerOf(called: (...args: never[]) => unknown): Caller {
  const mapped: { stack?: string } = {};
  Error.captureStackTrace(mapped, called);
  return { stack: String(mapped.stack), file: callerFile(called) };
}

function callerFile(called: (...args: never[]) => unknown): string {
  const prepare = Error.prepareStackTrace;
  const holder: { stack?: NodeJS.CallSite[] } = {};
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    Error.captureStackTrace(holder, called);
    const name = holder.stack?.[0]?.getFileName() ?? "";
    return name.startsWith("file:") ? fileURLToPath(name) : name.replace(/\?.*$/, "");
  } finally {
    Error.prepareStackTrace = prepare;
  }
}
