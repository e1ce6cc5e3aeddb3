/**
 * Checks the models of `test/fixtures/promela` that a reduction was once wrong about with all reductions, testing their
 * conditions in every state. Prints a line for each violated condition: the model, the reduction, the condition. The argument
 * filters models by prefix. A separate script, so that it can be bundled with a condition undone.
 */
import { checkInput, registry } from "../../../src/session/index.js";
import { BrokenReduction } from "../../../src/session/pipeline/sampling.js";
import { witnesses } from "../../conformance/witnesses.js";
import { testingAll } from "../../session/sampling.js";

const everyReduction = ["slice", "dead", "merge", "por"] as const;
const testing = testingAll(registry);

for (const { name, text, options } of [...witnesses(), ...witnesses("reductions")]) {
  if (!name.startsWith(process.argv[2] ?? "")) continue;
  const asked = { ...options, reductions: everyReduction, maxErrors: Infinity };
  try {
    await checkInput({ file: "m.pml", text }, asked, testing);
  } catch (error) {
    const [first] = (error as Error).message.split("\n");
    console.log(error instanceof BrokenReduction ? `${name}: ${first}` : `${name}: other error: ${first}`);
  }
}
