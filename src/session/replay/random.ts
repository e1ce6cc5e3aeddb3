/** Random numbers that a seed repeats on every machine: splitmix32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 up to `n - 1`. */
  below(n: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return Math.floor((((z ^ (z >>> 15)) >>> 0) / 2 ** 32) * n);
  }
}

/** A seed nobody chose; small, so that it can be typed again. */
export const freshSeed = (): number => Math.floor(Math.random() * 1e6);
