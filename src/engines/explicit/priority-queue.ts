/** Numbers with priorities, the highest first; of equals the one that came first. A binary heap. */
export class PriorityQueue {
  readonly #items: number[] = [];
  readonly #priorities: number[] = [];
  readonly #arrivals: number[] = [];
  #arrived = 0;

  get size(): number {
    return this.#items.length;
  }

  add(item: number, priority: number): void {
    let at = this.#items.length;
    this.#put(at, item, priority, this.#arrived++);
    while (at > 0 && this.#isBefore(at, (at - 1) >> 1)) {
      this.#swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  take(): number | undefined {
    const first = this.#items[0];
    if (first === undefined) return undefined;
    const last = this.#items.length - 1;
    this.#swap(0, last);
    this.#items.pop();
    this.#priorities.pop();
    this.#arrivals.pop();
    for (let at = 0; ;) {
      let best = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < last && this.#isBefore(child, best)) best = child;
      if (best === at) return first;
      this.#swap(at, best);
      at = best;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#priorities[a]! - this.#priorities[b]!;
    return difference > 0 || (difference === 0 && this.#arrivals[a]! < this.#arrivals[b]!);
  }

  #put(at: number, item: number, priority: number, arrival: number): void {
    this.#items[at] = item;
    this.#priorities[at] = priority;
    this.#arrivals[at] = arrival;
  }

  #swap(a: number, b: number): void {
    const [item, priority, arrival] = [this.#items[a]!, this.#priorities[a]!, this.#arrivals[a]!];
    this.#put(a, this.#items[b]!, this.#priorities[b]!, this.#arrivals[b]!);
    this.#put(b, item, priority, arrival);
  }
}
