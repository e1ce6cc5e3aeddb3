/**
 * Random C programs: bounded model checking, governed regions, plain concolic runs and execution-generated tests must find the errors that
 * runs with all inputs show; each error must be seen by gcc's sanitizers with its inputs.
 *
 *     npm run fuzz:c-engines -- --from SEED --count N --native
 */
import { parseArgs } from "node:util";
import { nativeInputs, runNatively } from "../../src/programs/index.js";
import { randomCProgram } from "../../test/generators/c-programs.js";
import { bounded, bruteForce, concolic, errorKeys, paths } from "../../test/engines/programs/engines.js";
import { compiled } from "../../test/engines/programs/programs.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    native: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
  },
});
const from = Number(values.from);
let differing = 0;
let errors = 0;
let open = 0;
let replayed = 0;
for (let seed = from; seed < from + Number(values.count); seed++) {
  const { text, inputs } = randomCProgram(seed);
  if (values.show) console.log(text);
  const module = compiled(text);
  const expected = bruteForce(module, inputs);
  errors += expected.length;
  const results = {
    egt: paths(module),
    bmc: bounded(module),
    llsplat: concolic(module, { seed }),
    concolic: concolic(module, { seed, usesRegions: false }),
  };
  for (const [engine, result] of Object.entries(results)) {
    const found = errorKeys(result);
    if (result.gaps.size > 0) open++;
    const isRight =
      result.gaps.size > 0 ? found.every((key) => expected.includes(key)) : found.join() === expected.join();
    if (isRight) continue;
    differing++;
    console.log(`seed ${seed}: ${engine} finds [${found.join("; ")}], runs show [${expected.join("; ")}]`);
  }
  if (values.native)
    for (const { error, run } of results.bmc.errors) {
      const native = runNatively({
        file: "test.c",
        text,
        defines: [],
        compiler: undefined,
        inputs: nativeInputs(run.inputs),
        expected: error.kind,
      });
      if ("problem" in native || (native.outcome !== "same" && error.kind !== "uninitialised")) {
        differing++;
        console.log(
          `seed ${seed}: natively ${"problem" in native ? native.problem : native.report}, expected ${error.kind}`,
        );
      } else replayed++;
    }
}
console.log(
  `${values.count} programs, ${errors} errors, ${open} answers with gaps, ${replayed} replayed natively: ${differing} differ`,
);
process.exit(differing > 0 ? 1 : 0);
