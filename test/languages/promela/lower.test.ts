import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadPromela, type LoadedPromela } from "../../../src/languages/promela/index.js";
import { Sources } from "../../../src/model/index.js";
import { renderProgram } from "../../../src/report/program.js";
import { examplesFolder, hasExamples } from "../../conformance/spin-examples.js";
import { describeWithPeers } from "../../peers.js";
import { inRepository } from "../../repository.js";
import { automataOfProgram, automataOfSpin, differences } from "./automata.js";

const fixtures = inRepository("test/fixtures/promela");
const automata = join(fixtures, "automata");
const modelsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".pml"))
    .map((name) => join(folder, name));

function load(file: string, defines: readonly string[] = []): LoadedPromela {
  return loadPromela({
    file,
    text: readFileSync(file, "utf8"),
    defines: defines.map((define) => ({ name: define.split("=")[0]!, value: define.split("=")[1] ?? "1" })),
    readFile: (path) => {
      const found = [path, join(dirname(file), path)].find((candidate) => existsSync(candidate));
      return found === undefined ? undefined : readFileSync(found, "utf8");
    },
    sources: new Sources(),
  });
}

describe("programs", () => {
  for (const file of modelsIn(automata))
    test(`of ${file.slice(automata.length + 1)} are as reviewed`, async () => {
      const { program, diagnostics } = load(file);
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      await expect(renderProgram({ ...program!, name: "" })).toMatchFileSnapshot(
        file.replace(/\.pml$/, ".program.txt"),
      );
    });
});

describeWithPeers("automata are those of Spin's verifier, state by state", ["spin", "gcc"], () => {
  const own = ["automata", "conformance", "temporal"].flatMap((name) => modelsIn(join(fixtures, name)));
  for (const file of own)
    test(`for ${file.slice(fixtures.length + 1)}`, async () => {
      const defines = file.endsWith("petersonN.pml") ? ["N=3"] : [];
      await expectSameAutomata(file, defines);
    });

  if (!hasExamples()) {
    console.warn(
      "SKIPPED: automata of Debian's Spin examples: the package's documentation is not installed here",
    );
    test.skip("for Debian's examples (SKIPPED: not installed)", () => undefined);
    return;
  }
  for (const name of readdirSync(examplesFolder, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".pml") && !rejectedBySpin.includes(name))
      test(`for Debian's ${name}`, () => expectSameAutomata(join(examplesFolder, name), []));
});

/** Formulas only, without processes. */
const rejectedBySpin = ["LTL/patterns.pml"];

async function expectSameAutomata(file: string, defines: readonly string[]): Promise<void> {
  const spin = await automataOfSpin(file, defines);
  if (!spin) throw new Error(`Spin rejects ${file}`);
  const { program, diagnostics } = load(file, defines);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(differences(spin, automataOfProgram(program!))).toEqual([]);
}
