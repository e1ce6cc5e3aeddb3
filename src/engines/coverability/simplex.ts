/**
 * Exact linear programming: the simplex method over fractions of big integers, with Bland's rule against cycling.
 *
 * Accepts only programs for which 0 is feasible.
 */
import { lastOf, nth } from "../../model/known.js";

export interface LinearProgram {
  /** Each row is at most 0 for a nonnegative vector whose components sum to at most 1. */
  readonly rows: readonly (readonly number[])[];
  /** To be maximised. */
  readonly objective: readonly number[];
}

/** The optimal vector, scaled to integers. */
export function maximise({ rows, objective }: LinearProgram, tick: () => void): bigint[] {
  const width = objective.length;
  const table = new Table(
    [...rows.map((row) => [...row, 0]), [...objective.map(() => 1), 1]],
    objective.map((value) => fraction(-value)),
  );
  for (let column = table.entering(); column >= 0; column = table.entering()) {
    tick();
    table.pivot(table.leaving(column), column);
  }
  return wholeNumbers(table.solution(width));
}

interface Fraction {
  readonly above: bigint;
  /** Positive. */
  readonly below: bigint;
}

interface Row {
  cells: Fraction[];
  /** Its basic column. */
  basic: number;
}

/** One row per constraint, with its slack; the last column is the right-hand side. */
class Table {
  readonly #rows: Row[];
  readonly #costs: Fraction[];

  constructor(constraints: readonly (readonly number[])[], costs: readonly Fraction[]) {
    const slacks = constraints.length;
    this.#rows = constraints.map((row, index) => ({
      cells: [
        ...row.slice(0, -1).map(fraction),
        ...Array.from({ length: slacks }, (_, slack) => (slack === index ? one : zero)),
        ...row.slice(-1).map(fraction),
      ],
      basic: costs.length + index,
    }));
    this.#costs = [...costs, ...Array<Fraction>(slacks + 1).fill(zero)];
  }

  /** The first column that increases the objective, or -1. The last cost is the present objective, which is never negative. */
  entering(): number {
    return this.#costs.findIndex((cost) => cost.above < 0n); // sound: test/engines/coverability/parametric.test.ts
  }

  /** The row that limits the column first; exists because the sum of all components is bounded. */
  leaving(column: number): Row {
    let best: Row | undefined;
    let bestRatio = zero;
    for (const row of this.#rows) {
      const cell = nth(row.cells, column);
      if (cell.above <= 0n) continue;
      const ratio = divide(lastOf(row.cells), cell);
      const order = best ? minus(ratio, bestRatio).above : -1;
      // Bland's rule: ties go to the smallest basic column.
      if (order > 0 || (order === 0n && best && row.basic > best.basic)) continue;
      [best, bestRatio] = [row, ratio];
    }
    if (!best) throw new Error("a linear program without a limit");
    return best;
  }

  pivot(at: Row, column: number): void {
    const pivot = nth(at.cells, column);
    const unit = at.cells.map((value) => divide(value, pivot));
    at.cells = unit;
    at.basic = column;
    for (const row of this.#rows) if (row !== at) subtract(row.cells, unit, nth(row.cells, column));
    subtract(this.#costs, unit, nth(this.#costs, column));
  }

  solution(width: number): Fraction[] {
    const values = Array<Fraction>(width).fill(zero);
    for (const { cells, basic } of this.#rows) if (basic < width) values[basic] = lastOf(cells);
    return values;
  }
}

function subtract(row: Fraction[], unit: readonly Fraction[], times: Fraction): void {
  if (times.above === 0n) return;
  for (const [i, value] of unit.entries())
    if (value.above !== 0n) row[i] = minus(nth(row, i), product(value, times));
}

function wholeNumbers(values: readonly Fraction[]): bigint[] {
  const common = values.reduce((all, { below }) => (all / gcd(all, below)) * below, 1n);
  return values.map(({ above, below }) => above * (common / below));
}

const fraction = (value: number): Fraction => ({ above: BigInt(value), below: 1n });
const zero = fraction(0);
const one = fraction(1);

function reduced(above: bigint, below: bigint): Fraction {
  if (above === 0n) return zero;
  const divisor = gcd(above < 0n ? -above : above, below);
  return { above: above / divisor, below: below / divisor };
}

const minus = (a: Fraction, b: Fraction): Fraction =>
  reduced(a.above * b.below - b.above * a.below, a.below * b.below);

const product = (a: Fraction, b: Fraction): Fraction => reduced(a.above * b.above, a.below * b.below);

/** The divisor is positive. */
const divide = (a: Fraction, b: Fraction): Fraction => reduced(a.above * b.below, a.below * b.above);

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
