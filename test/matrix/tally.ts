/** Numbers of compared cells on each axis. */
import type { Outcome } from "./cells.js";
import { axes } from "./draws.js";

export class MatrixTally {
  readonly #cells = { compared: 0, refused: 0, skipped: 0 };
  readonly #axes = new Map(
    Object.entries(axes).map(([axis, values]) => [axis, new Map(values.map((v) => [v, 0]))]),
  );
  readonly #refusals = new Map<string, number>();
  differing = 0;

  add({ kind, places, differences }: Outcome): void {
    this.#cells[kind]++;
    if (differences.length > 0) this.differing++;
    for (const [axis, value] of places) {
      const counts = kind === "refused" ? this.#refusals : this.#axes.get(axis)!;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }

  line(): string {
    const { compared, refused, skipped } = this.#cells;
    return `${compared} cells compared, ${refused} refused, ${skipped} without an oracle, ${this.differing} differ`;
  }

  /** One line per axis and per reason of refusal. */
  lines(): string[] {
    return [
      ...[...this.#axes].map(
        ([axis, counts]) => `${axis}: ${[...counts].map(([value, times]) => `${value} ${times}`).join(", ")}`,
      ),
      ...[...this.#refusals].map(([why, times]) => `refused ${times} times: ${why}`),
    ];
  }

  /** Reports if too few cells were compared, in total or for a value of some axis. */
  shortfalls(count: number): string[] {
    const { compared } = this.#cells;
    const least = Math.floor(count * LEAST_OF_A_VALUE);
    return [
      ...(compared < LEAST_COMPARED * count ? [`only ${compared} of ${count} cells were compared`] : []),
      ...[...this.#axes].flatMap(([axis, counts]) =>
        [...counts]
          .filter(([, times]) => times < least)
          .map(
            ([value, times]) =>
              `only ${times} cells with ${axis} ${value} were compared, fewer than ${least}`,
          ),
      ),
    ];
  }
}

const LEAST_COMPARED = 0.8;
const LEAST_OF_A_VALUE = 0.001;
