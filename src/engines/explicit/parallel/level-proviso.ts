/**
 * Partial-order reduction by several workers.
 *
 * One thread checks whether a candidate leads to a state that is still to be expanded: in the rest of the level, or in the
 * next one. With several, the rest of the level depends on timing. So a candidate is taken only if it leads to a state *of
 * the next level*: in no earlier level, and not in this one. That depends neither on the order in which the states of a level
 * are expanded, nor on the thread that stored the state first, so every run explores the same states. It implies the proviso:
 * each postponed step moves to a later level, and there are finitely many.
 *
 * Ids decide: those free when the level began belong to the next one.
 */
import type { Model, PartialOrderStats, Successors, Words } from "../../../model/index.js";
import { BatchReduction, MOST_AGENTS, Reduction, type Proviso } from "../reduction.js";
import type { Round } from "./protocol.js";

/** Maps the proviso of one thread to its counterpart for workers. */
export function levelProviso(proviso: Proviso): LevelProviso | undefined {
  switch (proviso) {
    case "queue":
      return "next-level";
    case "none":
      return "none";
    case "stack":
      return undefined;
  }
}

/** One of the states that the candidate leads to is of the next level; or there is no condition. */
export type LevelProviso = "next-level" | "none";

/** A state whose candidates up to `tried` were rejected. */
interface Rejected {
  readonly id: number;
  readonly tried: number;
}

export class LevelReduction extends BatchReduction {
  /** Ids of the next level: from here on, and in the ranges at the beginning of `free`. */
  freeFrom = 1;
  free: Int32Array;
  freeWords = 0;
  readonly #allocate: (length: number) => Int32Array;
  readonly #rejected: Rejected[] = [];

  constructor(
    proviso: LevelProviso,
    sources: number,
    allocate = (length: number): Int32Array => new Int32Array(length),
  ) {
    super(new Reduction(proviso, allocate(MOST_AGENTS)), sources, allocate);
    this.#allocate = allocate;
    this.free = allocate(256);
  }

  override readonly head = `
function isAhead(id) {
  if (id >= reduction.freeFrom) return true;
  const free = reduction.free, length = reduction.freeWords;
  for (let k = 0; k < length; k += 2) if (id >= free[k] && id < free[k + 1]) return true;
  return false;
}`;

  override isAhead(id: string): string {
    return `isAhead(${id})`;
  }

  /** Rejected states are expanded after the batch: their order does not matter. */
  override get onOrigin(): string {
    return "";
  }

  stats(): PartialOrderStats {
    return this.counts.stats();
  }

  /** Begins a level: `taken` blocks of the round are taken, with these ids left of them. */
  beginLevel({ blocks, freshIds }: Round, taken: number, left: readonly number[], blockIds: number): void {
    const free = [...left, ...blocks.subarray(2 * taken)];
    if (free.length > this.free.length) this.free = this.#allocate(2 * free.length);
    this.free.set(free);
    this.freeWords = free.length;
    this.freeFrom = freshIds + Math.max(0, taken - blocks.length / 2) * blockIds;
  }

  get hasRejected(): boolean {
    return this.#rejected.length > 0;
  }

  /** All entries of a batch are entered: whose candidate was not enough? */
  judge(first: number, ends: Int32Array, sources: number): void {
    for (let i = 0; i < sources; i++)
      if (this.isRejected(i, ends)) this.#rejected.push({ id: first + i, tried: this.attempts[i]! });
  }

  /** Expands a rejected state by its next candidate, or fully; its id. */
  expandNext({ system }: Model, numbered: (id: number) => Words, out: Successors): number {
    const { id, tried } = this.#rejected.pop()!;
    this.attempts[0] = this.expandAgain(system, numbered(id), tried, out);
    return id;
  }
}
