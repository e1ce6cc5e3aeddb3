/** The file in which a function was called. */
import { fileURLToPath } from "node:url";

export function callerFile(called: (...args: never[]) => unknown): string {
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
