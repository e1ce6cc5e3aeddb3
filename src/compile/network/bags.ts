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
  readonly #symbols: (readonly number[])[] = [[]];
  readonly #counts: (readonly number[])[] = [[]];
  readonly #byKey = new Map<string, number>([["", 0]]);
  readonly #unions: Map<number, number>[] = [new Map()];
  readonly #taken: Map<number, number>[] = [new Map()];
  readonly #removed: Map<number, number>[] = [new Map()];
  readonly #singles: number[] = [];

  constructor(limit: number, compare: (a: number, b: number) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  get size(): number {
    return this.#symbols.length;
  }

  symbols(bag: number): readonly number[] {
    return this.#symbols[bag]!;
  }

  /** Beside `symbols`; one more than the limit means any number. */
  counts(bag: number): readonly number[] {
    return this.#counts[bag]!;
  }

  has(bag: number, symbol: number): boolean {
    return this.#symbols[bag]!.includes(symbol);
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
    const known = this.#unions[bag]!.get(other);
    if (known !== undefined) return known;
    const union = this.#merge(bag, other);
    this.#unions[bag]!.set(other, union);
    return union;
  }

  /** One copy less; of any number, any number is left. */
  take(bag: number, symbol: number): number {
    const known = this.#taken[bag]!.get(symbol);
    if (known !== undefined) return known;
    const position = this.#symbols[bag]!.indexOf(symbol);
    if (position < 0) throw new Error("a bag has no such symbol");
    const count = this.#counts[bag]![position]!;
    const rest = this.isMany(count) ? bag : this.#withCount(bag, position, count - 1); // sound: test/compile/network/queues.test.ts
    this.#taken[bag]!.set(symbol, rest);
    return rest;
  }

  /** Without any copy of it. */
  without(bag: number, symbol: number): number {
    const known = this.#removed[bag]!.get(symbol);
    if (known !== undefined) return known;
    const position = this.#symbols[bag]!.indexOf(symbol);
    const rest = position < 0 ? bag : this.#withCount(bag, position, 0);
    this.#removed[bag]!.set(symbol, rest);
    return rest;
  }

  #withCount(bag: number, position: number, count: number): number {
    const symbols = [...this.#symbols[bag]!];
    const counts = [...this.#counts[bag]!];
    if (count > 0) counts[position] = count;
    else {
      symbols.splice(position, 1);
      counts.splice(position, 1);
    }
    return this.#intern(symbols, counts);
  }

  #merge(bag: number, other: number): number {
    const counts = new Map<number, number>();
    for (const from of [bag, other])
      this.#symbols[from]!.forEach((symbol, i) =>
        counts.set(symbol, (counts.get(symbol) ?? 0) + this.#counts[from]![i]!),
      );
    const symbols = [...counts.keys()].sort(this.#compare);
    return this.#intern(
      symbols,
      symbols.map((symbol) => counts.get(symbol)!),
    );
  }

  #intern(symbols: readonly number[], exact: readonly number[]): number {
    const counts = exact.map((count) => Math.min(count, this.#limit + 1)); // sound: test/compile/network/queues.test.ts
    const key = symbols.map((symbol, i) => `${symbol}:${counts[i]}`).join();
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const bag = this.#symbols.length;
    this.#byKey.set(key, bag);
    this.#symbols.push(symbols);
    this.#counts.push(counts);
    this.#unions.push(new Map());
    this.#taken.push(new Map());
    this.#removed.push(new Map());
    return bag;
  }
}
