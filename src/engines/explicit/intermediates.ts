/**
 * Settles the successors that a system offers: faults go to the monitor, and intermediate states (inside an atomic sequence)
 * are run through at once until nominal states come out.
 *
 * Only batches with flagged entries come here. Nominal successors keep the order in which a depth-first walk through the
 * intermediate states meets them. Each intermediate state is expanded once for a source state (and, if labels matter, for
 * each set of labels on the way to it), so that a loop inside an atomic sequence ends.
 */
import { Entry, StepTooLong, Successors, faultSite, type System, type Words } from "../../model/index.js";
import { hashWords } from "./hash.js";
import type { SafetyMonitor } from "./monitor.js";

/** Receives errors met on the way. */
export interface Witness extends Pick<SafetyMonitor, "fault" | "stuckInside"> {
  /** A run can stay among intermediate states for ever. */
  staysInside?(): void;
}

export class Settler {
  /** The nominal successors of the last batch; nothing in it is flagged. */
  readonly nominal: Successors;
  readonly #system: System;
  readonly #monitor: Witness;
  /** The current source's successors still to be examined, the next one last. */
  readonly #pending: Successors;
  readonly #inner: Successors;
  readonly #seen: SeenInside;
  #state: Words;

  constructor(
    system: System,
    monitor: Witness,
    labelsMatter = false,
    nominal: Successors = new Successors(system.width),
  ) {
    this.#system = system;
    this.#monitor = monitor;
    this.nominal = nominal;
    this.#pending = new Successors(system.width);
    this.#inner = new Successors(system.width);
    this.#seen = new SeenInside(system, labelsMatter);
    this.#state = new Int32Array(system.width);
  }

