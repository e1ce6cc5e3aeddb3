/** Random models: 100 compared with Rumur, more with the naive interpreter; `npm run test:differential` runs 1,000. */
import { describe, expect, test } from "vitest";
import { generateMurphi } from "../../generators/murphi.js";
import { describeWithPeers } from "../../peers.js";
import { firstDisagreement } from "./agreement.js";
import { compare } from "./compare.js";
import { fixtures } from "./fixtures.js";
import { optionsFor } from "./random.js";

const perTest = 20;

describeWithPeers("random models against Rumur", ["rumur", "gcc"], () => {
  for (let first = 1; first <= 100; first += perTest)
    test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 300_000 }, async () => {
      for (let seed = first; seed < first + perTest; seed++) {
        const text = generateMurphi(seed);
        const { differences, refused } = await compare("m.m", text, optionsFor(seed), {
          rumur: true,
          obvious: seed % 3 === 0,
        });
        const repeat = `npm run test:differential -- --seed ${seed}`;
        expect(differences, `${repeat}\n${text}`).toEqual([]);
        expect(refused, `${repeat}\n${text}`).toBeUndefined();
      }
    });
});

describe("random models with multisets and unions", () => {
  for (let first = 1; first <= 40; first += perTest)
    test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 300_000 }, async () => {
      for (let seed = first; seed < first + perTest; seed++) {
        const text = generateMurphi(seed, { hasBags: true });
        const { differences } = await compare("m.m", text, optionsFor(seed), { rumur: false, obvious: true });
        expect(differences, `npm run test:differential -- --bags --seed ${seed}\n${text}`).toEqual([]);
      }
    });
});

describe("the generated code and the interpreter agree", () => {
  for (const { name, text, withoutRumur } of fixtures().filter((each) => each.name !== "while-forever.m"))
    test(`${name}${withoutRumur === undefined ? "" : " (not in Rumur)"}`, () =>
      expect(firstDisagreement(text, 300)).toBeUndefined());

  test("random models", () => {
    for (let seed = 200; seed < 240; seed++) {
      const text = generateMurphi(seed, { hasBags: seed % 2 === 0 });
      expect(firstDisagreement(text, 200), `seed ${seed}\n${text}`).toBeUndefined();
    }
  });
});
