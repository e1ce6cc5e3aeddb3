/**
 * Orbits under permutations of interchangeable nodes: states of one orbit have the same key, the least over all
 * permutations.
 *
 * The text of a node's state or of the network under a permutation is computed once and numbered; so computing a key
 * compares a few numbers per permutation.
 */
import type { Words } from "../../model/index.js";
import { renamedData } from "../heap/index.js";
import type { DataNode } from "./data-node.js";
import type { Network } from "./network.js";
import type { StateWords } from "./state-words.js";
import type { Permutation } from "./symmetry.js";
import { nth } from "../../model/known.js";

export class Orbits {
  readonly #nodes: readonly DataNode[];
  readonly #network: Network;
  readonly #isFifo: boolean;
  readonly #permutations: readonly Permutation[];
  readonly #words: StateWords;
  readonly #numbers = new Map<string, number>();
  /** By packet and permutation. */
  readonly #packets = new Map<number, RenamedPacket>();
  /** By part (the nodes, the network), then by its number and the permutation. */
  readonly #known: Map<number, number>[];

  constructor(
    nodes: readonly DataNode[],
    network: Network,
    permutations: readonly Permutation[],
    { words, isFifo }: { readonly words: StateWords; readonly isFifo: boolean },
  ) {
    this.#nodes = nodes;
    this.#network = network;
    this.#isFifo = isFifo;
    this.#permutations = permutations;
    this.#words = words;
    this.#known = Array.from({ length: nodes.length + 1 }, () => new Map<number, number>());
  }

  keyOf(state: Words, at: number): string {
    let least = this.#under(state, at, 0);
    for (let permutation = 1; permutation < this.#permutations.length; permutation++) {
      const other = this.#under(state, at, permutation);
      if (isLess(other, least)) least = other;
    }
    return least.join();
  }

  /** Whether every permutation maps the state to itself. */
  isFixed(state: Words, at: number): boolean {
    const text = this.keyUnder(state, at, 0);
    return this.#permutations.every((_, permutation) => this.keyUnder(state, at, permutation) === text);
  }

  get permutationCount(): number {
    return this.#permutations.length;
  }

  /** The state under a permutation. */
  keyUnder(state: Words, at: number, permutation: number): string {
    return this.#under(state, at, permutation).join();
  }

  #under(state: Words, at: number, permutation: number): Int32Array {
    const count = this.#nodes.length;
    const { to } = nth(this.#permutations, permutation);
    const { width, partition } = this.#words;
    const key = new Int32Array(width);
    for (let node = 0; node < count; node++)
      key[nth(to, node)] = this.#part(node, nth(state, at + node), permutation);
    key[count] = this.#part(count, nth(state, at + count), permutation);
    for (let k = count + 1; k < width; k++) key[k] = nth(state, at + k);
    if (partition >= 0) key[partition] = renamedMask(nth(state, at + partition), to);
    return key;
  }

  #part(part: number, value: number, permutation: number): number {
    const known = nth(this.#known, part);
    const place = value * this.#permutations.length + permutation;
    let number = known.get(place);
    if (number === undefined) {
      const renaming = nth(this.#permutations, permutation);
      const node = this.#nodes[part];
      number = this.#number(node ? node.renamed(value, renaming) : this.#networkText(value, permutation));
      known.set(place, number);
    }
    return number;
  }

  #networkText(content: number, permutation: number): string {
    const packets = this.#network.packets(content).map((number) => this.#packet(number, permutation));
    // Sorting is stable: it preserves the order of sending between each pair of nodes.
    packets.sort((a, b) => {
      const isOrdered = this.#isFifo && !a.isCopy; // sound: test/code/system/network.test.ts
      return compare(a.link, b.link) || (isOrdered ? 0 : compare(a.message, b.message));
    });
    return JSON.stringify(packets);
  }

  #packet(number: number, permutation: number): RenamedPacket {
    const place = number * this.#permutations.length + permutation;
    let known = this.#packets.get(place);
    if (!known) {
      const { names, to } = nth(this.#permutations, permutation);
      const packet = this.#network.packet(number);
      const receivers = packet.to.map((node) => nth(to, node)).sort((a, b) => a - b);
      const message = JSON.stringify(renamedData(JSON.parse(packet.message), names));
      const isCopy = packet.isCopy === true;
      known = { link: `${to[packet.from]} ${receivers.join()}${isCopy ? " again" : ""}`, message, isCopy };
      this.#packets.set(place, known);
    }
    return known;
  }

  #number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

interface RenamedPacket {
  readonly link: string;
  readonly message: string;
  readonly isCopy: boolean;
}

/** The first node always belongs to part 0. */
function renamedMask(mask: number, to: readonly number[]): number {
  let renamed = 0;
  to.forEach((target, node) => (renamed |= ((mask >> node) & 1) << target));
  return (renamed & 1) === 0 ? renamed : ~renamed & ((1 << to.length) - 1);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function isLess(a: Int32Array, b: Int32Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k]! < b[k]!;
  return false;
}
