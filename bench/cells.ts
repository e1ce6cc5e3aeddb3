/**
 * The option matrix: `npm run matrix [-- --from N --count N --only TEXT --workers]`.
 *
 * Languages, properties, stores, orders, threads, reductions and fairness in random combinations on small models, each compared with
 * one oracle (`test/matrix/cells.ts`). Fails on a difference, and if too few cells were compared, of all or of one value of an axis.
 */
import "./fuzz/throughput.js";
import { parseArgs } from "node:util";
import { seedsOf } from "./arguments.js";
import { Matrix } from "../test/matrix/cells.js";
import { models } from "../test/matrix/models.js";
import { MatrixTally } from "../test/matrix/tally.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    seeds: { type: "string" },
    only: { type: "string", default: "" },
    workers: { type: "boolean", default: false },
    "stop-at": { type: "string", default: "100" },
  },
});
const from = Number(values.from);
const count = Number(values.count);
const matrix = new Matrix({
  paths: models().filter((path) => path.includes(values.only)),
  workers: values.workers,
});
const tally = new MatrixTally();
const started = performance.now();
for (const number of seedsOf(from, count, values.seeds)) {
  const outcome = await matrix.cell(number);
  tally.add(outcome);
  if (outcome.differences.length > 0) {
    console.log(`DIFFERS --from ${number} --count 1: ${outcome.command}`);
    for (const difference of outcome.differences) console.log(`  ${difference}`);
  }
  if ((number - from + 1) % 1000 === 0) console.log(`next --from ${number + 1}: ${tally.line()}`);
  if (tally.differing >= Number(values["stop-at"])) break;
}
matrix.close();
for (const line of tally.lines()) console.log(line);
const shortfalls = values.only === "" ? tally.shortfalls(count) : [];
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`matrix --from ${from} --count ${count}: ${tally.line()}, ${seconds} s`);
for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
process.exitCode = tally.differing > 0 || shortfalls.length > 0 ? 1 : 0;
