/** Runs test files in a copy of the repository, as often as asked: one process, so that nothing is transformed twice. */
import { Worker } from "node:worker_threads";
import { createVitest } from "vitest/node";
import { runInProcess } from "./in-process.mjs";

// A mutant that never ends cannot hear that whoever asked is gone: another thread looks.
const watch = `setInterval(() => process.ppid === ${process.ppid} || process.kill(${process.pid}, "SIGKILL"), 1000)`;
new Worker(watch, { eval: true }).unref();

/** Of the tests that run in this process. */
let rejection;
process.on("unhandledRejection", (error) => (rejection ??= { error }));

const startVitest = () =>
  createVitest("test", {
    root: process.cwd(),
    watch: false,
    bail: 1,
    reporters: [{}],
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 60_000,
    retry: 0,
  });
let vitest;

async function runHere(tests) {
  rejection = undefined;
  try {
    const passed = await runInProcess(tests);
    if (rejection) throw rejection.error;
    return { kind: passed === 0 ? "broken" : "survived", message: `${passed} tests passed` };
  } catch (error) {
    return { kind: "killed", message: String(error?.stack ?? error) };
  }
}

process.on("message", async ({ tests, changed, isInProcess }) => {
  if (isInProcess) {
    process.send({ ...(await runHere(tests)), residentBytes: process.memoryUsage.rss() });
    return;
  }
  vitest ??= await startVitest();
  for (const file of changed) vitest.invalidateFile(file);
  try {
    const specifications = await vitest.globTestSpecifications(tests);
    const found = specifications.map(({ moduleId }) => moduleId);
    if (!tests.every((test) => found.some((id) => id.endsWith(test)))) {
      process.send({ kind: "broken", message: `not all of ${tests.join(", ")} were found` });
      return;
    }
    vitest.state.filesMap.clear();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
    const passed = testModules.filter((module) => module.ok()).length;
    const ran = testModules.reduce((sum, module) => sum + [...module.children.allTests("passed")].length, 0);
    const isKilled = passed < specifications.length || unhandledErrors.length > 0;
    process.send({
      kind: isKilled ? "killed" : ran === 0 ? "broken" : "survived",
      message: `${ran} tests passed`,
    });
  } catch (error) {
    process.send({ kind: "killed", message: String(error) });
  }
});
process.on("disconnect", () => process.exit(0));
process.send({ kind: "ready" });
