/** Errors that a device has met: how often, at which level first, and the hash of the source that stands for all of that level. */
import type { Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Result, type causesOf } from "./results.js";

export type DeviceCause =
  | { readonly kind: "fault"; readonly site: number }
  | { readonly kind: "invariant"; readonly index: number }
  | { readonly kind: "deadlock" };

export interface DeviceViolation {
  readonly cause: DeviceCause;
  readonly path: { readonly length: number; state(index: number): Words };
  readonly stuckAt: Words | undefined;
  readonly occurrences: number;
}

interface Met {
  readonly number: number;
  readonly level: number;
  readonly hash: bigint;
  count: number;
}

export interface Meeting {
  readonly cause: DeviceCause;
  readonly level: number;
  readonly hash: bigint;
  readonly isInside: boolean;
  readonly occurrences: number;
}

interface CauseOptions {
  readonly maxErrors: number;
  readonly invariants: readonly number[];
  readonly sought?: readonly number[];
}

export class Causes {
  readonly #count: number;
  readonly #numbers: ReturnType<typeof causesOf>;
  readonly #options: CauseOptions;
  readonly #met = new Map<number, Met>();
  #startFault: number | undefined;
  /** Later meetings of the first state's fault have longer paths: they only count. */
  #startOccurrences = 1;
  errors = 0;

  constructor(count: number, numbers: ReturnType<typeof causesOf>, options: CauseOptions) {
    this.#count = count;
    this.#numbers = numbers;
    this.#options = options;
  }

  /** The first state is faulty. */
  atStart(site: number): void {
    this.#startFault = site;
    this.errors++;
  }

  /** Of a launch that expanded states of that level. */
  add(block: BigUint64Array, level: number): void {
    for (let number = 0; number < this.#count; number++) {
      const count = Number(block[Result.causes + 2 * number]);
      if (count === 0) continue;
      const hash = nth(block, Result.causes + 2 * number + 1);
      if (!this.#isSought(number)) this.errors += count;
      const known = this.#met.get(number);
      // sound: test/engines/gpu/differential.test.ts
      if (!known || (known.level === level && hash < known.hash))
        this.#met.set(number, { number, level, hash, count: (known?.count ?? 0) + count });
      else known.count += count;
    }
  }

  /** The shortest first, up to the requested number. */
  meetings(): readonly Meeting[] {
    const all = [...this.#met.values()].map((met) => ({
      ...met,
      steps: met.level + this.#extra(met.number),
    }));
    all.sort((a, b) => a.steps - b.steps || a.number - b.number);
    const meetings: Meeting[] = [];
    let errors = this.#startFault === undefined ? 0 : 1;
    for (const { number, level, hash, count } of all) {
      const isSought = this.#isSought(number);
      if (!isSought && errors >= this.#options.maxErrors) continue;
      const occurrences = isSought ? count : Math.min(count, this.#options.maxErrors - errors);
      if (!isSought) errors += occurrences;
      const cause = this.#cause(number);
      if (number === this.#startFault) {
        this.#startOccurrences = 1 + occurrences;
        continue;
      }
      const isInside = number === this.#numbers.stuckInside;
      const other = meetings.find((m) => m.cause.kind === "deadlock" && cause.kind === "deadlock");
      if (other)
        meetings[meetings.indexOf(other)] = { ...other, occurrences: other.occurrences + occurrences };
      else meetings.push({ cause, level, hash, isInside, occurrences });
    }
    return meetings;
  }

  startViolations(): readonly DeviceViolation[] {
    if (this.#startFault === undefined) return [];
    const state = (): never => {
      throw new Error("there is no state before the first");
    };
    return [
      {
        cause: { kind: "fault", site: this.#startFault },
        path: { length: 0, state },
        stuckAt: undefined,
        occurrences: this.#startOccurrences,
      },
    ];
  }

  #isSought(number: number): boolean {
    const cause = this.#cause(number);
    return cause.kind === "invariant" && (this.#options.sought?.includes(cause.index) ?? false);
  }

  /** A step that fails comes after the state that it starts from. */
  #extra(number: number): number {
    const cause = this.#cause(number);
    return cause.kind === "fault" ? 1 : 0;
  }

  #cause(number: number): DeviceCause {
    if (number < this.#numbers.deadlock) return { kind: "fault", site: number };
    if (number <= this.#numbers.stuckInside) return { kind: "deadlock" };
    return { kind: "invariant", index: nth(this.#options.invariants, number - this.#numbers.invariant(0)) };
  }
}
