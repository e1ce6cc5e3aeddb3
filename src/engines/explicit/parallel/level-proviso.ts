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
import { MOST_AGENTS, type Proviso } from "../reduction.js";
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

export class LevelReduction {
  readonly #proviso: LevelProviso;
  /** The candidates of the state that is being expanded. */
  readonly agents: Int32Array;
  /** By state of the batch: the candidate that expanded it, from 1 on, or 0 if full; and the number of entries ahead. */
  readonly attempts: Int32Array;
  readonly ahead: Int32Array;
  /** Ids of the next level: from here on, and in the ranges at the beginning of `free`. */
  freeFrom = 1;
  free: Int32Array;
  freeWords = 0;
  readonly #allocate: (length: number) => Int32Array;
  readonly #rejected: Rejected[] = [];
  #reduced = 0;
  #fullByProviso = 0;
  #rejections = 0;

  constructor(
    proviso: LevelProviso,
    sources: number,
    allocate = (length: number): Int32Array => new Int32Array(length),
  ) {
    this.#proviso = proviso;
    this.#allocate = allocate;
    this.agents = allocate(MOST_AGENTS);
    this.attempts = allocate(sources);
    this.ahead = allocate(sources);
    this.free = allocate(256);
  }

  stats(): PartialOrderStats {
    return {
      proviso: this.#proviso,
      reduced: this.#reduced,
      fullByProviso: this.#fullByProviso,
      rejected: this.#rejections,
    };
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
    for (let i = 0, begin = 0; i < sources; begin = ends[i++]!) {
      const tried = this.attempts[i]!;
      if (tried === 0) continue;
      const total = ends[i]! - begin;
      if (this.#isEnough(this.ahead[i]!, total)) this.#reduced++;
      else {
        if (total > 0) this.#rejections++;
        this.#rejected.push({ id: first + i, tried });
      }
    }
  }

  /** Expands a rejected state by its next candidate, or fully; its id. */
  expandAgain(model: Model, numbered: (id: number) => Words, out: Successors): number {
    const { id, tried } = this.#rejected.pop()!;
    const words = numbered(id);
    const { system } = model;
    const proposed = system.candidates!.propose(words, 0, this.agents);
    let attempt = tried;
    out.clear();
    while (attempt < proposed && out.count === 0)
      system.candidates!.successorsOf(this.agents[attempt++]!, words, 0, out);
    if (out.count === 0) {
      attempt = 0;
      this.#fullByProviso++;
      system.successors(words, 0, out);
    }
    this.attempts[0] = attempt;
    return id;
  }

  #isEnough(ahead: number, total: number): boolean {
    switch (this.#proviso) {
      case "next-level":
        return ahead > 0;
      case "none":
        return total > 0;
    }
  }
}
