/**
 * Time limits for conditions. By default conditions run without a limit, because the limit costs more than most of
 * them. When the process is killed for an endless loop, the check is repeated with limits: slow, but it identifies the
 * condition.
 */
import type { Script } from "node:vm";
import { isOutOfTime, type Realm } from "../realm/index.js";

/** Sets the limit for the whole thread. */
export function limitConditions(timeoutMs: number): void {
  limitMs = timeoutMs;
}

/** Undefined: unlimited. */
export const conditionLimit = (): number | undefined => limitMs;

/** Evaluates a script that calls user code, with the limit if one is set. */
export function runWithLimit(realm: Realm, script: Script, timeoutMs = limitMs): number | string | undefined {
  if (timeoutMs === undefined) return realm.run(script);
  try {
    return realm.run(script, timeoutMs);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    throw new Error(`it does not terminate within ${timeoutMs / 1000} s`, { cause: error });
  }
}

let limitMs: number | undefined;
