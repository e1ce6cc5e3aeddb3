/** The comparisons of a run over tiny programs, in one line; and whether they were enough to mean something. */
import type { TinyOutcome } from "./tiny.js";

export class TinyTally {
  readonly #reductions: readonly (keyof typeof leastShare)[];
  readonly #started = performance.now();
  #programs = 0;
  #compared = 0;
  #violated = 0;
  #byErrors = 0;
  #tooLarge = 0;
  differing = 0;
  readonly #smaller = new Map<string, number>();
  readonly #refused = new Map<string, number>();

  /** `reductions`: the forced ones, each of which must make some programs smaller. */
  constructor(reductions: readonly (keyof typeof leastShare)[]) {
    this.#reductions = reductions;
  }

  add(outcome: TinyOutcome): void {
    this.#programs++;
    if (outcome.kind === "too large") this.#tooLarge++;
    if (outcome.kind === "refused") count(this.#refused, outcome.why);
    if (outcome.kind !== "compared") return;
    this.#compared++;
    if (outcome.violated > 0) this.#violated++;
    if (outcome.byErrors) this.#byErrors++;
    if (outcome.differences.length > 0) this.differing++;
    for (const mode of outcome.smaller) count(this.#smaller, mode);
  }

  line(): string {
    const smaller = this.#reductions.map((name) => `${this.#smallerBy(name)} by ${name}`).join(", ");
    const refused = [...this.#refused.values()].reduce((sum, times) => sum + times, 0);
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(0);
    return (
      `${this.#programs} programs, ${this.#compared} compared (${this.#violated} violated${this.#byErrors > 0 ? `; ${this.#byErrors} by errors only` : ""}${smaller && `; smaller: ${smaller}`}), ` +
      `${refused} refused, ${this.#tooLarge} too large, ${this.differing} differ, ${seconds} s`
    );
  }

  /** Why the run says too little; none where it compared and reduced enough. */
  shortfalls(): string[] {
    const fewest = (what: string, times: number, share: number): string[] =>
      times >= Math.floor(share * this.#programs)
        ? []
        : [`${what}: ${times} of ${this.#programs} programs, at least ${100 * share} % wanted`];
    return [
      ...fewest("compared", this.#compared, 0.85),
      ...fewest("violated", this.#violated, 0.2),
      ...this.#reductions.flatMap((name) =>
        fewest(`smaller by ${name}`, this.#smallerBy(name), leastShare[name]),
      ),
    ];
  }

  /** Reasons for refusing programs, the most frequent first. */
  refusals(): [why: string, times: number][] {
    return [...this.#refused].sort(([, a], [, b]) => b - a);
  }

  #smallerBy(name: string): number {
    return this.#smaller.get(`--reduction ${name} --errors all`) ?? 0;
  }
}

/** Far below the shares of actual runs, and far above nothing. A program has one of the reductions alone. */
const leastShare = { slice: 0.005, dead: 0.0025, merge: 0.01, por: 0.02 } as const;

const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);
