/**
 * Partition refinement by signatures, for strong and branching bisimilarity, with or without divergence.
 *
 * The signature of a state is the set of (label, block) of its transitions; for branching bisimilarity those that it reaches by
 * inert τ, which stay in its block (Blom and van de Pol). A block is split by the signatures of its states. The largest part
 * keeps the number of the block, so a state gets a new number at most log n times, and only predecessors of states with a new
 * number are signed again (Hopcroft's argument, as in Jacobs and Wißmann, POPL 2023).
 *
 * Always true: the clean states of a block have the same signature, and so have the states that they reach by inert τ. So the
 * transitions of one of them that has no inert transitions represent all.
 */
import { TAU } from "../../model/index.js";
import { Signatures } from "./signatures.js";

export interface Graph {
  readonly states: number;
  readonly firsts: Int32Array;
  readonly actions: Int32Array;
  readonly targets: Int32Array;
}

export interface RefinementOptions {
  /** Numbers of labels. */
  readonly labels: number;
  /** τ within a block is inert; τ must lead to smaller numbers (`collapseTau`). */
  readonly hasInert: boolean;
  /** Divergent states: they have an infinite run of inert τ and differ from all others. */
  readonly isDivergent?: Uint8Array | undefined;
  /** By state: states of different classes differ. Absent: there is one class. */
  readonly classes?: Int32Array | undefined;
}

export class Refinement {
  /** By state. */
  readonly blocks: Int32Array;
  blockCount = 0;
  /** Signatures computed. */
  signed = 0;
  readonly #graph: Graph;
  readonly #hasInert: boolean;
  readonly #divergent: Uint8Array | undefined;
  /** Elements of signatures are `block * labels + label`; -1 is divergence. */
  readonly #labels: number;
  /** Predecessors of `s`: `2 * state + isTau` at `backs[backFirsts[s] … backFirsts[s + 1] - 1]`. */
  readonly #backFirsts: Int32Array;
  readonly #backs: Int32Array;
  /** States by block; within a block the clean ones first. */
  readonly #members: Int32Array;
  readonly #placeOf: Int32Array;
  #starts = new Int32Array(16);
  #ends = new Int32Array(16);
  /** Start of the dirty members of a block. */
  #dirtyStarts = new Int32Array(16);
  /** Blocks with dirty members, as a ring. */
  readonly #queue: Int32Array;
  #queueHead = 0;
  #queueLength = 0;
  /** By state: its signature in the current block. */
  readonly #signatureOf: Int32Array;
  readonly #signatures = new Signatures();
  #groupEnds = new Int32Array(64);
  #scratch = new Int32Array(64);

  constructor(graph: Graph, options: RefinementOptions) {
    const { states } = graph;
    this.#graph = graph;
    this.#hasInert = options.hasInert;
    this.#divergent = options.isDivergent;
    this.#labels = options.labels;
    this.blocks = new Int32Array(states);
    this.#members = Int32Array.from({ length: states }, (_, s) => s);
    this.#placeOf = this.#members.slice();
    this.#signatureOf = new Int32Array(states);
    this.#queue = new Int32Array(Math.max(1, states));
    const { firsts, backs } = backwards(graph);
    this.#backFirsts = firsts;
    this.#backs = backs;
    if (states === 0) return;
    this.#begin(options.classes ?? new Int32Array(states));
  }

