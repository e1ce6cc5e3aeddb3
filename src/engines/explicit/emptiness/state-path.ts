/**
 * A depth-first path that keeps states whole, for searches whose store does not: each state's words and successors, with
 * their words, the one taken, and the number still to be taken.
 *
 * A state here belongs to the degeneralised system: words, and the level of the awaited condition. Each frame has its own
 * stride, since states may become wider during the search.
 */
import { Successors, type System, type Words } from "../../../model/index.js";
import { Settler, widenTo } from "../intermediates.js";
import type { Ledger } from "../ledger.js";
import { OutOfRoom } from "./memory.js";

export interface Frame {
  readonly state: Words;
  readonly level: number;
  /** Was the arc that led there accepting? */
  readonly isEntryAccepting: boolean;
  /** For each successor its words, marks and next level; `ACCEPTING` is a bit of the level. */
  readonly arcs: Int32Array;
  readonly stride: number;
  readonly count: number;
  /** The arc after the one taken last. */
  cursor: number;
}

/** The successors of states, numbered nowhere. */
export class Expander {
  readonly #system: System;
  readonly #conditions: number;
  readonly #offered: Successors;
  readonly #settler: Settler;
  readonly #ends = new Int32Array(1);
  readonly #ledger: Ledger;

  constructor(system: System, conditions: number, onFault: (site: number) => void, ledger: Ledger) {
    this.#system = system;
    this.#conditions = conditions;
    this.#offered = new Successors(system.width, 64);
    this.#settler = new Settler(system, { fault: onFault, stuckInside: () => {} }, true);
    this.#ledger = ledger;
  }

  frame(state: Words, level: number, isEntryAccepting: boolean): Frame {
    const list = this.#successors(state);
    const stride = list.stride + EXTRA;
    const words = list.count * stride;
    if (!this.#ledger.fits(words + state.length)) throw new OutOfRoom("memory");
    const arcs = new Int32Array(words);
    for (let i = 0; i < list.count; i++) {
      const at = i * stride;
      arcs.set(list.words.subarray(i * list.stride, (i + 1) * list.stride), at);
      arcs[at + list.stride] = list.labels[i]!;
      arcs[at + list.stride + 1] = nextLevel(level, list.labels[i]!, this.#conditions);
    }
    this.#ledger.note(arcs);
    this.#ledger.note(state);
    return { state, level, isEntryAccepting, arcs, stride, count: list.count, cursor: 0 };
  }

  release({ arcs, state }: Frame): void {
    this.#ledger.free(arcs);
    this.#ledger.free(state);
  }

  #successors(state: Words): Successors {
    const { width } = this.#system;
    const offered = this.#offered;
    offered.clear();
    widenTo(offered, width);
    this.#system.successors(extended(state, width), 0, offered);
    if (!offered.isFlagged) return offered;
    this.#ends[0] = offered.count;
    this.#settler.settle(offered, this.#ends, 1, 0);
    return this.#settler.nominal;
  }
}

/** Words of an arc beyond its target's words. */
export const EXTRA = 2;

export const ACCEPTING = 1 << 8;

/** As in `degeneralised.ts`, with the conditions in the order of their numbers. Without conditions every arc is accepting. */
function nextLevel(level: number, marks: number, conditions: number): number {
  let next = level;
  while (next < conditions && (marks & (1 << next)) !== 0) next++;
  if (next < conditions) return next;
  next = 0;
  while (next < level && (marks & (1 << next)) !== 0) next++;
  return next | ACCEPTING;
}

function extended(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}

/** States on a path, found by their words. */
export class FrameSet {
  readonly #byHash = new Map<number, Frame[]>();
  readonly #compareFrom: number;
  readonly #hash: (words: Words, at: number, width: number) => number;

  constructor(compareFrom: number, hash: (words: Words, at: number, width: number) => number) {
    this.#compareFrom = compareFrom;
    this.#hash = hash;
  }

  add(frame: Frame): void {
    const hash = this.#hash(frame.state, 0, frame.state.length);
    const same = this.#byHash.get(hash);
    if (same) same.push(frame);
    else this.#byHash.set(hash, [frame]);
  }

  remove(frame: Frame): void {
    const hash = this.#hash(frame.state, 0, frame.state.length);
    const same = this.#byHash.get(hash)!;
    same.splice(same.indexOf(frame), 1);
    if (same.length === 0) this.#byHash.delete(hash);
  }

  find(words: Words, at: number, width: number, level: number): Frame | undefined {
    return this.#byHash
      .get(this.#hash(words, at, width))
      ?.find((frame) => frame.level === level && isSame(frame.state, words, at, width, this.#compareFrom));
  }
}

/** Surplus words of the longer state must be zero. */
function isSame(state: Words, words: Words, at: number, width: number, from: number): boolean {
  for (let k = from; k < Math.max(state.length, width); k++)
    if ((k < state.length ? state[k]! : 0) !== (k < width ? words[at + k]! : 0)) return false;
  return true;
}
