import fc from "fast-check";
import { expect, test } from "vitest";
import { narrate } from "../../src/report/index.js";
import { Random, Simulation } from "../../src/session/index.js";
import { toyModel } from "../report/toy.js";
import { failingChoices } from "../report/toy-report.js";

test("a run that is stepped through is the run that is told", () => {
  const model = toyModel();
  const simulation = new Simulation(model);
  const steps = failingChoices.map((choice) => simulation.take(choice));
  const { narrative } = narrate(model.steps, { choices: failingChoices, loopStart: undefined });
  expect(steps).toEqual(narrative.steps);
  expect(simulation.ending()).toMatchObject({ kind: "failed", fault: "assertion" });
});

test("undo leads back through the same states", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), (seed, length) => {
      const random = new Random(seed);
      const simulation = new Simulation(toyModel({ canFail: false }));
      const seen: string[] = [];
      const look = (): string =>
        JSON.stringify(Array.from({ length: simulation.count }, (_, choice) => simulation.describe(choice)));
      while (simulation.count > 0 && simulation.choices.length < length) {
        seen.push(look());
        simulation.take(random.below(simulation.count));
      }
      while (simulation.undo()) expect(look()).toBe(seen[simulation.choices.length]);
      expect(simulation.choices).toEqual([]);
    }),
  );
});

test("every run of a correct toy ends properly", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = new Random(seed);
      const simulation = new Simulation(toyModel({ canFail: false }));
      while (simulation.count > 0) simulation.take(random.below(simulation.count));
      expect(simulation.ending()).toEqual({ kind: "ended" });
    }),
  );
});

test("a choice that is not there is refused", () => {
  expect(() => new Simulation(toyModel()).take(5)).toThrow(RangeError);
});

test("random numbers are repeated by their seed, stay in range and reach all of it", () => {
  const draw = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 500 }, () => random.below(7));
  };
  expect(draw(3)).toEqual(draw(3));
  expect(draw(3)).not.toEqual(draw(4));
  expect([...new Set(draw(3))].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
