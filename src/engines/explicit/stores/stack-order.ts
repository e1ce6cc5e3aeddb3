/**
 * Depth-first, in true order, over a store that does not keep its states whole. The stack is exact: it holds the states
 * still to be taken, each after the word of its link, and for each level the number and the link of its state.
 */
import { widenTo } from "../intermediates.js";
import type { Ledger } from "../ledger.js";
import type { Order, Run } from "../order.js";
import { FRAME_BITS, FRAME_MASK, SIBLING_BITS, SIBLING_MASK, SearchStack } from "../stack.js";
import { PagedWords } from "./paged.js";
import type { Visited } from "./visited.js";

export class StackOrder implements Order {
  peakFrontier = 1;
  depth = 0;
  readonly #run: Run;
  readonly #visited: Visited;
  readonly #stack: SearchStack;
  /** By level, the link of its state. */
  readonly #links: PagedWords;
  readonly #ends = new Int32Array(1);
  /** The state on top. */
  #top: Int32Array;
  #isEntered = true;
  #isCut = false;

  /** The store holds the initial state, as state 1, and `initial` has its words. */
  constructor(run: Run, visited: Visited, initial: Int32Array, ledger: Ledger) {
    this.#run = run;
    this.#visited = visited;
    this.#top = initial.slice(0, run.model.system.width);
    this.#stack = new SearchStack(1 + this.#top.length, ledger);
    this.#links = new PagedWords(ledger);
    if (this.#stack.reserve(0) && this.#links.reserve(1)) this.#stack.push(1);
    else run.stop = "memory";
  }

  get frontier(): number {
    return this.#stack.height;
  }

  advance(quota: number): boolean {
    if (this.#run.stop) return false;
    for (let expanded = 0; expanded < quota;) {
      if (this.#isEntered) {
        this.#isEntered = false;
        expanded++;
        if (this.#stack.height > this.#run.maxDepth) this.#isCut = true;
        else if (!this.#expand()) return false;
      } else if (!this.#takeNext()) return false;
      if (this.#run.monitor.isDone) return this.#stop("errors");
    }
    return true;
  }

  pathTo(): Int32Array {
    const { height } = this.#stack;
    const links = Int32Array.from({ length: height }, (_, level) => this.#links.get(level));
    return this.#visited.pathAlong(this.#stack.ids(), links);
  }

  /** Puts the successors of the top that were not visited on the stack, the first one last. */
  #expand(): boolean {
    const run = this.#run;
    const visited = this.#visited;
    const stack = this.#stack;
    const { model, monitor, offered } = run;
    const { system } = model;
    offered.clear();
    system.successors(this.#top, 0, offered);
    if (offered.count === 0 && monitor.checksDeadlock) monitor.stuck(stack.top, this.#top, 0);
    this.#ends[0] = offered.count;
    const list = run.settle(this.#ends, 1, stack.top);
    if (system.width !== this.#top.length && !this.#widen(system.width)) return false;
    if (!stack.widenTop() || !stack.reserve(list.count)) return this.#stop("memory");
    visited.expand(stack.top, this.#top, 0, stack.height - 1);
    const width = list.stride;
    const { words, labels } = list;
    let left = 0;
    for (let i = list.count - 1; i >= 0; i--) {
      const at = i * width;
      if (visited.has(words, at, i, labels[i]!)) continue;
      const link = visited.link(words, at, i, labels[i]!);
      if (link < 0) return this.#stop("memory");
      const siblings = stack.siblings[stack.pending >>> SIBLING_BITS]!;
      const there = (stack.pending & SIBLING_MASK) * (width + 1);
      siblings[there] = link;
      for (let k = 0; k < width; k++) siblings[there + 1 + k] = words[at + k]!;
      stack.pending++;
      left++;
    }
    run.transitions += list.count;
    this.#setLeft(left);
    return true;
  }

  /** Enters the next successor of the top, or goes back; false when nothing is left, or `run.stop` is set. */
  #takeNext(): boolean {
    const run = this.#run;
    const stack = this.#stack;
    const left = this.#left;
    if (left === 0) {
      if (stack.height === 1) return this.#isCut && this.#stop("depth");
      stack.height--;
      return true;
    }
    const chunk = (stack.pending - 1) >>> SIBLING_BITS;
    if (stack.strides[chunk] !== stack.width && !stack.widenTop()) return this.#stop("memory");
    const siblings = stack.siblings[chunk]!;
    const at = ((stack.pending - 1) & SIBLING_MASK) * stack.width;
    const link = siblings[at]!;
    const id = this.#visited.add(siblings, at + 1, stack.top, link, stack.height);
    if (id < 0) return this.#stop(this.#visited.refusal!);
    stack.pending--;
    this.#setLeft(left - 1);
    if (id === 0) return true;
    const top = this.#top;
    for (let k = 0; k < top.length; k++) top[k] = siblings[at + 1 + k]!;
    if (!stack.reserve(0) || !this.#links.reserve(stack.height + 1)) return this.#stop("memory");
    this.#links.set(stack.height, link);
    stack.push(id);
    this.#isEntered = true;
    this.depth = Math.max(this.depth, stack.height - 1);
    this.peakFrontier = Math.max(this.peakFrontier, stack.height);
    for (const index of run.monitor.invariants)
      if (!run.model.holds(index, top, 0)) run.monitor.broken(index, id);
    return true;
  }

  #widen(width: number): boolean {
    const top = new Int32Array(width);
    top.set(this.#top);
    this.#top = top;
    widenTo(this.#run.offered, width);
    this.#visited.widen(width);
    return this.#stack.widen(1 + width) || this.#stop("memory");
  }

  get #left(): number {
    const level = this.#stack.height - 1;
    return this.#stack.frames[level >>> FRAME_BITS]![2 * (level & FRAME_MASK) + 1]!;
  }

  #setLeft(left: number): void {
    const level = this.#stack.height - 1;
    this.#stack.frames[level >>> FRAME_BITS]![2 * (level & FRAME_MASK) + 1] = left;
  }

  #stop(why: NonNullable<Run["stop"]>): false {
    this.#run.stop = why;
    return false;
  }
}
