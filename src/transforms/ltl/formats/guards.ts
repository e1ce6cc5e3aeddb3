/** Guards as text, in the notations of the formats. */
import type { Cube } from "../../../model/index.js";

export interface Notation {
  readonly true: string;
  readonly false: string;
  readonly and: string;
  readonly or: string;
  /** Does a conjunction within a disjunction need parentheses? */
  readonly hasParentheses: boolean;
  atom(proposition: number): string;
}

export const plainNotation = (names: readonly string[]): Notation => ({
  true: "1",
  false: "0",
  and: " & ",
  or: " | ",
  hasParentheses: false,
  atom: (proposition) => names[proposition] ?? `p${proposition}`,
});

export function renderGuard(guard: readonly Cube[], notation: Notation): string {
  if (guard.length === 0) return notation.false;
  const cubes = guard.map(({ care, value }) => {
    const literals = Array.from({ length: 31 }, (_, i) => i)
      .filter((i) => (care >>> i) & 1)
      .map((i) => `${(value >>> i) & 1 ? "" : "!"}${notation.atom(i)}`);
    if (literals.length === 0) return notation.true;
    const text = literals.join(notation.and);
    return notation.hasParentheses && literals.length > 1 && guard.length > 1 ? `(${text})` : text;
  });
  return cubes.join(notation.or);
}

/** The marks of an edge as a list of condition numbers. */
export const marksOf = (marks: number): number[] =>
  Array.from({ length: 31 }, (_, i) => i).filter((i) => (marks >>> i) & 1);
