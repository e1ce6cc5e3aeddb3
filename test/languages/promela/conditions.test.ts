/** Programs of small models, compared with reviewed texts: fast enough to run for every mutant of the lowering. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources } from "../../../src/model/index.js";
import { renderProgram } from "../../../src/report/program.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/promela/automata");

const programOf = (file: string, text: string): string => {
  const { program } = loadPromela({
    file,
    text,
    defines: [],
    readFile: () => undefined,
    sources: new Sources(),
  });
  return renderProgram({ ...program!, name: "" });
};

for (const name of readdirSync(folder).filter((one) => one.endsWith(".pml")))
  test(name, () => {
    const file = join(folder, name);
    const reviewed = readFileSync(file.replace(/\.pml$/, ".program.txt"), "utf8");
    expect(programOf(file, readFileSync(file, "utf8"))).toBe(reviewed);
  });
