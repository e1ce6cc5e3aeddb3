/**
 * Paths to errors: parents are not stored. Beginning with the state that stands for an error, the level before is expanded again, and of the
 * states that lead there the one with the smallest hash is taken, so that the path does not depend on timing.
 */
import {
  Entry,
  Status,
  Successors,
  type DeviceArgument,
  type DeviceBuffer,
  type DeviceKernel,
  type Model,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { MOST_LOCATED, Result } from "./results.js";
import type { Causes, DeviceViolation, Meeting } from "./causes.js";
import type { DeviceStore } from "./store.js";

export interface BackwardsParts {
  readonly model: Model;
  /** First number of each level. */
  readonly levels: readonly number[];
  readonly store: DeviceStore;
  readonly target: DeviceBuffer;
  readonly found: DeviceBuffer;
  /** Of the last launch. */
  readonly results: BigUint64Array;
  launch(kernel: DeviceKernel, from: number, to: number, more: readonly DeviceArgument[]): Promise<void>;
  /** Builds the kernel that searches a level for a hash, or the one that compares successors with the target. */
  kernel(name: "locate" | "explore"): Promise<DeviceKernel>;
}

export class Backwards {
  readonly #parts: BackwardsParts;
  #explore: DeviceKernel | undefined;
  #locate: DeviceKernel | undefined;

  constructor(parts: BackwardsParts) {
    this.#parts = parts;
  }

  async violations(causes: Causes): Promise<readonly DeviceViolation[]> {
    const found: DeviceViolation[] = [];
    for (const meeting of causes.meetings()) found.push(await this.#violation(meeting));
    return [...causes.startViolations(), ...found];
  }

  async #violation({ cause, level, hash, isInside, occurrences }: Meeting): Promise<DeviceViolation> {
    const last = await this.#withHash(level, hash);
    const path = [last];
    for (let before = level - 1; before >= 0; before--)
      path.unshift(await this.#parentOf(nth(path, 0), before));
    return {
      cause,
      path: { length: path.length, state: (index) => nth(path, index) },
      stuckAt: isInside ? stuckInside(this.#parts.model, last) : undefined,
      occurrences,
    };
  }

  async #parentOf(state: Words, level: number): Promise<Words> {
    const { target, levels, results } = this.#parts;
    this.#explore ??= await this.#parts.kernel("explore");
    target.write(state);
    let [count, hash] = [0n, 2n ** 64n - 1n];
    for (let at = nth(levels, level); at < nth(levels, level + 1); at += MOST_STATES) {
      await this.#parts.launch(this.#explore, at, Math.min(nth(levels, level + 1), at + MOST_STATES), [
        0,
        1,
        0n,
      ]);
      count += nth(results, Result.causes);
      const least = nth(results, Result.causes + 1);
      if (least < hash) hash = least;
    }
    // sound: test/engines/gpu/differential.test.ts
    if (count === 0n)
      throw new Error(`internal error: no state of level ${level} leads to the next one of the path`);
    return this.#withHash(level, hash);
  }

  /** The state of the level with that hash; of several the smallest by content. */
  async #withHash(level: number, hash: bigint): Promise<Words> {
    const { levels, found, results, store } = this.#parts;
    this.#locate ??= await this.#parts.kernel("locate");
    await this.#parts.launch(this.#locate, nth(levels, level), nth(levels, level + 1), [hash, found]);
    const count = Math.min(MOST_LOCATED, Number(results[Result.located]));
    if (count === 0) throw new Error("internal error: a state of the path is not in its level");
    const numbers = new Uint32Array(MOST_LOCATED);
    found.read(numbers);
    return nth([...numbers.subarray(0, count)].map((number) => store.read(number)).sort(byContent), 0);
  }
}

function byContent(a: Words, b: Words): number {
  const k = a.findIndex((word, i) => word !== b[i]);
  return k < 0 ? 0 : nth(a, k) - nth(b, k);
}

/** The first intermediate state on the way from there that has no way on. */
function stuckInside({ system }: Model, source: Words): Words {
  const seen = new Set<string>();
  const waiting: Words[] = [source];
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const out = new Successors(system.width);
    system.successors(state, 0, out);
    if (out.count === 0 && state !== source && (system.status(state, 0) & Status.validEnd) === 0)
      return state;
    for (let i = out.count - 1; i >= 0; i--) {
      const flags = out.flags[i]!;
      if ((flags & Entry.intermediate) === 0 || (flags & Entry.dead) !== 0) continue;
      const words = out.stateAt(i);
      const key = words.join(",");
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(words);
    }
  }
  throw new Error("internal error: no intermediate state is stuck");
}

/** Of one launch. */
const MOST_STATES = 2 ** 26;
