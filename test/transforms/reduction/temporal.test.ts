import { describe, expect, test } from "vitest";
import { check } from "../../../src/index.js";
import { compareTemporal, temporalCase } from "./temporal.js";

describe("partial-order reduction of temporal properties", () => {
  test("random programs and formulas: the same verdict", async () => {
    let smaller = 0;
    const verdicts = new Set<string>();
    for (let seed = 1; seed <= 150; seed++) {
      const asked = temporalCase(seed);
      const { full, reduced, isSmaller } = await compareTemporal(asked);
      expect(reduced, `seed ${seed}: ${asked.formula}\n${asked.text}`).toBe(full);
      verdicts.add(full);
      if (isSmaller) smaller++;
    }
    expect(smaller).toBeGreaterThan(10);
    expect(verdicts).toEqual(new Set(["holds", "violated"]));
  });

  /** Alone for ever, the spinner would hide that x is set. */
  const spinner = `byte x;
active proctype Spinner() { byte k; do :: k = 1 - k od }
active proctype Setter() { x = 1 }`;

  test("nobody is put off for ever", async () => {
    const report = await check({ file: "m.pml", text: spinner }, { ltl: ["[] ((x == 0) || <> (x == 0))"] });
    const property = report.properties.find((p) => p.property.kind === "ltl")!;
    expect(property.verdict).toBe("violated");
  });

  test("what the property sees is not put off, and next and fairness forbid it", async () => {
    const used = async (ltl: string, fairness: "none" | "weak" = "none"): Promise<readonly string[]> => {
      const report = await check(
        { file: "m.pml", text: spinner },
        { ltl: [ltl], properties: [ltl], fairness },
      );
      return report.runs[0]!.reductions;
    };
    expect(await used("<> [] (x == 1)")).toEqual(["por"]);
    expect(await used("(<> [] (x == 1)) && X (x == 0)")).toEqual([]);
    expect(await used("<> [] (x == 1)", "weak")).toEqual([]);
  });
});
