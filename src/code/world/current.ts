/** The world of this realm, for the replacements of Node's modules. */
import type { World } from "./world.js";

export const worldKey = Symbol.for("everypath.world");

export const world = (globalThis as unknown as Record<symbol, World>)[worldKey]!;