  /**
   * Settles the successors of `sources` consecutive stored states from `firstSource` on: the `i`-th state's end before entry
   * `ends[i]`, before and after.
   */
  settle(offered: Successors, ends: Int32Array, sources: number, firstSource: number): void {
    this.nominal.clear();
    let entry = 0;
    for (let i = 0; i < sources; i++) {
      this.#seen.clear();
      for (; entry < ends[i]!; entry++) {
        if (offered.flags[entry] === 0) append(this.nominal, offered, entry, 0);
        else this.#settleEntry(offered, entry, firstSource + i);
      }
      ends[i] = this.nominal.count;
    }
    widenTo(this.nominal, this.#system.width);
  }

  #settleEntry(offered: Successors, entry: number, source: number): void {
    const pending = this.#pending;
    pending.clear();
    append(pending, offered, entry, offered.flags[entry]!);
    while (pending.count > 0) {
      const top = --pending.count;
      const flags = pending.flags[top]!;
      const site = faultSite(flags);
      // sound: test/engines/explicit/conditions.test.ts
      if (site >= 0) this.#monitor.fault(site, source);
      // sound: test/engines/explicit/conditions.test.ts
      if ((flags & Entry.dead) !== 0) continue;
      // sound: test/engines/explicit/conditions.test.ts
      if ((flags & Entry.intermediate) === 0) append(this.nominal, pending, top, 0);
      else if (this.#seen.add(pending, top)) this.#expand(top, source);
      // sound: test/engines/explicit/conditions.test.ts
      else if (this.#monitor.staysInside && this.#goesRound(this.#scratch(top))) this.#monitor.staysInside();
    }
  }

  /** Depth-first: is an intermediate state reached again from itself, through such states alone? */
  #goesRound(from: Words): boolean {
    const path: { readonly key: string; readonly next: Words[] }[] = [];
    const [open, done] = [new Set<string>(), new Set<string>()];
    const enter = (state: Words): void => {
      const key = state.subarray(this.#system.compareFrom).join();
      if (done.has(key)) return;
      open.add(key);
      path.push({ key, next: this.#insideAfter(state) });
    };
    for (enter(from.slice()); path.length > 0;) {
      const { key, next } = path.at(-1)!;
      const state = next.pop();
      if (!state) {
        open.delete(key);
        done.add(key);
        path.pop();
      } else if (open.has(state.subarray(this.#system.compareFrom).join())) return true;
      else enter(state);
    }
    return false;
  }

  #insideAfter(state: Words): Words[] {
    const out = new Successors(this.#system.width);
    this.#system.successors(state, 0, out);
    const isInside = (i: number): boolean =>
      (out.flags[i]! & (Entry.dead | Entry.intermediate)) === Entry.intermediate;
    return Array.from({ length: out.count }, (_, i) => i)
      .filter(isInside)
      .map((i) => out.words.slice(i * out.stride, (i + 1) * out.stride));
  }

  /** Puts the successors of the intermediate state at `pending[top]` in its place. */
  #expand(top: number, source: number): void {
    const inner = this.#inner;
    const state = this.#scratch(top);
    inner.clear();
    widenTo(inner, this.#system.width);
    this.#system.successors(state, 0, inner);
    // sound: test/engines/explicit/conditions.test.ts
    if (inner.count === 0) this.#monitor.stuckInside(source, state);
    // An agent that moves inside the sequence takes part in the step as a whole.
    const label = this.#pending.labels[top]!;
    for (let i = inner.count - 1; i >= 0; i--)
      append(this.#pending, inner, i, inner.flags[i]!, label | inner.labels[i]!);
  }

  /** A copy of `pending[top]`: successors are about to be written over it. */
  #scratch(top: number): Words {
    const { words, stride } = this.#pending;
    if (this.#state.length !== this.#system.width) this.#state = new Int32Array(this.#system.width);
    for (let k = 0; k < stride; k++) this.#state[k] = words[top * stride + k]!;
    return this.#state;
  }
}

/** The intermediate states already run through from one source state: a small hash set over a flat list. */
class SeenInside {
  readonly #compareFrom: number;
  readonly #labelsMatter: boolean;
  readonly #states: Successors;
  #hashes = new Int32Array(16);
  /** Position in `states` + 1, or 0. */
  #table = new Int32Array(32);

  constructor(system: System, labelsMatter: boolean) {
    this.#compareFrom = system.compareFrom;
    this.#labelsMatter = labelsMatter;
    this.#states = new Successors(system.width, 16);
  }

  clear(): void {
    for (let i = 0; i < this.#states.count; i++) {
      let slot = this.#slot(this.#hashes[i]!);
      while (this.#table[slot] !== i + 1) slot = (slot + 1) & (this.#table.length - 1);
      this.#table[slot] = 0;
    }
    this.#states.clear();
  }

  /** Adds an entry's state; false if it was there. */
  add(list: Successors, entry: number): boolean {
    if (2 * this.#states.count >= this.#table.length) this.#grow();
    const label = this.#labelsMatter ? list.labels[entry]! : 0;
    const hash = hashWords(list.words, entry * list.stride, list.stride, this.#compareFrom) ^ label;
    let slot = this.#slot(hash);
    for (let known = this.#table[slot]!; known !== 0; known = this.#table[slot]!) {
      // sound: test/engines/explicit/conditions.test.ts
      if (this.#hashes[known - 1] === hash && this.#isEqual(known - 1, list, entry)) return false;
      slot = (slot + 1) & (this.#table.length - 1);
    }
    this.#hashes[this.#states.count] = hash;
    append(this.#states, list, entry, 0);
    this.#table[slot] = this.#states.count;
    return true;
  }

  #slot(hash: number): number {
    return hash & (this.#table.length - 1);
  }

  #isEqual(known: number, list: Successors, entry: number): boolean {
    const { words, stride, labels } = this.#states;
    if (this.#labelsMatter && labels[known] !== list.labels[entry]) return false;
    for (let k = this.#compareFrom; k < Math.max(stride, list.stride); k++) {
      const here = k < stride ? words[known * stride + k] : 0;
      if (here !== (k < list.stride ? list.words[entry * list.stride + k] : 0)) return false;
    }
    return true;
  }

  #grow(): void {
    limitInside(this.#states.count, this.#states.stride);
    const hashes = this.#hashes;
    this.#hashes = new Int32Array(2 * hashes.length);
    this.#hashes.set(hashes);
    this.#table = new Int32Array(2 * this.#table.length);
    for (let i = 0; i < this.#states.count; i++) {
      let slot = this.#slot(this.#hashes[i]!);
      while (this.#table[slot] !== 0) slot = (slot + 1) & (this.#table.length - 1);
      this.#table[slot] = i + 1;
    }
  }
}

/** Appends an entry of `from` with other flags. `to` is widened to hold it. */
function append(
  to: Successors,
  from: Successors,
  entry: number,
  flags: number,
  label = from.labels[entry]!,
): void {
  widenTo(to, from.stride);
  if (to.count === to.capacity) to.grow();
  const there = to.count * to.stride;
  const at = entry * from.stride;
  for (let k = 0; k < from.stride; k++) to.words[there + k] = from.words[at + k]!;
  for (let k = from.stride; k < to.stride; k++) to.words[there + k] = 0;
  to.labels[to.count] = label;
  to.flags[to.count++] = flags;
}

/** Gives up an atomic sequence that may run on for ever: budgets are polled between steps only. */
export function limitInside(count: number, width: number): void {
  // sound: test/engines/explicit/leaving.test.ts
  if (count < MOST_INSIDE && count * width < MOST_INSIDE_WORDS) return;
  throw new StepTooLong(
    "step",
    `an atomic sequence has more than ${count.toLocaleString("en")} intermediate states`,
  );
}

const MOST_INSIDE = 2 ** 20;
const MOST_INSIDE_WORDS = 2 ** 24;

/** Widens a narrower list. */
export function widenTo(list: Successors, stride: number): void {
  if (list.stride < stride) list.widen(stride);
}
