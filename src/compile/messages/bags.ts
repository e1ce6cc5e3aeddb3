/** Values and bags of them by number, so that a word of a state can stand for any of them. */

/** Equal things have one number; the first thing has 0. */
export class Interned<T> {
  readonly #things: T[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (thing: T) => string;

  constructor(keyOf: (thing: T) => string, first: T) {
    this.#keyOf = keyOf;
    this.numberOf(first);
  }

  numberOf(thing: T): number {
    const key = this.#keyOf(thing);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known; // sound: test/compile/messages/conditions.test.ts
    this.#numbers.set(key, this.#things.length);
    return this.#things.push(thing) - 1;
  }

  at(number: number): T {
    return this.#things[number]!;
  }
}

/** Multisets of numbers, as sorted lists; bag 0 is empty. */
export class Bags {
  readonly #bags = new Interned<readonly number[]>((bag) => bag.join(), []);

  members(bag: number): readonly number[] {
    return this.#bags.at(bag);
  }

  /** Each member once, in the caller's order, since numbers depend on the order of discovery. */
  kinds(bag: number, compare: (a: number, b: number) => number): readonly number[] {
    return [...new Set(this.members(bag))].sort(compare);
  }

  with(bag: number, member: number): number {
    return this.#bags.numberOf([...this.members(bag), member].sort((a, b) => a - b));
  }

  without(bag: number, member: number): number {
    const members = this.members(bag);
    return this.#bags.numberOf(members.toSpliced(members.indexOf(member), 1));
  }
}
