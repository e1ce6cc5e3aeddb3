/**
 * Formulas over choice variables: shared and-inverter graphs.
 *
 * A literal is twice its node, plus 1 if it is negated; 0 is false, 1 is true. A node is an input (a choice variable) or the conjunction
 * of two literals. Equal conjunctions are the same node; constants and simple absorptions fold.
 */
import { entryOf, nth } from "../../model/known.js";

export type Lit = number;

export const FALSE: Lit = 0;
export const TRUE: Lit = 1;

/** Marks inputs among the left operands. */
const INPUT = -1;

export class Formulas {
  readonly #left: number[] = [INPUT];
  readonly #right: number[] = [INPUT];
  readonly #known = new Map<number, Lit>();
  #inputs = 0;

  get nodes(): number {
    return this.#left.length;
  }

  get inputs(): number {
    return this.#inputs;
  }

  input(): Lit {
    this.#inputs++;
    this.#right.push(INPUT);
    return 2 * (this.#left.push(INPUT) - 1);
  }

  isInput(lit: Lit): boolean {
    return lit > 1 && this.#left[lit >> 1] === INPUT;
  }

  /** Operands of a conjunction that is not negated; undefined for everything else. */
  operands(lit: Lit): readonly [Lit, Lit] | undefined {
    const left = nth(this.#left, lit >> 1);
    return lit & 1 || left === INPUT ? undefined : [left, nth(this.#right, lit >> 1)];
  }

  and(a: Lit, b: Lit): Lit {
    if (a === FALSE || b === FALSE || a === (b ^ 1)) return FALSE;
    if (a === TRUE || a === b) return b;
    if (b === TRUE) return a;
    const folded = this.#absorbed(a, b) ?? this.#absorbed(b, a);
    if (folded !== undefined) return folded;
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * KEY + high;
    let lit = this.#known.get(key);
    if (lit === undefined) {
      this.#right.push(high);
      lit = 2 * (this.#left.push(low) - 1);
      this.#known.set(key, lit);
    }
    return lit;
  }

  /** `a` and a conjunction or its negation that mentions `a`. */
  #absorbed(a: Lit, b: Lit): Lit | undefined {
    const left = nth(this.#left, b >> 1);
    if (left === INPUT) return undefined;
    const right = nth(this.#right, b >> 1);
    if (b & 1) {
      if (left === a) return this.and(a, right ^ 1);
      if (right === a) return this.and(a, left ^ 1);
      return left === (a ^ 1) || right === (a ^ 1) ? a : undefined;
    }
    if (left === a || right === a) return b;
    return left === (a ^ 1) || right === (a ^ 1) ? FALSE : undefined;
  }

  or(a: Lit, b: Lit): Lit {
    return this.and(a ^ 1, b ^ 1) ^ 1;
  }

  xor(a: Lit, b: Lit): Lit {
    return this.and(this.and(a, b) ^ 1, this.and(a ^ 1, b ^ 1) ^ 1);
  }

  all(lits: readonly Lit[]): Lit {
    return lits.reduce((so, lit) => this.and(so, lit), TRUE);
  }

  /** Conjuncts of a formula, without repetition. */
  conjuncts(lits: readonly Lit[]): Lit[] {
    const found = new Set<Lit>();
    const waiting = [...lits].reverse();
    for (let lit = waiting.pop(); lit !== undefined; lit = waiting.pop()) {
      const operands = this.operands(lit);
      if (operands) waiting.push(operands[1], operands[0]);
      else if (lit !== TRUE) found.add(lit);
    }
    return [...found];
  }

  /** Calls `visit` for each node that the literals depend on, operands first. */
  cone(
    lits: readonly Lit[],
    visit: (node: number, left: Lit, right: Lit) => void,
    seen = new Set<number>(),
  ): void {
    for (const lit of lits) {
      const waiting = [lit >> 1];
      while (waiting.length > 0) {
        const node = waiting.at(-1) as number;
        if (node === 0 || seen.has(node)) {
          waiting.pop();
          continue;
        }
        const [left, right] = [nth(this.#left, node), nth(this.#right, node)];
        const isOpen = (operand: Lit): boolean => operand > 1 && !seen.has(operand >> 1);
        if (left !== INPUT && isOpen(left)) waiting.push(left >> 1);
        if (left !== INPUT && isOpen(right)) waiting.push(right >> 1);
        if (waiting.at(-1) !== node) continue;
        seen.add(node);
        visit(node, left, right);
        waiting.pop();
      }
    }
  }

  /** Nodes of the inputs that the literals mention. */
  support(lits: readonly Lit[]): Set<number> {
    const found = new Set<number>();
    this.cone(lits, (node, left) => {
      if (left === INPUT) found.add(node);
    });
    return found;
  }

  /** Replaces inputs. `found` keeps results for repeated use with one replacement. */
  substitute(lit: Lit, replacement: (input: number) => Lit, found = new Map<number, Lit>()): Lit {
    this.cone(
      [lit],
      (node, left, right) => {
        if (found.has(node)) return;
        const of = (operand: Lit): Lit =>
          operand <= 1 ? operand : entryOf(found, operand >> 1) ^ (operand & 1);
        found.set(node, left === INPUT ? replacement(node) : this.and(of(left), of(right)));
      },
      new Set(found.keys()),
    );
    return lit <= 1 ? lit : entryOf(found, lit >> 1) ^ (lit & 1);
  }

  /** Values of literals for values of inputs. */
  evaluate(lits: readonly Lit[], isTrue: (input: number) => boolean): boolean[] {
    const values = new Map<number, boolean>();
    const of = (lit: Lit): boolean =>
      lit <= 1 ? lit === TRUE : (values.get(lit >> 1) === true) !== ((lit & 1) === 1);
    this.cone(lits, (node, left, right) => {
      values.set(node, left === INPUT ? isTrue(node) : of(left) && of(right));
    });
    return lits.map(of);
  }
}

/** More nodes than fit into memory. */
const KEY = 2 ** 26;
