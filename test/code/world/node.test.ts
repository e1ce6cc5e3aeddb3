/** A sample of `npm run fuzz:schedules`: exploration finds every outcome that Node shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { explored, loadUnderTest } from "../../../bench/fuzz/schedules/compare.js";
import { makeProgram } from "../../../bench/fuzz/schedules/program.js";
import { RealWorld, realOutcomes } from "../../../bench/fuzz/schedules/real.js";

const real = new RealWorld();
let compared = 0;

beforeAll(() => real.listen());

afterAll(() => real.close());

const seeds = [132, 137, 141, 1, 2, 3, 4, 5, 6, 7];

test.each(seeds)("program %i", { timeout: 240_000 }, async (seed) => {
  const program = makeProgram(seed);
  const { outcomes, isWhole, failure } = explored(await loadUnderTest(program), program, 600);
  expect(failure).toBeUndefined();
  if (!isWhole) return;
  for (const outcome of (await realOutcomes(real, program, 3)).keys()) {
    compared++;
    expect([...outcomes]).toContain(outcome);
  }
});

test("enough outcomes were compared", () => {
  expect(compared).toBeGreaterThanOrEqual(seeds.length / 2);
});
