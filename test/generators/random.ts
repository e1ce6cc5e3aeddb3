/** Deterministic random draws: equal seeds give equal sequences on all platforms. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 up to `bound - 1` (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000) * bound) | 0;
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** One of the alternatives, with probability proportional to its weight. */
  weighted<T>(alternatives: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.below(alternatives.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, make] of alternatives) {
      if (left < weight) return make();
      left -= weight;
    }
    throw new Error("no alternative has a weight");
  }

  /** `low` to `high` items, made in order. */
  list<T>(low: number, high: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.between(low, high) }, (_, index) => make(index));
  }
}
