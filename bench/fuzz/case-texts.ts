/** Texts of the cases of a fuzzer: `undone.ts` runs only cases that can show the undone condition. */
import { renderCase, temporalCase } from "../../test/generators/fuzz-ltl.js";
import { symmetricModel } from "../../test/generators/murphi-symmetric.js";
import { randomNet } from "../../test/generators/nets.js";
import { tinyCase, type TinyRequest } from "../../test/generators/promela-tiny.js";
import { renderProgram } from "../../test/generators/promela-tree.js";
import { refusalsOf } from "../../test/transforms/network/compare.js";
import { networkFor } from "../../test/transforms/network/networks.js";
import { sizeOf } from "../../test/matrix/cells.js";
import { makeCase } from "./nodes/case.js";
import { makeProgram } from "./schedules/program.js";

/** `by`: a script of `package.json`, with options. */
export function textOf(by: string, seed: number): string {
  const text = texts[by.split(" ")[0]!];
  if (!text) throw new Error(`the cases of ${by} have no text`);
  return text(seed, by);
}

const texts: Readonly<Record<string, (seed: number, by: string) => string>> = {
  "fuzz:tiny": (seed, by) =>
    tinyText(seed, { hasFormula: by.includes("--ltl"), isForPeer: by.includes("--peer") }),
  "fuzz:ltl": (seed) => renderCase(temporalCase(seed)),
  "fuzz:tiny-murphi": (seed) => symmetricModel(seed),
  "fuzz:nodes": (seed) => JSON.stringify(makeCase(seed)),
  "fuzz:schedules": (seed) => JSON.stringify(makeProgram(seed)),
  matrix: sizeOf,
  "fuzz:nets": (seed) => JSON.stringify(randomNet(seed)),
  "fuzz:sdn": (seed) => refusalsOf(networkFor(seed), seed).join("\n"),
};

function tinyText(seed: number, request: TinyRequest): string {
  const { program, invariants, formula = "", fairness } = tinyCase(seed, request);
  return [renderProgram(program), ...invariants, formula, fairness].join("\n");
}
