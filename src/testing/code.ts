/**
 * Entry point without a test framework: `exploreSchedules` runs a body under every schedule and returns the
 * result; it does not throw.
 */
import { callerOf } from "./caller.js";
import { coverageText } from "../session/schedules/coverage.js";
import { explore, type Body, type Exploration } from "../session/schedules/explore.js";
import type { ScheduleOptions } from "../session/schedules/options.js";

export type { Body, Exploration };
export * from "./offered.js";

export interface RegisteredTest {
  readonly name: string;
  /** Runs it under every schedule; throws an error with the story of the shortest failing one. */
  run(): Promise<Exploration>;
}

/** Registers a body by its name; realms evaluate the file of the call. */
export function everySchedule(name: string, body: Body, options: ScheduleOptions = {}): RegisteredTest {
  const { file, stack: declaredAt } = callerOf(everySchedule);
  const request = { file, framework: "code", names: [name], body, declaredAt } as const;
  return { name, run: async () => judged(await explore(request, options), options) };
}

/** A failed or undecided exploration becomes an error whose stack is the user's. */
export function judged(exploration: Exploration, options: ScheduleOptions): Exploration {
  if (exploration.coverage) process.stdout.write(`${coverageText(exploration.coverage)}\n`);
  const isEnough = exploration.verdict === "unknown" && exploration.result && options.onSpent === "pass"; // sound: test/testing/conditions.test.ts
  const isStable = !exploration.result?.unstable && !exploration.result?.failing; // sound: test/testing/conditions.test.ts
  // Left behind after a search for a failure, it would prevent later searches of the test.
  if (options.only !== undefined && exploration.verdict === "holds")
    process.stderr.write(`${exploration.message}\n`);
  // Frameworks print nothing for a passing test, and the scope belongs to its verdict.
  else if (exploration.verdict !== "violated" && exploration.scope.length > 0)
    process.stdout.write(`${exploration.scope.join("\n")}\n`);
  if (exploration.verdict === "holds" || (isEnough && isStable)) return exploration; // sound: test/testing/conditions.test.ts
  throw new ScheduleError(exploration);
}

export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
  readonly exploration: Exploration;

  constructor(exploration: Exploration) {
    super(exploration.message);
    this.exploration = exploration;
    const frames = exploration.stack.map((frame) => `    at ${frame}`);
    this.stack = [`${this.name}: ${this.message}`, ...frames].join("\n");
  }
}
