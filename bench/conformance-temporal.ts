/**
 * Spin's verdicts on temporal properties beside ours: `npm run conformance:temporal -- [--only TEXT] [--time SECONDS]`.
 *
 * Every formula, claim, accept and progress label among the examples of Debian's `spin` package and our fixtures, with
 * and without weak fairness. Exit code 1 if a verdict differs.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { examplesFolder, frozenExamples, hasExamples } from "../test/conformance/spin-examples.js";
import {
  compareTemporal,
  renderTemporal,
  type TemporalModel,
  type TemporalRow,
} from "../test/conformance/temporal.js";
import { inRepository } from "../test/repository.js";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    time: { type: "string", default: "60" },
  },
});

if (!hasExamples()) console.warn(`no examples in ${examplesFolder}: comparing our own fixtures only`);
const rows: TemporalRow[] = [];
for (const model of models()) {
  const found = await compareTemporal(model, { timeoutMs: 1000 * Number(values.time), optimise: "-O2" });
  for (const row of found) console.log(renderTemporal([row]).split("\n")[1]);
  rows.push(...found);
}
console.log(`\n${renderTemporal(rows)}`);
process.exitCode = rows.some((row) => row.verdict === "DIFFERS") ? 1 : 0;

function models(): TemporalModel[] {
  const folder = inRepository("test/fixtures/promela/temporal");
  const own = readdirSync(folder).map((name) => ({ name, file: join(folder, name), defines: [] }));
  const examples = hasExamples()
    ? frozenExamples().flatMap((entry) =>
        entry.kind === "model"
          ? [{ name: entry.file, file: join(examplesFolder, entry.file), defines: entry.defines ?? [] }]
          : [],
      )
    : [];
  return [...own, ...examples].filter(({ name }) => name.includes(values.only));
}
