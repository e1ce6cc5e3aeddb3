/**
 * Generated code against the interpreter: equal states word for word, equal edges and faults; and against itself with
 * guessed layouts.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generateProgram } from "../generators/promela.js";
import { renderProgram } from "../generators/promela-tree.js";
import { compare } from "./differential.js";

describe("generated code visits what the interpreter visits", () => {
  for (const name of ["m02", "m03", "m04", "m05", "m06", "m07", "m08", "m09", "m11", "m17"])
    test(name, () => {
      const file = `test/fixtures/promela/conformance/${name}.pml`;
      compare(readFileSync(file, "utf8"), file);
    });

  for (const first of [1, 26, 51, 76])
    test(`random programs from ${first} on`, () => {
      let compared = 0;
      for (let seed = first; seed < first + 25; seed++)
        if (compare(renderProgram(generateProgram(seed)), `seed ${seed}`)) compared++;
      expect(compared).toBeGreaterThan(12);
    });
});
