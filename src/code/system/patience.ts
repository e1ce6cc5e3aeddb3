/**
 * Conditions are called without a watch, because that takes longer than most of them. When something did not end and the
 * process was ended for it, all is run again with this: slow, but it says which condition it was.
 */
import type { Script } from "node:vm";
import { isOutOfTime, type Realm } from "../realm/index.js";

/** From now on, in the whole thread. */
export function limitConditions(timeoutMs: number): void {
  limitMs = timeoutMs;
}

/** Undefined: there is none. */
export const conditionLimit = (): number | undefined => limitMs;

/** Evaluates a script that calls the user's code, under a watch if there is one. */
export function patiently(realm: Realm, script: Script): number | string | undefined {
  if (limitMs === undefined) return realm.run(script);
  try {
    return realm.run(script, limitMs);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    throw new Error(`it does not come to an end within ${limitMs / 1000} s`, { cause: error });
  }
}

let limitMs: number | undefined;
