/** Asks the propositional solver about formulas: their nodes become variables, each defined by its operands. */
import type { MakeSat, Sat } from "../../model/index.js";
import type { Formulas, Lit } from "./formulas.js";
import { FALSE, TRUE } from "./formulas.js";

/** The search was stopped inside the solver. */
export class Stopped extends Error {}

/** Values of inputs that satisfy a question; false for inputs it does not mention. */
export type Model = (input: number) => boolean;

/**
 * Old questions leave definitions behind, through which values are propagated in vain. A new solver begins when there are many times more
 * than the last question needed: defining those again costs less than the propagation.
 */
const MOST_TIMES = 10;
const MOST_SPARE = 2000;

export class Questions {
  readonly #formulas: Formulas;
  readonly #make: MakeSat;
  #sat: Sat;
  #variables = new Map<number, number>();
  #conflicts = 0;
  #lastCone = 0;
  asked = 0;

  constructor(formulas: Formulas, make: MakeSat) {
    this.#formulas = formulas;
    this.#make = make;
    this.#sat = make();
  }

  get conflicts(): number {
    return this.#conflicts + this.#sat.conflicts;
  }

  /** Values that make all literals true; undefined if there are none. */
  model(lits: readonly Lit[]): Model | undefined {
    if (lits.includes(FALSE)) return undefined;
    const wanted = lits.filter((lit) => lit !== TRUE);
    if (wanted.length === 0) return () => false;
    this.asked++;
    if (this.#variables.size > MOST_SPARE + MOST_TIMES * this.#lastCone) this.#renew();
    const cone = this.#define(wanted);
    this.#lastCone = cone.length;
    const answer = this.#sat.solve(
      wanted.map((lit) => this.#literal(lit)),
      cone,
    );
    if (answer === undefined) throw new Stopped();
    if (!answer) return undefined;
    const sat = this.#sat;
    const values = new Map<number, boolean>();
    for (const input of this.#formulas.support(wanted)) {
      const variable = this.#variables.get(input);
      if (variable !== undefined) values.set(input, sat.value(variable));
    }
    return (input) => values.get(input) === true;
  }

  isPossible(lits: readonly Lit[]): boolean {
    return this.model(lits) !== undefined;
  }

  #renew(): void {
    this.#conflicts += this.#sat.conflicts;
    this.#sat = this.#make();
    this.#variables = new Map();
  }

  #literal(lit: Lit): number {
    return 2 * (this.#variables.get(lit >> 1) as number) + (lit & 1);
  }

  /** Defines the nodes of a question, and returns their variables. */
  #define(lits: readonly Lit[]): number[] {
    const cone: number[] = [];
    const sat = this.#sat;
    this.#formulas.cone(lits, (node, left, right) => {
      let variable = this.#variables.get(node);
      if (variable === undefined) {
        variable = sat.newVariable();
        this.#variables.set(node, variable);
        if (left >= 0) {
          const [own, a, b] = [2 * variable, this.#literal(left), this.#literal(right)];
          sat.addClause([own ^ 1, a]);
          sat.addClause([own ^ 1, b]);
          sat.addClause([own, a ^ 1, b ^ 1]);
        }
      }
      cone.push(variable);
    });
    return cone;
  }
}
