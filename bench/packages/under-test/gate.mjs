/** Counts concurrent entries, and throws above the limit. */
export class Gate {
  #most;
  inside = 0;
  passed = 0;

  constructor(most) {
    this.#most = most;
  }

  async pass(wait, weight = 1) {
    this.inside += weight;
    if (this.inside > this.#most) throw new Error(`${this.inside} are inside, ${this.#most} may be`);
    try {
      return await wait();
    } finally {
      this.inside -= weight;
      this.passed++;
    }
  }
}

export function check(holds, message) {
  if (!holds) throw new Error(message);
}

/** Outcome of a promise, as text. */
export const outcome = (promise) =>
  promise.then(
    (value) => `fulfilled ${String(value)}`,
    (error) => `rejected ${error?.message ?? error}`,
  );
