/**
 * Conditions are called without a watch, because that takes longer than most of them. When something did not end and the
 * process was ended for it, all is run again with this: slow, but it says which condition it was.
 */
import { Script } from "node:vm";

/** From now on, in the whole process. */
export function limitConditions(timeoutMs: number): void {
  limitMs = timeoutMs;
}

export function patiently<T>(run: () => T): T {
  if (limitMs === undefined) return run();
  const holder = globalThis as unknown as Record<string, unknown>;
  holder[HOLDER] = run;
  try {
    return script.runInThisContext({ timeout: limitMs }) as T;
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`it does not come to an end within ${limitMs / 1000} s`, { cause: error });
  } finally {
    delete holder[HOLDER];
  }
}

let limitMs: number | undefined;

const HOLDER = "everypath condition";
const script = new Script(`globalThis[${JSON.stringify(HOLDER)}]()`);
