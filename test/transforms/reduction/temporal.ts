/**
 * Small random programs with many opportunities to postpone, merge, reset or omit, and random temporal properties of them,
 * under all kinds of fairness: with every reduction alone and with all of them the verdict equals the full search's.
 */
import { check, type CheckReport } from "../../../src/index.js";
import { Random } from "../../generators/random.js";

export interface TemporalCase {
  readonly text: string;
  /** Absent: a property that the program declares itself. */
  readonly formula?: string;
  readonly property: string;
  readonly fairness: "none" | "weak" | "strong";
}

export function temporalCase(seed: number): TemporalCase {
  const random = new Random(seed);
  const kind = random.pick(["formula", "formula", "formula", "acceptance", "progress"] as const);
  const fairness = random.pick(["none", "none", "weak", "strong"] as const);
  const label = { formula: "", acceptance: "accept", progress: "progress" }[kind];
  // Observations beyond globals and waiting conditions are rare: they switch reductions off.
  const style: Style = { label, hasRendezvous: random.chance(20), hasTimeout: random.chance(15) };
  const processes = Array.from({ length: random.between(2, 3) }, (_, i) => processText(random, i, style));
  const text = [
    "byte g0, g1;",
    "chan q = [2] of { byte };",
    ...(style.hasRendezvous ? ["chan r = [0] of { byte };"] : []),
    ...processes,
  ].join("\n");
  if (kind !== "formula")
    return { text, property: kind === "acceptance" ? "acceptance cycles" : "non-progress cycles", fairness };
  const formula = formulaText(random, random.between(1, 3), random.chance(30));
  return { text, formula, property: formula, fairness };
}

interface Style {
  /** Prefix of some labels; empty: labels mean nothing. */
  readonly label: string;
  readonly hasRendezvous: boolean;
  readonly hasTimeout: boolean;
}

function processText(random: Random, index: number, { label, hasRendezvous, hasTimeout }: Style): string {
  let labels = 0;
  const plain = (): string =>
    random.pick([
      "l = (l + 1) % 3",
      "l = (l + 1) % 3",
      "m = 1 - m",
      "w = l; v = w; w = 0",
      "v = (v + 1) % 4",
      "v = l + m",
      "a[m] = l",
      "a[l % 2] = 1; l = a[m]",
      "l = 2 / (1 + m)",
      "g0 = 1 - g0",
      "g1 = (g1 + 1) % 2",
      "g0 == 1",
      "g1 == l",
      "l != 1",
      "skip",
      "assert(l < 3)",
      'printf("%d", v)',
      "atomic { l = 1; m = 1; l = 2 }",
      "atomic { g0 = 0; m = 1 - m; g1 = m }",
      "d_step { l = 1; g1 = 1 - g1; v = 0 }",
      index === 0 ? "q!l" : index === 1 ? "q?m" : "skip",
      hasRendezvous ? (index === 0 ? "r!l" : "r?l") : "skip",
      hasTimeout ? "timeout" : "l = 0",
    ]);
  const named = (statement: string): string => {
    if (!random.chance(25)) return statement;
    return labels++ === 0 ? `spot: ${statement}` : `${label}x${labels}: ${statement}`;
  };
  const sequence = (): string =>
    Array.from({ length: random.between(1, 4) }, () => named(plain())).join("; ");
  const branches = Array.from({ length: random.between(1, 3) }, () => `:: ${sequence()}`);
  const loop = `do ${branches.join(" ")} ${random.chance(40) ? ":: break" : ""} od`;
  const begin = random.chance(50) ? `${sequence()}; ` : "";
  const rest = sequence();
  const spot = labels === 0 ? "spot: skip; " : "";
  return (
    `active proctype P${index}() { byte l, v, w; bit m; byte a[2]; ${begin}${loop}; ${spot}${rest};` +
    ` ${label}end: skip }`
  );
}

function formulaText(random: Random, depth: number, looksInside: boolean): string {
  if (depth === 0)
    return random.pick([
      "(g0 == 1)",
      "(g1 == 1)",
      "(g0 == g1)",
      "(g0 != 0)",
      "(len(q) > 0)",
      ...(looksInside ? ["(P0@spot)", "(P1@spot)", "(P0:l == 1)", "(P1:v == 1)", "(P1:a[0] == 1)"] : []),
    ]);
  const one = (): string => formulaText(random, depth - 1, looksInside);
  switch (random.between(0, 8)) {
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
    case 6:
      return `(<> ([] ${one()}))`;
    case 7:
      return `([] (${one()} -> (<> ${one()})))`;
    default:
      return `(${one()} && ${one()})`;
  }
}

export const temporalReductions = ["slice", "dead", "merge", "por"] as const;

export type TemporalReduction = (typeof temporalReductions)[number];

export interface TemporalOutcome {
  readonly full: string;
  readonly differences: readonly string[];
  /** Which reductions, each alone, left fewer states. */
  readonly smaller: readonly TemporalReduction[];
}

/**
 * Undefined if the program is too large or does not declare the property. Traces were replayed and judged by the meaning of
 * the property, or the check would have thrown.
 */
export async function compareTemporal({
  text,
  formula,
  property,
  fairness,
}: TemporalCase): Promise<TemporalOutcome | undefined> {
  const run = (reductions: readonly TemporalReduction[]): Promise<CheckReport> =>
    check(
      { file: "random.pml", text },
      {
        ...(formula === undefined ? {} : { ltl: [formula] }),
        properties: [property],
        reductions,
        fairness,
        budget: { maxStates: MOST_STATES },
      },
    );
  const full = await run([]);
  const verdictOf = (report: CheckReport): string | undefined => report.properties[0]?.verdict;
  const expected = verdictOf(full);
  if (expected === undefined || expected === "unknown") return undefined;
  const differences: string[] = [];
  const smaller: TemporalReduction[] = [];
  for (const reductions of [...temporalReductions.map((name) => [name]), temporalReductions]) {
    const reduced = await run(reductions);
    const obtained = verdictOf(reduced);
    if (obtained !== expected)
      differences.push(`${fairness} fairness, ${property}: ${expected}, by ${reductions.join()} ${obtained}`);
    const isSmaller = expected === "holds" && reduced.stats.states < full.stats.states;
    if (isSmaller && reductions.length === 1) smaller.push(reductions[0]!);
  }
  return { full: expected, differences, smaller };
}

const MOST_STATES = 20_000;
