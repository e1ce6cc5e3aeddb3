/** Lists the tests of schedules that a file declares, in the process of the code, and selects the tests that its framework would run. */
import {
  revivedValue,
  type Declared,
  type DeclaredFile,
  type DeclaredTest,
} from "../../code/schedule/index.js";
import { converse, startChild } from "../../sandbox/index.js";
import { locked, type ListJob } from "./job.js";
import { limitsOf, type ScheduleOptions } from "./options.js";
import type { Framework, TestFile } from "./test-file.js";

export interface ListedTest {
  readonly names: readonly string[];
  readonly options: ScheduleOptions;
  /** Stack of the declaring call. */
  readonly stack: string;
  /** The framework skips it: by `skip` on the test or an enclosing suite, or by `only` elsewhere. */
  readonly isSkipped: boolean;
}

export interface Problem {
  readonly problem: string;
  readonly stack?: string;
}

export async function listTests(
  { base, script }: TestFile,
  framework: Framework,
): Promise<readonly ListedTest[] | Problem> {
  const limits = limitsOf({});
  const job: ListJob = { kind: "tests", lock: locked, base, script, limits };
  const child = await startChild({ heapMb: limits.memoryMb, permission: { processorSeconds: 60 } });
  const ending = await converse<Declared>(child, job, { hangMs: LOAD_MS, leavesSignals: true });
  if (ending.kind === "broken") throw ending.error;
  if (ending.kind === "hung") return { problem: "the file does not come to its end when it is loaded" };
  if (ending.kind !== "answered")
    return {
      problem: `the process that loaded the file is gone: ${ending.kind === "gone" ? ending.reason : ""}`,
    };
  const { text, isLoading, failure } = ending.answer;
  if (failure) return { problem: failure.message, stack: failure.stack }; // sound: test/session/schedules/check.test.ts
  if (isLoading) return { problem: "the file waits at its top for something that does not come" }; // sound: test/session/schedules/check.test.ts
  const { tests, hasOnly } = JSON.parse(text || '{"tests":[],"hasOnly":false}') as DeclaredFile;
  return tests.map((test) => ({
    names: test.names,
    options: (JSON.parse(test.options, revivedValue) ?? {}) as ScheduleOptions,
    stack: test.stack,
    isSkipped: !isSelected(framework, test, hasOnly),
  }));
}

/** Most files load in less than a hundredth of this. */
const LOAD_MS = 20_000;

/** Vitest and Jest respect `only` in a file; Node's runner does so only with a command-line flag. */
export function isSelected(
  framework: Framework,
  { modes }: Pick<DeclaredTest, "modes">,
  hasOnly: boolean,
): boolean {
  if (modes.some((mode) => mode === "skip" || mode === "todo")) return false; // sound: test/session/schedules/selecting.test.ts
  const heedsOnly = framework === "vitest" || framework === "jest"; // sound: test/session/schedules/selecting.test.ts
  return !heedsOnly || !hasOnly || modes.includes("only"); // sound: test/session/schedules/selecting.test.ts
}
