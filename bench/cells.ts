/**
 * The option matrix: `npm run matrix [-- --from N --count N --only TEXT --workers]`.
 *
 * Languages, properties, stores, orders, threads, reductions and fairness in random combinations on every small model of the repository, each
 * compared with one oracle (`test/matrix/cells.ts`). Fails on a difference, and if too few cells were compared.
 */
import { parseArgs } from "node:util";
import { Matrix, models } from "../test/matrix/cells.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    only: { type: "string", default: "" },
    workers: { type: "boolean", default: false },
    "stop-at": { type: "string", default: "100" },
  },
});
const from = Number(values.from);
const count = Number(values.count);
const paths = models().filter((path) => path.includes(values.only));
const matrix = new Matrix({ paths, workers: values.workers });
const tally = { compared: 0, refused: 0, skipped: 0 };
const languages = new Map<string, number>();
let differing = 0;
const line = (): string =>
  `${tally.compared} cells compared, ${tally.refused} refused, ${tally.skipped} of models without an oracle, ${differing} differ; ` +
  [...languages].map(([name, times]) => `${name} ${times}`).join(", ");

for (let seed = from; seed < from + count; seed++) {
  const { kind, language, command, differences } = await matrix.cell(seed);
  tally[kind]++;
  if (kind === "compared") languages.set(language, (languages.get(language) ?? 0) + 1);
  if (differences.length > 0) {
    differing++;
    console.log(`DIFFERS --from ${seed} --count 1: ${command}`);
    for (const difference of differences) console.log(`  ${difference}`);
  }
  if ((seed - from + 1) % 1000 === 0) console.log(`next --from ${seed + 1}: ${line()}`);
  if (differing >= Number(values["stop-at"])) break;
}
console.log(`matrix --from ${from} --count ${count}: ${line()}`);
const isEnough = values.only !== "" || tally.compared >= 0.4 * count;
if (!isEnough) console.log("FAILED: too few cells were compared");
process.exitCode = differing > 0 || !isEnough ? 1 : 0;
