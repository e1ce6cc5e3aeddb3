/** The world of this realm, for the modules that stand in for Node's own. */
import type { World } from "./world.js";

export const worldKey = Symbol.for("everypath.world");

export const world = (globalThis as unknown as Record<symbol, World>)[worldKey]!;
