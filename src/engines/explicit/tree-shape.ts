/**
 * Shape of the tree of a state's words. The two halves of the whole are the root; every other inner node has a number, and
 * comes after the nodes it is made of. The left half is a node, so it is not zero (see `tree-store.ts`).
 */
import type { Words } from "../../model/index.js";
import { hashPair } from "./tree-hash.js";

export interface TreeShape {
  readonly nodes: readonly { readonly left: Part; readonly right: Part }[];
  readonly left: Part;
  readonly right: Part;
}

export type Part =
  | { readonly kind: "word"; readonly word: number }
  | { readonly kind: "node"; readonly node: number }
  /** The right half of a node that stands for one word. */
  | { readonly kind: "nothing" };

/**
 * The fewer values the halves of a state have, the fewer nodes there are: so of all ways to split the words in two, that
 * one is taken for which both halves together have the fewest values, as estimated from a sample of states; and each half
 * is split likewise. Without a sample, and when a wide state has taken long enough, neighbours stay together.
 */
export function treeShape(width: number, sample: readonly Words[] = []): TreeShape {
  const nodes: { left: Part; right: Part }[] = [];
  const samples = Math.min(MOST_SAMPLES, 256 + Math.ceil(MOST_WORK / (64 * width * width)));
  const splitter = new Splitter(width, sample.slice(0, samples));
  const part = (words: readonly number[]): Part => {
    // sound: test/engines/explicit/tree-shape.test.ts
    if (words.length === 0) return { kind: "nothing" };
    // sound: test/engines/explicit/tree-shape.test.ts
    if (words.length === 1) return { kind: "word", word: words[0]! };
    const [left, right] = splitter.split(words);
    nodes.push({ left: part(left), right: part(right) });
    return { kind: "node", node: nodes.length - 1 };
  };
  const all = Array.from({ length: width }, (_, word) => word);
  // sound: test/engines/explicit/tree-shape.test.ts
  const [left, right] = (width < 2 ? [all, []] : splitter.split(all)).map(part) as [Part, Part];
  // sound: test/engines/explicit/tree-shape.test.ts
  if (left.kind !== "node" && right.kind === "node") return { left: right, right: left, nodes };
  return { left: asNode(left, nodes), right, nodes };
}

/** The same with a node for the right half, so that neither is zero. */
export function withTwoNodes({ left, right, nodes }: TreeShape): TreeShape {
  const all = [...nodes];
  return { left, right: asNode(right, all), nodes: all };
}

function asNode(part: Part, nodes: { left: Part; right: Part }[]): Part {
  // sound: test/engines/explicit/tree-shape.test.ts
  if (part.kind === "node") return part;
  nodes.push({ left: part, right: { kind: "nothing" } });
  return { kind: "node", node: nodes.length - 1 };
}

class Splitter {
  readonly #values: ValueCounter;

  constructor(width: number, sample: readonly Words[]) {
    this.#values = new ValueCounter(width, sample);
  }

  split(words: readonly number[]): [number[], number[]] {
    let best = { left: new Set(words.slice(0, words.length >> 1)), cost: Infinity };
    const consider = (left: ReadonlySet<number>): void => {
      // sound: test/engines/explicit/tree-shape.test.ts
      if (left.size === 0 || left.size === words.length || this.#values.work > MOST_WORK) return;
      const cost = this.#cost(words, left);
      if (cost < 0.99 * best.cost) best = { left: new Set(left), cost };
    };
    for (const at of fromTheMiddle(words.length)) consider(new Set(words.slice(0, at)));
    if (words.length <= MOST_TRIED) for (const left of halvesOf(words)) consider(left);
    // Otherwise improves the best cut by moving words to the other side, alone or in pairs, as long as that helps.
    else
      for (let before = Infinity; best.cost < before;) {
        before = best.cost;
        const from = best.left;
        for (const word of words) consider(toggled(from, [word]));
        if (best.cost < before || words.length > MOST_PAIRED) continue;
        for (const word of words)
          for (const other of words) if (word < other) consider(toggled(from, [word, other]));
      }
    // sound: test/engines/explicit/tree-shape.test.ts
    return [words.filter((word) => best.left.has(word)), words.filter((word) => !best.left.has(word))];
  }

  #cost(words: readonly number[], left: ReadonlySet<number>): number {
    const sides = [words.filter((word) => left.has(word)), words.filter((word) => !left.has(word))];
    return sides.reduce((sum, side) => sum + this.#values.estimate(side), 0);
  }
}

/** Estimates the number of joint values of some words of a state from a sample. */
class ValueCounter {
  /** By word: a hash of its value in each state of the sample. The sum of several stands for all their values. */
  readonly #hashes: readonly Int32Array[];
  readonly #sums: Int32Array;
  /** Open addressing: a sum, and how often it was seen. */
  readonly #seen: Int32Array;
  readonly #estimates = new Map<string, number>();
  /** Values that were looked at. */
  work = 0;

