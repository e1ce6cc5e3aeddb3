/** Deterministic random draws from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2654435761) | 0;
  }

  below(options: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % options;
  }

  /** True with probability 1 / `times`. */
  chance(times: number): boolean {
    return this.below(times) === 0;
  }
}
