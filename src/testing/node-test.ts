/** `everySchedule` for Node's own test runner. The body that the runner sees is a registration key: see `vitest.ts`. */
import { test } from "node:test";
import { judged } from "./code.js";
import { makeDoor } from "./door.js";
import { explore } from "../session/schedules/explore.js";

export type { EverySchedule } from "./door.js";
export * from "./offered.js";

/** A test that runs under every schedule. */
export const everySchedule = makeDoor(({ how, name, body, options, caller }) => {
  void test(name, { only: how === "only", skip: how === "skip" }, async (context) => {
    // With its suites, if the runner provides them: the realm may declare another test of its name.
    const { fullName = name } = context as { fullName?: string };
    const { file, stack: declaredAt } = caller;
    const request = { file, framework: "node-test", names: [fullName], body, declaredAt } as const;
    judged(await explore(request, options), options);
  });
});
