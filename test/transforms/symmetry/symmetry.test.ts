/** Symmetry against brute force: states counted once for each orbit, and the same errors met. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planSymmetry } from "../../../src/transforms/symmetry/index.js";
import { explore, programOf, systemOf } from "../../compile/rules/differential.js";
import { symmetricModel } from "../../generators/murphi-symmetric.js";
import { Orbits } from "./orbits.js";

describe("on random models", () => {
  test("representatives are as many as there are orbits, and every kind of error is met", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const text = symmetricModel(seed);
        const program = programOf(text);
        const { scalarsets } = planSymmetry(program);
        const full = explore(program, systemOf(program), 1500);
        if (scalarsets.length === 0 || !full.isWhole) return;
        const reduced = explore(program, systemOf(program, { scalarsets, form: "canonical" }));
        const orbits = new Orbits(program, scalarsets);
        const kinds = (sites: ReadonlySet<number>): Set<string> =>
          new Set(
            [...sites].map((site) => (program.sites[site]!.fault === "deadlock" ? "deadlock" : "error")),
          );
        expect({
          states: reduced.states.length,
          orbits: new Set(reduced.states.map((s) => orbits.nameOf(s))),
          errors: kinds(reduced.faults),
          broken: reduced.broken,
        }).toEqual({
          states: new Set(full.states.map((s) => orbits.nameOf(s))).size,
          orbits: new Set(full.states.map((s) => orbits.nameOf(s))),
          errors: kinds(full.faults),
          broken: full.broken,
        });
        compared++;
      }),
      { numRuns: 120, seed: 6 },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
