/** Determinisation keeps traces, and an error that a trace may lead to. */
import { expect, test } from "vitest";
import { compare } from "../../src/index.js";
import { ltsJson } from "../../src/languages/aut/json.js";
import { ERROR_NAME, LtsBuilder, type Lts } from "../../src/model/index.js";
import { Random } from "../../src/session/index.js";
import { determinise, whyNotDeterministic } from "../../src/transforms/lts/determinise.js";
import { randomSmall } from "../engines/lts/random-lts.js";

const input = (lts: Lts) => ({ file: "m.aut", text: JSON.stringify(ltsJson(lts)) });

test("the result is deterministic, with the same traces", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const lts = randomSmall(new Random(seed));
    const made = determinise(lts)!;
    expect(whyNotDeterministic(made)).toBeUndefined();
    for (const [first, second] of [
      [lts, made],
      [made, lts],
    ] as const)
      expect(
        (await compare(input(first), input(second), "trace")).comparison?.isRelated,
        `seed ${seed}`,
      ).toBe(true);
  }
});

test("a trace that may lead to the error state does", () => {
  const builder = new LtsBuilder();
  const a = builder.labels.of("a");
  builder.add(0, a, 1);
  builder.add(0, a, 2);
  builder.add(1, a, 1);
  builder.add(2, builder.labels.of(ERROR_NAME), 2);
  const made = determinise(builder.finish(3, [0], 2))!;
  expect([made.states, made.error]).toEqual([2, 1]);
});
