import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    testTimeout: 240_000,
    // Two cores, and some suites run Spin and Chromium beside us.
    maxWorkers: 2,
  },
});
