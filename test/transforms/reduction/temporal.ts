/**
 * Small random programs with much that can be put off, and random formulas without next over their globals: with partial-order
 * reduction the verdict is the same.
 */
import { check, type CheckReport } from "../../../src/index.js";
import { Random } from "../../generators/random.js";

export interface TemporalCase {
  readonly text: string;
  readonly formula: string;
}

export function temporalCase(seed: number): TemporalCase {
  const random = new Random(seed);
  const processes = Array.from({ length: random.between(2, 3) }, (_, i) => processText(random, i));
  return {
    text: `byte g0, g1;\nchan q = [2] of { byte };\n${processes.join("\n")}`,
    formula: formulaText(random, 3),
  };
}

function processText(random: Random, index: number): string {
  const statement = (): string =>
    random.pick([
      "l = (l + 1) % 3",
      "l = (l + 1) % 3",
      "m = 1 - m",
      "g0 = 1 - g0",
      "g1 = (g1 + 1) % 2",
      "g0 == 1",
      "g1 == l",
      "l != 1",
      "skip",
      "atomic { l = 1; m = 1; l = 2 }",
      "atomic { g0 = 0; m = 1 - m }",
      index === 0 ? "q!l" : index === 1 ? "q?m" : "skip",
    ]);
  const sequence = (): string => Array.from({ length: random.between(1, 3) }, statement).join("; ");
  const branches = Array.from({ length: random.between(1, 3) }, () => `:: ${sequence()}`);
  const loop = `do ${branches.join(" ")} ${random.chance(40) ? ":: break" : ""} od`;
  return `active proctype P${index}() { byte l; bit m; ${random.chance(50) ? `${sequence()}; ` : ""}${loop}; ${sequence()} }`;
}

function formulaText(random: Random, depth: number): string {
  if (depth === 0) return random.pick(["(g0 == 1)", "(g1 == 1)", "(g0 == g1)", "(g0 != 0)"]);
  const one = (): string => formulaText(random, depth - 1);
  switch (random.between(0, 6)) {
    case 0:
      return `(<> ${one()})`;
    case 1:
      return `([] ${one()})`;
    case 2:
      return `(! ${one()})`;
    case 3:
      return `(${one()} U ${one()})`;
    case 4:
      return `(${one()} -> ${one()})`;
    case 5:
      return `([] (<> ${one()}))`;
    default:
      return `(${one()} && ${one()})`;
  }
}

export interface TemporalOutcome {
  readonly full: string;
  readonly reduced: string;
  readonly isReduced: boolean;
  readonly isSmaller: boolean;
}

/** Both answers; traces were replayed and judged by the meaning of the formula, or the check would have thrown. */
export async function compareTemporal({ text, formula }: TemporalCase): Promise<TemporalOutcome> {
  const run = (reductions: readonly "por"[]): Promise<CheckReport> =>
    check({ file: "random.pml", text }, { ltl: [formula], properties: [formula], reductions });
  const full = await run([]);
  const reduced = await run(["por"]);
  const verdictOf = (report: CheckReport): string => report.properties[0]!.verdict;
  return {
    full: verdictOf(full),
    reduced: verdictOf(reduced),
    isReduced: reduced.runs[0]!.reductions.includes("por"),
    isSmaller: reduced.stats.states < full.stats.states,
  };
}
