/**
 * Realms: `vm` contexts in which a world runs, entered by scripts and read as numbers and strings.
 *
 * Read `realm.ts` first. The code inside is in `../world` and `../builtins`; its text comes from `../bundle`.
 * Always true: no object or function of the host enters a realm.
 */
export { isOutOfTime, Realm, stopWatching, type RealmOptions, type WorldReport } from "./realm.js";
export { collectingRejections, takeRejections } from "./rejections.js";
export { watchingPromises, watchJobs, type PromiseListener } from "./promises.js";
export { Relied, Turn, defaultWorldOptions, type WorldOptions } from "../world/world.js";
