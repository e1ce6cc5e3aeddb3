/** Runs test files in a copy of the repository on request: one process, so that nothing is transformed twice. */
import { Worker } from "node:worker_threads";
import { runInProcess } from "./in-process.mjs";

/** Processor time in milliseconds after which the current run counts as endless; independent of the machine's load. */
const limit = new Float64Array(new SharedArrayBuffer(8)).fill(Infinity);
const processorMs = () => process.cpuUsage().user / 1000;
// An endless mutant blocks its event loop, so another thread watches its time and its parent.
const watch = `
const { workerData: limit } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(${process.pid}, "SIGKILL");
  if (process.cpuUsage().user / 1000 > limit[0]) process.kill(${process.pid}, "SIGXCPU");
}, 200)`;
new Worker(watch, { eval: true, workerData: limit }).unref();

/** Unhandled rejection of tests in this process. */
let rejection;
process.on("unhandledRejection", (error) => (rejection ??= { error }));

const startVitest = async () =>
  (await import("vitest/node")).createVitest("test", {
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

async function runHere(tests, isReversed, limitMs) {
  rejection = undefined;
  const started = processorMs();
  limit[0] = started + (limitMs ?? Infinity);
  const ended = () => ({ processorMs: processorMs() - started, residentBytes: process.memoryUsage.rss() });
  try {
    const passed = await runInProcess(tests, isReversed);
    if (rejection) throw rejection.error;
    return { kind: passed === 0 ? "broken" : "survived", message: `${passed} tests passed`, ...ended() };
  } catch (error) {
    return { kind: "killed", message: String(error?.stack ?? error), ...ended() };
  } finally {
    limit[0] = Infinity;
  }
}

process.on("message", async ({ tests, changed, isInProcess, isReversed, processorLimitMs }) => {
  if (isInProcess) {
    process.send(await runHere(tests, isReversed, processorLimitMs));
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
