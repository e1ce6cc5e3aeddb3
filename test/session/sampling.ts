/** The registry with engines that test the conditions of reductions in every expanded state, or in none. */
import type { Registry } from "../../src/session/index.js";

export const testingAll = (registry: Registry): Registry => sampling(registry, "all");

export const sampling = (registry: Registry, sampling: "all" | "none"): Registry => ({
  ...registry,
  engines: registry.engines.map((engine) => ({
    ...engine,
    check: (loaded, request) => engine.check(loaded, { ...request, sampling }),
  })),
});
