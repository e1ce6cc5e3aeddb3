import { Numbers, type Numbered } from "../../model/index.js";

/**
 * Multisets of numbered symbols, interned: a bag is a number, 0 is the empty one, and operations on bags are memoised. A
 * state then holds a word for each queue.
 *
 * `limit` is the counter abstraction: counts saturate above it to "any number", from which taking one away leaves any number.
 * Infinity: exact counts.
 *
 * Always true: the elements of a bag are in the order of `compare`, which does not depend on the order of discovery, so that
 * choices made in that order mean the same in every run.
 */
export class Bags {
  readonly #limit: number;
  readonly #compare: (a: number, b: number) => number;
  readonly #bags: Numbered<Bag>;
  readonly #unions = new Pairs();
  readonly #taken = new Pairs();
  readonly #removed = new Pairs();
  readonly #singles: number[] = [];

  constructor(limit: number, compare: (a: number, b: number) => number, numbers = new Numbers()) {
    this.#limit = limit;
    this.#compare = compare;
    this.#bags = numbers.kind(readBag);
    this.#intern([], []);
  }

  get size(): number {
    return this.#bags.things.length;
  }

  symbols(bag: number): readonly number[] {
    return this.#at(bag).symbols;
  }

  /** Beside `symbols`; one more than the limit means any number. */
  counts(bag: number): readonly number[] {
    return this.#at(bag).counts;
  }

  has(bag: number, symbol: number): boolean {
    return this.symbols(bag).includes(symbol);
  }

  #at(bag: number): Bag {
    const found = this.#bags.things[bag];
    if (!found) throw new Error(`there is no bag ${bag}`);
    return found;
  }

  isMany(count: number): boolean {
    return count > this.#limit; // sound: test/compile/network/queues.test.ts
  }

  add(bag: number, symbol: number): number {
    return this.union(bag, this.single(symbol));
  }

  single(symbol: number): number {
    return (this.#singles[symbol] ??= this.#intern([symbol], [1]));
  }

  of(symbols: readonly number[]): number {
    return symbols.reduce((bag, symbol) => this.add(bag, symbol), 0);
  }

  union(bag: number, other: number): number {
    if (other === 0) return bag;
    if (bag === 0) return other;
    return this.#unions.get(bag, other, () => this.#merge(bag, other));
  }

  /** One copy less; of any number, any number is left. */
  take(bag: number, symbol: number): number {
    return this.#taken.get(bag, symbol, () => {
      const { symbols, counts } = this.#at(bag);
      const position = symbols.indexOf(symbol);
      const count = counts[position];
      if (count === undefined) throw new Error("a bag has no such symbol");
      return this.isMany(count) ? bag : this.#withCount(bag, position, count - 1); // sound: test/compile/network/queues.test.ts
    });
  }

  /** Without any copy of it. */
  without(bag: number, symbol: number): number {
    return this.#removed.get(bag, symbol, () => {
      const position = this.symbols(bag).indexOf(symbol);
      return position < 0 ? bag : this.#withCount(bag, position, 0);
    });
  }

  #withCount(bag: number, position: number, count: number): number {
    const symbols = [...this.symbols(bag)];
    const counts = [...this.counts(bag)];
    if (count > 0) counts[position] = count;
    else {
      symbols.splice(position, 1);
      counts.splice(position, 1);
    }
    return this.#intern(symbols, counts);
  }

  #merge(bag: number, other: number): number {
    const sums = new Map<number, number>();
    for (const from of [bag, other]) {
      const { symbols, counts } = this.#at(from);
      symbols.forEach((symbol, i) => sums.set(symbol, (sums.get(symbol) ?? 0) + (counts[i] ?? 0)));
    }
    const ordered = [...sums].sort(([a], [b]) => this.#compare(a, b));
    return this.#intern(
      ordered.map(([symbol]) => symbol),
      ordered.map(([, count]) => count),
    );
  }

  #intern(symbols: readonly number[], exact: readonly number[]): number {
    const counts = exact.map((count) => Math.min(count, this.#limit + 1)); // sound: test/compile/network/queues.test.ts
    const key = symbols.map((symbol, i) => `${symbol}:${counts[i]}`).join();
    return this.#bags.numberOf(key, () => ({ symbols, counts }));
  }
}

interface Bag {
  readonly symbols: readonly number[];
  readonly counts: readonly number[];
}

function readBag(key: string): Bag {
  const members = key === "" ? [] : key.split(",").map((member) => member.split(":").map(Number));
  return {
    symbols: members.map(([symbol = 0]) => symbol),
    counts: members.map(([, count = 0]) => count),
  };
}

/** Memoises an operation on a bag. */
class Pairs {
  readonly #maps: Map<number, number>[] = [];

  get(bag: number, other: number, make: () => number): number {
    const map = (this.#maps[bag] ??= new Map<number, number>());
    const known = map.get(other);
    if (known !== undefined) return known;
    const made = make();
    map.set(other, made);
    return made;
  }
}
