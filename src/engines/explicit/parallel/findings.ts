/**
 * The errors that the workers have seen, merged at the end of each round in an order independent of timing: by the length of
 * the path to them, then by the violation.
 */
import type { Violation } from "../monitor.js";
import type { Expanded } from "./protocol.js";
import type { SharedStore } from "./shared-store.js";

export class Findings {
  readonly #maxErrors: number;
  /** Found before any worker ran. */
  readonly #initial: Violation[] = [];
  /** By violation: the path to it and its length in steps. */
  readonly #known = new Map<string, { readonly violation: Violation; readonly steps: number }>();
  /** The latest count of each worker. */
  readonly #counts = new Map<string, number>();

  /** Keys of sought violations, which are not errors. */
  readonly #sought: ReadonlySet<string>;

  constructor(maxErrors: number, sought: readonly number[] = []) {
    this.#maxErrors = maxErrors;
    this.#sought = new Set(sought.map((index) => keyOf({ cause: { kind: "invariant", index } })));
  }

  get isDone(): boolean {
    return this.errorsLeft <= 0; // sound: test/engines/parallel/conditions.test.ts
  }

  get errorsLeft(): number {
    const initial = this.#initial.filter((violation) => !this.#sought.has(keyOf(violation)));
    const counts = [...this.#counts].filter(([key]) => !this.#sought.has(key.slice(0, key.lastIndexOf(" "))));
    return this.#maxErrors - initial.length - counts.reduce((sum, [, count]) => sum + count, 0);
  }

  /** The requested errors, the nearest first. */
  get violations(): readonly Violation[] {
    const sorted = [...this.#known].sort(
      ([keyA, a], [keyB, b]) => a.steps - b.steps || (keyA < keyB ? -1 : 1),
    );
    let left = this.#maxErrors;
    const taken: Violation[] = [];
    const take = (violation: Violation, occurrences: number): void => {
      const isError = !this.#sought.has(keyOf(violation));
      const counted = isError ? Math.min(left, occurrences) : occurrences;
      if (isError) left -= counted;
      if (counted > 0) taken.push({ ...violation, occurrences: counted });
    };
    for (const violation of this.#initial) take(violation, 1 + this.#occurrences(keyOf(violation)));
    for (const [key, { violation }] of sorted)
      if (!this.#initial.some((known) => keyOf(known) === key)) take(violation, this.#occurrences(key));
    return taken;
  }

  add(violation: Violation): void {
    if (!this.isDone) this.#initial.push(violation);
  }

  /** Takes over the workers' reports, each of which covers the whole search so far. */
  merge(replies: readonly Expanded[], store: SharedStore): void {
    for (const { sightings, worker } of replies)
      for (const { id, level, ...seen } of sightings) {
        const key = keyOf(seen);
        this.#counts.set(`${key} ${worker}`, seen.occurrences);
        const steps = level + (seen.cause.kind === "deadlock" && !seen.stuckAt ? 0 : 1);
        if (steps >= (this.#known.get(key)?.steps ?? Infinity)) continue; // sound: test/engines/parallel/conditions.test.ts
        this.#known.set(key, { steps, violation: { ...seen, path: store.pathTo(id) } });
      }
  }

  #occurrences(key: string): number {
    let sum = 0;
    for (const [counted, count] of this.#counts) if (counted.startsWith(`${key} `)) sum += count;
    return sum;
  }
}

function keyOf({ cause }: Pick<Violation, "cause">): string {
  switch (cause.kind) {
    case "fault":
      return `fault ${cause.site};`;
    case "invariant":
      return `invariant ${cause.index};${JSON.stringify(cause.way ?? "")};`;
    case "deadlock":
      return "deadlock;";
  }
}
