/**
 * Which lines and branches of the user's code were run, over everything that was explored.
 *
 * In: a bundle and its source map. Out: a `CodeCoverage`. Read `points.ts` first (what is counted), then `summary.ts` (points as
 * lines of the user's files). Two ways to measure: `v8.ts` asks V8, which needs its inspector; `counted.ts` writes counters
 * into the script, for the process that may not have an inspector.
 */
export { countedScript } from "./counted.js";
export { pointsOf, type Point } from "./points.js";
export { placesOf, summarize, usersFiles, type CoveredText } from "./summary.js";
export { V8Coverage } from "./v8.js";
