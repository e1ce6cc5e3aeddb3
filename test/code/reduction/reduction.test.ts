/**
 * Reduction by races preserves outcomes: random programs end in the same ways under all schedules and under reduction.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explore } from "../../../src/session/schedules/explore.js";
import { inRepository } from "../../repository.js";
import { fileOf, randomPrograms, regressions } from "./random-programs.js";
import { pairsOf, endings, type Pair } from "./endings.js";

const seed = Number(process.env["EVERYPATH_SEED"] ?? 1);
const programs = [...regressions, ...randomPrograms(seed, Number(process.env["EVERYPATH_PROGRAMS"] ?? 25))];
const folder = mkdtempSync(inRepository("test/code/reduction/random-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe(`random programs, seed ${seed}`, () => {
  let make: (name: string) => Pair;
  beforeAll(async () => {
    const file = join(folder, "programs.ts");
    writeFileSync(file, fileOf(programs));
    make = await pairsOf(file);
  }, 240_000);

  test("end in the same ways with and without the schedules that do not race", { timeout: 240_000 }, () => {
    let compared = 0;
    let [all, some] = [0, 0];
    for (const { name, text } of programs) {
      const full = endings(make(name), "all");
      if (!full) continue;
      const reduced = endings(make(name), "races")!;
      expect({ text, seed, ends: reduced.ends }).toEqual({ text, seed, ends: full.ends });
      compared++;
      all += full.schedules;
      some += reduced.schedules;
    }
    expect(compared).toBeGreaterThan(programs.length / 3);
    expect(some).toBeLessThan(all);
  });

  test("and would not, if races were overlooked", { timeout: 240_000 }, () => {
    const isLost = programs.slice(0, 30).some(({ name }) => {
      const full = endings(make(name), "all");
      return full !== undefined && endings(make(name), "none")!.ends.length < full.ends.length;
    });
    expect(isLost).toBe(true);
  });
});

describe("what is said", () => {
  const explored = async (text: string, reduction: "none" | "races"): Promise<string> => {
    const file = join(folder, "said.ts");
    writeFileSync(file, fileOf([{ name: "said", text }]));
    const request = { file, framework: "code", names: ["said"], body: () => {} } as const;
    const { message, verdict } = await explore(request, { reduction });
    return `${verdict}: ${message.replace(/, in [\d.]+ s/, "")}`;
  };
  const independent =
    "await Promise.all([1, 2, 3, 4].map(async (k) => { const own = { k }; await world.pause(); own.k++; }));";

  test("when schedules were left out", { timeout: 240_000 }, async () => {
    expect(await explored(independent, "none")).toBe(
      "holds: Every schedule was run: 24 schedules, up to 4 turns.",
    );
    expect(await explored(independent, "races")).toBe(
      "holds: Every schedule was run or differs from one only in turns that do not race: 1 schedule, up to 4 turns.",
    );
  });

  test("when something cannot be followed", { timeout: 240_000 }, async () => {
    expect(await explored(`const p = new Proxy({}, {}); ${independent}`, "races")).toBe(
      "holds: Every schedule was run: 24 schedules, up to 4 turns.\nThe reduction by races is off: Proxy.",
    );
  });
});
