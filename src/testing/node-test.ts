/** `everySchedule` for Node's own test runner. The body that the runner sees is a registration key: see `vitest.ts`. */
import { test } from "node:test";
import { callerFile } from "./caller.js";
import { judged, type Body } from "./code.js";
import { explore } from "./explore.js";
import type { ScheduleOptions } from "./options.js";

export { replay, type ScheduleOptions } from "./options.js";
export {
  History,
  NotLinearizable,
  linearize,
  type Operation,
  type SequentialModel,
} from "../model/linearizability.js";
export type { ScheduleWorld, ServiceOptions } from "../code/schedule/index.js";

/** A test that runs under every schedule of what it waits for. */
export function everySchedule(name: string, body: Body, options: ScheduleOptions = {}): void {
  const file = callerFile(everySchedule);
  void test(name, async () => {
    // The runner of Node 20 does not tell a test which suites it is in: the name alone must do.
    const exploration = await explore({ file, framework: "node-test", names: [name], body }, options);
    judged(exploration, options);
  });
}
