/** Depth-first search of one path of 20 million states, with a stack below 4 GiB: `npm run bench:deep -- [--states N]`. */
import { parseArgs } from "node:util";
import { runEverypathOnText } from "../test/peers/everypath.js";

const limitBytes = 4 * 2 ** 30;
const { values } = parseArgs({ options: { states: { type: "string", default: "20000000" } } });

// Two states a round: before the test of the counter, and before its increment.
const rounds = Math.ceil(Number(values.states) / 2);
const counter = `int x;\nactive proctype counter() {\n\tdo\n\t:: x < ${rounds} -> x++\n\t:: else -> break\n\tod\n}\n`;

const outcome = await runEverypathOnText(counter, {
  options: ["--plain", "--search", "dfs"],
  timeoutMs: 600_000,
  measureMemory: true,
});
if (outcome.kind !== "searched") throw new Error(JSON.stringify(outcome));
const { verdict, stats } = outcome.report;
console.log(
  `${verdict}: ${stats.states.toLocaleString("en")} states, depth ${stats.depth.toLocaleString("en")}, ` +
    `${stats.seconds.toFixed(1)} s, ${(outcome.peakBytes / 2 ** 30).toFixed(2)} GiB (target: under 4 GiB)`,
);
const isDeep =
  verdict === "holds" && stats.states >= Number(values.states) && stats.depth >= Number(values.states);
process.exitCode = isDeep && outcome.peakBytes < limitBytes ? 0 : 1;
