/** Formulas for measurements: the literature's with their negations, and random ones. */
import type { Automaton } from "../../src/model/index.js";
import { parseLtl, translate } from "../../src/transforms/ltl/index.js";
import { dwyerAvruninCorbett, etessamiHolzmann, somenziBloem } from "../../test/transforms/ltl/literature.js";

const collected = [...etessamiHolzmann, ...somenziBloem, ...dwyerAvruninCorbett];

/** 94 formulas and their negations. */
export const HUMAN_FORMULAS: readonly string[] = collected.flatMap((text) => [text, `!(${text})`]);

/** Couvreur's translation without simplifications. */
export function automatonOf(text: string, propositions: readonly string[] = []): Automaton {
  const parsed = parseLtl(text, text, propositions);
  if ("diagnostics" in parsed) throw new Error(`${text}: ${parsed.diagnostics[0].message}`);
  return translate(parsed.formula, parsed.propositions, { exact: true });
}

/** Distinct formulas of five syntax nodes over four propositions, without constants, which would make them smaller formulas. */
export function randomFormulas(random: () => number, count: number): string[] {
  const formulas = new Set<string>();
  while (formulas.size < count) formulas.add(randomFormula(random, 5));
  return [...formulas];
}

function randomFormula(random: () => number, size: number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  if (size === 1) return pick(["a", "b", "c", "d"]);
  const operator = pick(size === 2 ? UNARY : [...UNARY, ...BINARY]);
  if (UNARY.includes(operator)) return `${operator}(${randomFormula(random, size - 1)})`;
  const left = 1 + Math.floor(random() * (size - 2));
  return `(${randomFormula(random, left)}) ${operator} (${randomFormula(random, size - 1 - left)})`;
}

const UNARY = ["!", "F", "G", "X"];
const BINARY = ["<->", "->", "^", "R", "U", "&", "|"];
