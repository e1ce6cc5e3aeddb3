/** 140 random programs against Spin; `npm run fuzz:promela` runs more, and minimises differences. */
import { expect, test } from "vitest";
import { compareProgram } from "../generators/fuzz.js";
import { generateProgram } from "../generators/promela.js";
import { renderProgram } from "../generators/promela-tree.js";
import { checkTextHere } from "../peers/everypath.js";
import { describeWithPeers } from "../peers.js";

const programs = 140;
const perTest = 20;

describeWithPeers("random programs against Spin", ["spin", "gcc"], () => {
  for (let first = 1; first <= programs; first += perTest)
    test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 300_000 }, async () => {
      for (let seed = first; seed < first + perTest; seed++) {
        const program = generateProgram(seed);
        const { verdict, notes } = await compareProgram(program, checkTextHere);
        const repeat = `npm run fuzz:promela -- --seed ${seed}`;
        expect(verdict, `${repeat}\n${notes.join("\n")}\n${renderProgram(program)}`).not.toBe("DIFFERS");
      }
    });
});
