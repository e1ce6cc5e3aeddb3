/** `everySchedule` for Jest. The body that Jest sees is a registration key: see `vitest.ts`. */
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

/** The part of Jest's globals that is used here. */
interface Jest {
  test(name: string, run: () => Promise<void>, timeoutMs: number): void;
  expect: { getState(): { testPath?: string } };
}

/** A test that runs under every schedule of what it waits for. */
export function everySchedule(name: string, body: Body, options: ScheduleOptions = {}): void {
  const jest = globalThis as unknown as Jest;
  const caller = callerFile(everySchedule);
  const patienceMs = (options.timeMs ?? 10_000) * 2 + 30_000;
  jest.test(
    name,
    async () => {
      const file = jest.expect.getState().testPath ?? caller;
      judged(await explore({ file, framework: "jest", names: [name], body }, options), options);
    },
    patienceMs,
  );
}
