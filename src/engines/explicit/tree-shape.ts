/**
 * How the words of a state become a tree. The two halves of the whole are the root; every other inner node has a number, and
 * comes after the nodes it is made of.
 */
import type { Words } from "../../model/index.js";

export interface TreeShape {
  readonly nodes: readonly { readonly left: Part; readonly right: Part }[];
  readonly left: Part;
  readonly right: Part;
}

export type Part =
  | { readonly kind: "word"; readonly word: number }
  | { readonly kind: "node"; readonly node: number }
  /** The right half of a single word. */
  | { readonly kind: "nothing" };

/**
 * The fewer values a part of the state has, the fewer nodes there are. So the words are split in two in the way that leaves
 * few values on either side, judged by a sample of states, and each half again. Without a sample, in the middle.
 */
export function treeShape(width: number, sample: readonly Words[] = []): TreeShape {
  const nodes: { left: Part; right: Part }[] = [];
  const splitter = new Splitter(width, sample.slice(0, MOST_SAMPLES));
  const part = (words: readonly number[]): Part => {
    if (words.length === 0) return { kind: "nothing" };
    if (words.length === 1) return { kind: "word", word: words[0]! };
    const [left, right] = splitter.split(words);
    nodes.push({ left: part(left), right: part(right) });
    return { kind: "node", node: nodes.length - 1 };
  };
  const all = Array.from({ length: width }, (_, word) => word);
  if (width < 2) return { left: part(all), right: { kind: "nothing" }, nodes };
  const halves = splitter.split(all).map(part);
  // Of three words or more, the left half must be a node (see `tree-store.ts`).
  if (halves[0]!.kind === "word" && halves[1]!.kind === "node") halves.reverse();
  return { left: halves[0]!, right: halves[1]!, nodes };
}

class Splitter {
  /** By word and state of the sample a hash of the word's value; a set of words has the exclusive or of its words'. */
  readonly #hashes: readonly Int32Array[];
  readonly #seen = new Int32Array(2 * TABLE);
  #round = 0;

  constructor(width: number, sample: readonly Words[]) {
    this.#hashes = Array.from({ length: width }, (_, word) =>
      Int32Array.from(sample, (words) => mix(words[word] ?? 0, word)),
    );
  }

  split(words: readonly number[]): [number[], number[]] {
    let best = this.#cut(words);
    // From the best cut, words change sides one at a time as long as it helps.
    for (let moves = 0; moves < MOST_MOVES && words.length > 2; moves++) {
      const better = words
        .map((word) => this.#measured(words, toggled(best.left, word)))
        .reduce((a, b) => (b.cost < a.cost ? b : a));
      if (better.cost >= best.cost) break;
      best = better;
    }
    return [[...best.left], words.filter((word) => !best.left.has(word))];
  }

  #cut(words: readonly number[]): Split {
    const middle = words.length >> 1;
    let best = this.#measured(words, new Set(words.slice(0, middle)));
    for (let at = 1; at < words.length; at++) {
      const cut = this.#measured(words, new Set(words.slice(0, at)));
      if (cut.cost < best.cost) best = cut;
    }
    return best;
  }

  #measured(words: readonly number[], left: ReadonlySet<number>): Split {
    if (left.size === 0 || left.size === words.length) return { left, cost: Infinity };
    const right = words.filter((word) => !left.has(word));
    const [a, b] = [this.#values([...left]), this.#values(right)];
    // The larger half decides: it is the one that grows with the number of states.
    return { left, cost: Math.max(a, b) + Math.min(a, b) / 1000 };
  }

  /** How many values these words have together; a single word needs no node. */
  #values(words: readonly number[]): number {
    if (words.length === 1) return 0;
    this.#round++;
    let count = 0;
    for (let i = 0; i < this.#hashes[0]!.length; i++) {
      let hash = 0;
      for (const word of words) hash ^= this.#hashes[word]![i]!;
      let slot = (hash & (TABLE - 1)) * 2;
      while (this.#seen[slot] === this.#round && this.#seen[slot + 1] !== hash)
        slot = (slot + 2) & (2 * TABLE - 1);
      if (this.#seen[slot] !== this.#round) count++;
      this.#seen[slot] = this.#round;
      this.#seen[slot + 1] = hash;
    }
    return count;
  }
}

interface Split {
  readonly left: ReadonlySet<number>;
  readonly cost: number;
}

function toggled(set: ReadonlySet<number>, word: number): ReadonlySet<number> {
  const other = new Set(set);
  if (!other.delete(word)) other.add(word);
  return other;
}

function mix(value: number, word: number): number {
  let hash = Math.imul(value ^ Math.imul(word + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}

const MOST_SAMPLES = 3000;
const TABLE = 8192;
const MOST_MOVES = 6;

/** Longer than any run of occupied places in the set of roots is likely to be; when it does not suffice the set grows. */
export const SLACK = 1024;
