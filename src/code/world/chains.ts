/** Chains of timers: which timers fired before an item was created, in the turns that led to it. */
import type { Pending } from "./world.js";
import { entryOf } from "../../model/known.js";

interface Firing {
  readonly turn: number;
  readonly label: string;
  readonly stack: string;
  readonly before: Firing | undefined;
}

interface Origin {
  readonly turn: number;
  readonly fired: Firing | undefined;
  readonly stack: string;
}

/** A timer that fired several times in one chain. */
export interface Repeating {
  readonly label: string;
  readonly times: number;
  /** Stack of its first creation, if stacks are recorded. */
  readonly stack: string;
}

export class Chains {
  /** Timers that led to the current turn, the last first. */
  #fired: Firing | undefined;
  readonly #origins = new WeakMap<Pending, Origin>();

  add(item: Pending, turn: number, recordsStack: boolean): void {
    this.#origins.set(item, {
      turn,
      fired: this.#fired,
      stack: recordsStack ? (new Error().stack ?? "") : "",
    });
  }

  fire(item: Pending, turn: number, isTimer: boolean): void {
    const { fired, stack } = entryOf(this.#origins, item);
    this.#fired = isTimer ? { turn, label: item.label, stack, before: fired } : fired; // sound: test/code/world/late.test.ts
  }

  /** The turn that created the item. */
  turnOf(item: Pending): number {
    return entryOf(this.#origins, item).turn;
  }

  /** Number of timers of its chain that fired after that turn. */
  firedSince(item: Pending, turn: number): number {
    let count = 0;
    for (let at = entryOf(this.#origins, item).fired; at && at.turn > turn; at = at.before) count++; // sound: test/code/world/late.test.ts
    return count;
  }

  /** The most frequent timer of a chain that leads to one of the items. */
  repeating(items: readonly Pending[]): Repeating | undefined {
    let most: Repeating | undefined;
    for (const item of items) {
      const times = new Map<string, number>();
      for (let at = entryOf(this.#origins, item).fired; at; at = at.before) {
        const count = (times.get(at.label) ?? 0) + 1;
        times.set(at.label, count);
        if (count > (most?.times ?? 1)) most = { label: at.label, times: count, stack: at.stack };
      }
    }
    return most;
  }
}
