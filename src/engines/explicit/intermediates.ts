/**
 * Settles successors (`settle-code.ts`) outside of the loops, where states may become wider in the middle of a step, and can tell whether a
 * run may stay among intermediate states forever.
 */
import { Entry, Successors, type System, type Words } from "../../model/index.js";
import { hashWords } from "./hash.js";
import { Inside, emitSettle, type Witness } from "./settle-code.js";
import { instantiate } from "./store-code.js";

type Settle = (ends: Int32Array, sources: number, firstSource: number, width: number) => void;

export class Settler {
  /** The nominal successors of the last batch; nothing in it is flagged. */
  readonly nominal: Successors;
  readonly #system: System;
  readonly #monitor: Witness;
  readonly #labelsMatter: boolean;
  /** The current source's successors still to be examined, the next one last; and those of an intermediate state. */
  readonly #pending: Successors;
  readonly #inner: Successors;
  #inside: Inside | undefined;
  #offered: Successors | undefined;
  #settle: Settle | undefined;
  /** Of states in all lists. */
  #width = 0;

  constructor(
    system: System,
    monitor: Witness,
    labelsMatter = false,
    nominal: Successors = new Successors(system.width),
  ) {
    this.#system = system;
    this.#monitor = monitor;
    this.#labelsMatter = labelsMatter;
    this.nominal = nominal;
    this.#pending = new Successors(system.width);
    this.#inner = new Successors(system.width);
  }

  /**
   * Settles the successors of `sources` consecutive stored states from `firstSource` on: the `i`-th state's end before entry
   * `ends[i]`, before and after.
   */
  settle(offered: Successors, ends: Int32Array, sources: number, firstSource: number): void {
    if (!this.#settle || this.#offered !== offered) this.#settle = this.#instantiate(offered);
    const width = Math.max(this.#system.width, offered.stride);
    if (this.#width !== width || offered.stride !== width) this.#widen(width);
    this.#settle(ends, sources, firstSource, width);
  }

  #widen(width: number): number {
    this.#width = width;
    this.#inside!.widen(width);
    for (const list of [this.#offered!, this.nominal, this.#pending, this.#inner]) widenTo(list, width);
    return width;
  }

  #instantiate(offered: Successors): Settle {
    const { width, compareFrom } = this.#system;
    this.#offered = offered;
    this.#width = 0;
    this.#inside = new Inside({ array: (length) => new Int32Array(length) }, this.#monitor, width);
    const bindings = {
      system: this.#system,
      monitor: this.#monitor,
      offered,
      nominal: this.nominal,
      pending: this.#pending,
      inner: this.#inner,
      inside: this.#inside,
      hashWords,
      wider: (to: number) => this.#widen(to),
      rounds: { look: (words: Words, at: number) => this.#lookForRounds(words, at) },
    };
    const text = `let width = 0;${emitSettle("width", compareFrom, this.#labelsMatter)}
return function (ends, sources, firstSource, to) {
  width = to;
  settle(ends, sources, firstSource);
};`;
    return instantiate("settle", bindings, text);
  }

  /** An intermediate state is found again. */
  #lookForRounds(words: Words, at: number): void {
    // sound: test/engines/explicit/conditions.test.ts
    if (this.#monitor.staysInside && this.#goesRound(words.slice(at, at + this.#system.width)))
      this.#monitor.staysInside();
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
    for (enter(from); path.length > 0;) {
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
}

/** Widens a narrower list. */
export function widenTo(list: Successors, stride: number): void {
  if (list.stride < stride) list.widen(stride);
}