  /** One block a class, all members dirty. */
  #begin(classes: Int32Array): void {
    const members = this.#members;
    members.sort((a, b) => classes[a] - classes[b] || a - b);
    for (let i = 0; i < members.length; i++) {
      // sound: test/languages/chi/traps.test.ts
      if (i === 0 || classes[members[i]] !== classes[members[i - 1]]) {
        const block = this.#newBlock();
        this.#starts[block] = this.#dirtyStarts[block] = i;
        this.#enqueue(block);
      }
      this.blocks[members[i]] = this.blockCount - 1;
      this.#placeOf[members[i]] = i;
      this.#ends[this.blockCount - 1] = i + 1;
    }
  }

  /** Bytes of all arrays, without those of the graph. */
  get bytes(): number {
    const arrays = [
      this.blocks,
      this.#backFirsts,
      this.#backs,
      this.#members,
      this.#placeOf,
      this.#starts,
      this.#ends,
      this.#dirtyStarts,
      this.#queue,
      this.#signatureOf,
      this.#groupEnds,
      this.#scratch,
    ];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#signatures.bytes);
  }

  /** Signs about `quota` states; false when the partition is stable. */
  advance(quota: number): boolean {
    const end = this.signed + quota;
    while (this.#queueLength > 0) {
      if (this.signed >= end) return true;
      const block = this.#queue[this.#queueHead];
      this.#queueHead = (this.#queueHead + 1) % this.#queue.length;
      this.#queueLength--;
      this.#process(block);
    }
    return false;
  }

  #process(block: number): void {
    if (this.#hasInert) this.#closeDirty(block);
    const start = this.#starts[block];
    const end = this.#ends[block];
    const dirtyStart = this.#dirtyStarts[block];
    if (end - start === 1) {
      this.#dirtyStarts[block] = end;
      return;
    }
    const signatures = this.#signatures;
    signatures.clear();
    const cleanSignature = dirtyStart > start ? this.#signClean(block, this.#members[start]) : -1;
    if (this.#hasInert) this.#sort(dirtyStart, end);
    for (let i = dirtyStart; i < end; i++) {
      const s = this.#members[i];
      this.#signatureOf[s] = this.#sign(s, block, dirtyStart, cleanSignature);
    }
    this.signed += end - dirtyStart;
    this.#dirtyStarts[block] = end;
    if (signatures.count > 1) this.#split(block, start, dirtyStart, end);
  }

  /** A state that reaches a dirty one by inert τ is dirty. */
  #closeDirty(block: number): void {
    for (let i = this.#ends[block] - 1; i >= this.#dirtyStarts[block]; i--) {
      const s = this.#members[i];
      for (let e = this.#backFirsts[s]; e < this.#backFirsts[s + 1]; e++) {
        const back = this.#backs[e];
        if ((back & 1) === 1 && this.blocks[back >>> 1] === block) this.#dirty(back >>> 1, block);
      }
    }
  }

  /** By number, so that the inert successors of a state come before it. */
  #sort(from: number, to: number): void {
    const members = this.#members;
    let isSorted = true;
    for (let i = from + 1; i < to && isSorted; i++) isSorted = members[i - 1] < members[i];
    if (isSorted) return;
    members.subarray(from, to).sort();
    for (let i = from; i < to; i++) this.#placeOf[members[i]] = i;
  }

  #signClean(block: number, member: number): number {
    const { firsts, actions, targets } = this.#graph;
    let s = member;
    for (let t = firsts[s]; t < firsts[s + 1]; t++)
      if (this.#hasInert && actions[t] === TAU && this.blocks[targets[t]] === block) {
        s = targets[t];
        t = firsts[s] - 1;
      }
    return this.#sign(s, block, this.#ends[block], -1);
  }

  #sign(s: number, block: number, dirtyStart: number, cleanSignature: number): number {
    const { firsts, actions, targets } = this.#graph;
    const { blocks } = this;
    const signatures = this.#signatures;
    const end = firsts[s + 1];
    /** The only signature of inert successors so far: -1 if there are none. */
    let inherited = -1;
    signatures.begin();
    if (this.#divergent !== undefined && this.#divergent[s] === 1) signatures.add(-1);
    for (let t = firsts[s]; t < end; t++) {
      const to = targets[t];
      if (this.#hasInert && actions[t] === TAU && blocks[to] === block) {
        const theirs = this.#placeOf[to] >= dirtyStart ? this.#signatureOf[to] : cleanSignature;
        if (inherited < 0) inherited = theirs;
        else if (inherited !== theirs) signatures.addAll(theirs);
      } else signatures.add(blocks[to] * this.#labels + actions[t]);
    }
    if (inherited < 0) return signatures.end();
    if (signatures.isEmpty) return inherited;
    signatures.addAll(inherited);
    return signatures.end();
  }

  /** Splits the block by the signatures of its members; clean ones have signature 0. */
  #split(block: number, start: number, dirtyStart: number, end: number): void {
    const { count } = this.#signatures;
    while (this.#groupEnds.length < count) this.#groupEnds = new Int32Array(2 * this.#groupEnds.length);
    while (this.#scratch.length < end - dirtyStart) this.#scratch = new Int32Array(2 * this.#scratch.length);
    const groups = this.#groupEnds;
    const members = this.#members;
    groups.fill(0, 0, count);
    groups[0] = dirtyStart - start;
    for (let i = dirtyStart; i < end; i++) groups[this.#signatureOf[members[i]]]++;
    let largest = 0;
    for (let g = 1; g < count; g++) if (groups[g] > groups[largest]) largest = g;
    for (let g = 0, sum = start; g < count; g++) groups[g] = sum += groups[g];
    const dirty = this.#scratch;
    for (let i = dirtyStart; i < end; i++) dirty[i - dirtyStart] = members[i];
    for (let i = end - dirtyStart - 1; i >= 0; i--) {
      const s = dirty[i];
      const place = --groups[this.#signatureOf[s]];
      members[place] = s;
      this.#placeOf[s] = place;
    }
    // Now `groups[g]` is where group g begins, except for group 0, which began with the clean members.
    groups[0] = start;
    const firstNew = this.blockCount;
    for (let g = 0; g < count; g++) {
      const groupEnd = g + 1 < count ? groups[g + 1] : end;
      const number = g === largest ? block : this.#newBlock();
      this.#starts[number] = groups[g];
      this.#ends[number] = this.#dirtyStarts[number] = groupEnd;
      if (g !== largest) for (let i = groups[g]; i < groupEnd; i++) this.blocks[members[i]] = number;
    }
    for (let number = firstNew; number < this.blockCount; number++) this.#spread(number, block);
  }

  /** Marks the states whose signatures changed because the members of a new block left the old one. */
  #spread(block: number, old: number): void {
    const { firsts, actions, targets } = this.#graph;
    const { blocks } = this;
    // Members become dirty meanwhile and are reordered, but only within the block.
    const from = this.#starts[block];
    const to = this.#ends[block];
    while (this.#scratch.length < to - from) this.#scratch = new Int32Array(2 * this.#scratch.length);
    const moved = this.#scratch;
    for (let i = from; i < to; i++) moved[i - from] = this.#members[i];
    for (let i = 0; i < to - from; i++) {
      const s = moved[i];
      for (let e = this.#backFirsts[s]; e < this.#backFirsts[s + 1]; e++) {
        const back = this.#backs[e];
        const p = back >>> 1;
        if (!this.#hasInert || (back & 1) === 0 || blocks[p] !== block) this.#dirty(p, blocks[p]);
      }
      if (!this.#hasInert) continue;
      // A τ to the part that kept the number was inert.
      for (let t = firsts[s]; t < firsts[s + 1]; t++)
        if (actions[t] === TAU && blocks[targets[t]] === old) {
          this.#dirty(s, block);
          break;
        }
    }
  }

  #dirty(s: number, block: number): void {
    const boundary = this.#dirtyStarts[block];
    const place = this.#placeOf[s];
    if (place >= boundary) return;
    if (boundary === this.#ends[block]) this.#enqueue(block);
    const other = this.#members[boundary - 1];
    this.#members[boundary - 1] = s;
    this.#members[place] = other;
    this.#placeOf[s] = boundary - 1;
    this.#placeOf[other] = place;
    this.#dirtyStarts[block] = boundary - 1;
  }

  #enqueue(block: number): void {
    this.#queue[(this.#queueHead + this.#queueLength++) % this.#queue.length] = block;
  }

  #newBlock(): number {
    if (this.blockCount === this.#starts.length) {
      this.#starts = longer(this.#starts);
      this.#ends = longer(this.#ends);
      this.#dirtyStarts = longer(this.#dirtyStarts);
    }
    return this.blockCount++;
  }
}

function backwards({ states, firsts, actions, targets }: Graph): {
  readonly firsts: Int32Array;
  readonly backs: Int32Array;
} {
  const backFirsts = new Int32Array(states + 1);
  for (let t = 0; t < targets.length; t++) backFirsts[targets[t]]++;
  for (let s = 0, sum = 0; s <= states; s++) backFirsts[s] = sum += backFirsts[s];
  const backs = new Int32Array(targets.length);
  for (let s = states - 1; s >= 0; s--)
    for (let t = firsts[s]; t < firsts[s + 1]; t++)
      backs[--backFirsts[targets[t]]] = 2 * s + (actions[t] === TAU ? 1 : 0);
  return { firsts: backFirsts, backs };
}

function longer(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
