/** Generated code against the interpreter: equal entries in order, equal observations of states. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { symmetricModel } from "../../generators/murphi-symmetric.js";
import { inRepository } from "../../repository.js";
import { difference, explore, programOf, systemOf } from "./differential.js";

const benchModels = {
  agrawala: { C: "1" },
  filter: { N: "3" },
  german: { N: "2" },
  lock: { N: "3" },
  mesi: { N: "2" },
  philosophers: { N: "4" },
  twophase: { N: "2" },
} as const;

describe("generated code does what the interpreter does", () => {
  for (const [name, defines] of Object.entries(benchModels))
    test(`on ${name}`, () => {
      const text = readFileSync(inRepository(`bench/models/murphi/${name}.m`), "utf8");
      expect(difference(programOf(text, defines), 120)).toBeUndefined();
    });

  test("on random models", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const text = symmetricModel(seed);
        expect(difference(programOf(text), 60), text).toBeUndefined();
      }),
      { numRuns: 100, seed: 33 },
    );
  });

  test("rules with many instances are loops, and the same", () => {
    const text = `const N: 300; type id: 0..N; var a: array [id] of boolean; n: id;
      startstate for i: id do a[i] := false; end; n := 0; end;
      ruleset i: id; j: 0..9 do rule i = n + j & n < 3 ==> begin a[i] := !a[i]; n := n + 1; end; end;
      rule n = 3 ==> begin n := 0; end;`;
    const program = programOf(text);
    expect(systemOf(program).code).toMatch(/for \(x\d+ = 0; x\d+ <= 300/);
    expect(difference(program, 30)).toBeUndefined();
    expect(explore(program, systemOf(program), 200).states.length).toBeGreaterThan(200);
  });
});
