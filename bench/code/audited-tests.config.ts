/** The tests of captured nodes, with an audit of every capture (run by `audited-tests.ts`). */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/code/{heap,system,covering}/**/*.test.ts"],
    setupFiles: ["bench/code/audited-tests.setup.ts"],
    // Every heap is captured twice.
    testTimeout: 300_000,
    maxWorkers: 1,
  },
});