  constructor(width: number, sample: readonly Words[]) {
    this.#hashes = Array.from({ length: width }, (_, word) =>
      Int32Array.from(sample, (words) => hashPair(word + 1, words[word] ?? 0)),
    );
    this.#sums = new Int32Array(sample.length);
    this.#seen = new Int32Array(2 ** (2 + Math.ceil(Math.log2(sample.length + 1))));
  }

  /**
   * A single word has no node, and costs nothing. Unseen values are estimated from the values seen only once or twice (Chao
   * 1984): f1 (f1 - 1) / 2 (f2 + 1) values.
   */
  estimate(words: readonly number[]): number {
    if (words.length < 2) return 0;
    const key = words.join();
    const known = this.#estimates.get(key);
    if (known !== undefined) return known;
    const estimate = this.#estimate(words);
    this.#estimates.set(key, estimate);
    return estimate;
  }

  #estimate(words: readonly number[]): number {
    this.#add(words);
    const mask = this.#seen.length / 2 - 1;
    let [values, once, twice] = [0, 0, 0];
    this.#seen.fill(0);
    for (const sum of this.#sums) {
      let slot = sum & mask;
      while (this.#seen[2 * slot + 1] !== 0 && this.#seen[2 * slot] !== sum) slot = (slot + 1) & mask;
      this.#seen[2 * slot] = sum;
      const times = ++this.#seen[2 * slot + 1]!;
      if (times === 1) values++;
      if (times <= 2) once += times === 1 ? 1 : -1;
      if (times === 2 || times === 3) twice += times === 2 ? 1 : -1;
    }
    return values + (once * (once - 1)) / (2 * (twice + 1));
  }

  #add(words: readonly number[]): void {
    this.work += words.length * this.#sums.length;
    this.#sums.fill(0);
    for (const word of words) {
      const hashes = this.#hashes[word]!;
      for (let i = 0; i < hashes.length; i++) this.#sums[i]! += hashes[i]!;
    }
    for (let i = 0; i < this.#sums.length; i++) this.#sums[i] = hashPair(this.#sums[i]!, 1);
  }
}

/** 1 to `length - 1`, the middle first. */
function fromTheMiddle(length: number): number[] {
  const cuts = Array.from({ length: length - 1 }, (_, i) => i + 1);
  return cuts.sort((a, b) => Math.abs(2 * a - length) - Math.abs(2 * b - length));
}

/** Every way to choose some of the words, the first among them. */
function halvesOf(words: readonly number[]): ReadonlySet<number>[] {
  return Array.from(
    { length: 2 ** (words.length - 1) },
    (_, chosen) => new Set(words.filter((_, i) => i === 0 || ((chosen >>> (i - 1)) & 1) === 1)),
  );
}

function toggled(set: ReadonlySet<number>, words: readonly number[]): ReadonlySet<number> {
  const other = new Set(set);
  for (const word of words) if (!other.delete(word)) other.add(word);
  return other;
}

export const MOST_SAMPLES = 4000;
/** Values of the sample to look at: some tenths of a second. */
const MOST_WORK = 2 ** 28;
/** Up to this number of words all splits are tried; up to this number, all pairs that could change sides. */
const MOST_TRIED = 10;
const MOST_PAIRED = 16;
