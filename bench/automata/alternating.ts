/**
 * A second translation, to validate the first: through very weak alternating automata (Gastin and Oddoux, CAV 2001). It shares only
 * formulas and their normal form with the first: letters are cubes, a state of the result is a set of states of the alternating
 * automaton, and acceptance is about leaving untils, not about promises.
 */
import { type Automaton, type AutomatonEdge, type Cube, type Formula } from "../../src/model/index.js";
import { normalForm } from "../../src/transforms/ltl/formulas/normal-form.js";
import { AutomatonTooLarge, refuseConditions } from "../../src/transforms/ltl/symbolic.js";

/** Accepts exactly the words that satisfy the formula. Not minimised. */
export function translateByAlternation(
  formula: Formula,
  propositions: readonly string[],
  mostStates = 20_000,
): Automaton {
  const alternating = new Alternating();
  const initial = alternating.add(normalForm(formula));
  const untils = alternating.untils;
  refuseConditions(untils.length);
  const numbers = new Map<string, number>([[`${initial}`, 0]]);
  const sets: number[][] = [[initial]];
  const states: AutomatonEdge[][] = [];
  for (let i = 0; i < sets.length; i++) {
    const moves = alternating.movesOfAll(sets[i]!).map((move) => ({
      ...move,
      marks: untils.reduce(
        (marks, until, c) => (alternating.isLeft(until, move) ? marks | (1 << c) : marks),
        0,
      ),
    }));
    const edges = best(moves).map(({ cube, next, marks }) => {
      const key = next.join(",");
      if (!numbers.has(key)) numbers.set(key, sets.push(next) - 1);
      return { guard: [cube], marks, to: numbers.get(key)! };
    });
    states.push(edges);
    if (sets.length > mostStates)
      throw new AutomatonTooLarge(`the second automaton of the formula has more than ${mostStates} states`);
  }
  return { propositions, conditions: untils.length, initial: 0, states };
}

/** A transition of an alternating state: for these letters, the conjunction of these states, sorted. */
interface Move {
  readonly cube: Cube;
  readonly next: number[];
}

const anything: Cube = { care: 0, value: 0 };

/** States are formulas, numbered in order of discovery. */
class Alternating {
  readonly #formulas: Formula[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #moves: (Move[] | undefined)[] = [];

  /** Registers the formula and its subformulas. */
  add(formula: Formula): number {
    const key = JSON.stringify(formula);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#formulas.push(formula) - 1;
    this.#numbers.set(key, number);
    if ("left" in formula) [formula.left, formula.right].forEach((part) => this.add(part));
    else if ("operand" in formula) this.add(formula.operand);
    return number;
  }

  /** States in which no run may stay forever. */
  get untils(): number[] {
    return [...this.#formulas.keys()].filter((i) =>
      ["until", "eventually"].includes(this.#formulas[i]!.kind),
    );
  }

  movesOfAll(states: readonly number[]): Move[] {
    return states.reduce<Move[]>(
      (moves, state) => both(moves, this.moves(state)),
      [{ cube: anything, next: [] }],
    );
  }

  /** Does the move leave the until, or could the until have ended here without further obligations? */
  isLeft(until: number, { cube, next }: Move): boolean {
    return (
      !next.includes(until) ||
      this.moves(until).some(
        (move) => !move.next.includes(until) && isWithin(cube, move.cube) && isSubset(move.next, next),
      )
    );
  }

  moves(state: number): Move[] {
    return (this.#moves[state] ??= this.#movesOf(this.#formulas[state]!, state));
  }

  #movesOf(formula: Formula, self: number): Move[] {
    const of = (part: Formula): Move[] => this.moves(this.add(part));
    const stay: Move[] = [{ cube: anything, next: [self] }];
    switch (formula.kind) {
      case "true":
        return [{ cube: anything, next: [] }];
      case "false":
        return [];
      case "proposition":
        return [{ cube: { care: 1 << formula.index, value: 1 << formula.index }, next: [] }];
      case "not":
        return of(formula.operand).map(({ cube }) => ({ cube: { care: cube.care, value: 0 }, next: [] }));
      case "next":
        return [{ cube: anything, next: [this.add(formula.operand)] }];
      case "and":
        return both(of(formula.left), of(formula.right));
      case "or":
        return [...of(formula.left), ...of(formula.right)];
      case "eventually":
        return [...of(formula.operand), ...stay];
      case "always":
        return both(of(formula.operand), stay);
      case "until":
        return [...of(formula.right), ...both(of(formula.left), stay)];
      case "release":
        return both(of(formula.right), [...of(formula.left), ...stay]);
      default:
        throw new Error(`not in negation normal form: ${formula.kind}`);
    }
  }
}

function both(left: readonly Move[], right: readonly Move[]): Move[] {
  const moves = left.flatMap((a) =>
    right.flatMap((b) => {
      const common = a.cube.care & b.cube.care;
      if ((a.cube.value & common) !== (b.cube.value & common)) return [];
      const cube = { care: a.cube.care | b.cube.care, value: a.cube.value | b.cube.value };
      return [{ cube, next: [...new Set([...a.next, ...b.next])].sort((p, q) => p - q) }];
    }),
  );
  const distinct = new Map(moves.map((move) => [JSON.stringify(move), move]));
  return [...distinct.values()];
}

/** Removes moves dominated by another: more letters, fewer states, no fewer marks. */
function best<T extends Move & { marks: number }>(moves: readonly T[]): T[] {
  const covers = (a: T, b: T): boolean =>
    isWithin(b.cube, a.cube) && isSubset(a.next, b.next) && (b.marks & ~a.marks) === 0;
  return moves.filter(
    (move, i) => !moves.some((other, j) => i !== j && covers(other, move) && (j < i || !covers(move, other))),
  );
}

const isWithin = (inner: Cube, outer: Cube): boolean =>
  (outer.care & ~inner.care) === 0 && (inner.value & outer.care) === outer.value;

const isSubset = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((state) => b.includes(state));
