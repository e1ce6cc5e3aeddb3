/** Multisets of numbers, as sorted lists; bag 0 is empty. */
import { Numbers, type Numbered } from "../../model/index.js";

export class Bags {
  readonly #bags: Numbered<readonly number[]>;

  constructor(numbers = new Numbers()) {
    this.#bags = numbers.kind((key) => (key === "" ? [] : key.split(",").map(Number)));
    this.#numberOf([]);
  }

  members(bag: number): readonly number[] {
    const members = this.#bags.things[bag];
    if (!members) throw new Error(`there is no bag ${bag}`);
    return members;
  }

  /** Each member once, in the caller's order, since numbers depend on the order of discovery. */
  kinds(bag: number, compare: (a: number, b: number) => number): readonly number[] {
    return [...new Set(this.members(bag))].sort(compare);
  }

  with(bag: number, member: number): number {
    return this.#numberOf([...this.members(bag), member].sort((a, b) => a - b));
  }

  without(bag: number, member: number): number {
    const members = this.members(bag);
    return this.#numberOf(members.toSpliced(members.indexOf(member), 1));
  }

  #numberOf(members: readonly number[]): number {
    return this.#bags.numberOf(members.join(), () => members);
  }
}
