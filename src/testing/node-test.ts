/** `everySchedule` for Node's own test runner. The body that the runner sees is a registration key: see `vitest.ts`. */
import { test } from "node:test";
import { judged } from "./code.js";
import { makeDoor } from "./door.js";
import { explore } from "./explore.js";

export type { EverySchedule } from "./door.js";
export * from "./offered.js";

/** A test that runs under every schedule of what it waits for. */
export const everySchedule = makeDoor(({ how, name, body, options, caller }) => {
  void test(name, { only: how === "only", skip: how === "skip" }, async () => {
    // The runner of Node 20 does not tell a test which suites it is in: the name alone must do.
    const { file, stack: declaredAt } = caller;
    const request = { file, framework: "node-test", names: [name], body, declaredAt } as const;
    judged(await explore(request, options), options);
  });
});
