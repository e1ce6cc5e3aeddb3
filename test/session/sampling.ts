/** Every state that a search expands is tested, not some of them. */
import type { Registry } from "../../src/session/index.js";

export const testingAll = (registry: Registry): Registry => ({
  ...registry,
  engines: registry.engines.map((engine) => ({
    ...engine,
    check: (loaded, request) => engine.check(loaded, { ...request, samplesAll: true }),
  })),
});
