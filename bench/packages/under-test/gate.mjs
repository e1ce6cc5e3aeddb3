/** Counts who is inside, and complains when there are too many. */
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

/** How a promise was settled, as text. */
export const outcome = (promise) =>
  promise.then(
    (value) => `fulfilled ${String(value)}`,
    (error) => `rejected ${error?.message ?? error}`,
  );
