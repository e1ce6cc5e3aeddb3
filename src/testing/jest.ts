/** `everySchedule` for Jest. The body that Jest sees is a registration key: see `vitest.ts`. */
import { judged } from "./code.js";
import { makeDoor, patienceMs } from "./door.js";
import { explore } from "../session/schedules/explore.js";

export type { EverySchedule } from "./door.js";
export * from "./offered.js";

/** The part of Jest's globals that is used here. */
interface Jest {
  test: Test & { only: Test; skip: Test };
  expect: { getState(): { testPath?: string; currentTestName?: string } };
}

type Test = (name: string, run: () => Promise<void>, timeoutMs: number) => void;

/** A test that runs under every schedule. */
export const everySchedule = makeDoor(({ how, name, body, options, caller }) => {
  const jest = globalThis as unknown as Jest;
  const declare = how === "run" ? jest.test : jest.test[how];
  const run = async (): Promise<void> => {
    // With the suites that it is in: another of its name may be declared in the realm.
    const { testPath: file = caller.file, currentTestName = name } = jest.expect.getState();
    const names = [currentTestName];
    const request = { file, framework: "jest", names, body, declaredAt: caller.stack } as const;
    judged(await explore(request, options), options);
  };
  declare(name, run, patienceMs(options));
});
