/**
 * Coverage of lines and branches of the user's code, over the whole exploration.
 *
 * In: a bundle and its source map. Out: a `CodeCoverage`. Read `points.ts` first (the counted points), then
 * `summary.ts` (points as lines of the user's files). There are two methods: `v8.ts` uses V8's inspector; `counted.ts`
 * inserts counters into the script, for processes without an inspector.
 */
export { countedScript } from "./counted.js";
export { pointsOf, type Point } from "./points.js";
export { placesOf, summarize, usersFiles, type CoveredText } from "./summary.js";
export { V8Coverage } from "./v8.js";
