/** Partial order among Murphi rules on random models: the same answers as all states. */
import { expect, test } from "vitest";
import { generateMurphi } from "../generators/murphi.js";
import { compareOnce, compareOrder } from "../languages/murphi/order.js";

test.each(Array.from({ length: 6 }, (_, part) => part))(
  "random models, part %i: the same answers (npm run fuzz:tiny-murphi -- --order has more)",
  async (part) => {
    let [reduced, products] = [0, 0];
    for (let seed = part * 20 + 1; seed <= part * 20 + 20; seed++) {
      const found = await compareOrder(seed);
      expect(found.differences, `seed ${seed}`).toEqual([]);
      if (found.isReduced) reduced++;
      if (found.isProductReduced) products++;
    }
    expect(reduced).toBeGreaterThan(3);
    expect(products).toBeGreaterThan(0);
  },
  120_000,
);

test("models of another generator: the same answers", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const text = generateMurphi(seed, { hasBags: seed % 3 === 0 });
    expect((await compareOnce(text, { budget: { maxStates: 20_000 } })).differences, `seed ${seed}`).toEqual(
      [],
    );
  }
}, 300_000);
