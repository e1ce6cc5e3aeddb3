/**
 * `everySchedule` for Vitest.
 *
 * The body that Vitest receives is a registration key: the test file is bundled again, with the imports of `vitest` and of this
 * module replaced by collectors, and the body of the same name runs in a separate realm for every schedule. A closure of
 * Vitest's realm could not be moved there: promises of one realm do not settle in the other.
 */
import { test, type TestContext } from "vitest";
import { judged } from "./code.js";
import { makeDoor, patienceMs } from "./door.js";
import { explore } from "../session/schedules/explore.js";
import { projectSettings } from "../session/schedules/vite-settings.js";

export type { EverySchedule } from "./door.js";
export * from "./offered.js";

/** A test that runs under every schedule. */
export const everySchedule = makeDoor(({ how, name, body, options, caller }) => {
  const declare = how === "run" ? test : test[how];
  declare(name, { timeout: patienceMs(options) }, async (context) => {
    const { file, names } = placeOf(context);
    const settings = await projectSettings(file);
    const request = {
      file,
      framework: "vitest",
      names,
      body,
      declaredAt: caller.stack,
      ...settings,
    } as const;
    const exploration = await explore(request, options);
    judged(exploration, options);
  });
});

function placeOf({ task }: TestContext): { file: string; names: string[] } {
  const names = [task.name];
  // The outermost suite is the file itself.
  for (let suite = task.suite; suite && suite.name !== "" && !("filepath" in suite); suite = suite.suite)
    names.unshift(suite.name);
  return { file: task.file.filepath, names };
}
