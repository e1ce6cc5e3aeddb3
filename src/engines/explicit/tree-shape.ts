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
 * The fewer values a part of the state has, the fewer nodes there are. A part can have at most as many values as its words'
 * numbers of values multiplied; so the words are split in two such that the logarithms of these numbers, as seen in a sample
 * of states, are about the same on both sides, and each half again. Neighbours stay together where that is no worse: what
 * stands together in a state belongs together.
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
  /** By word: the bits it seems to need. */
  readonly #bits: readonly number[];

  constructor(width: number, sample: readonly Words[]) {
    this.#bits = Array.from({ length: width }, (_, word) => {
      const values = new Set(sample.map((words) => words[word] ?? 0));
      return Math.log2(Math.max(1, values.size));
    });
  }

  split(words: readonly number[]): [number[], number[]] {
    let best = { left: new Set(words.slice(0, words.length >> 1)), cost: Infinity };
    const consider = (left: ReadonlySet<number>): void => {
      if (left.size === 0 || left.size === words.length) return;
      const cost = this.#cost(words, left);
      if (cost < best.cost - 1e-9) best = { left: new Set(left), cost };
    };
    for (let at = 1; at < words.length; at++) consider(new Set(words.slice(0, at)));
    // From the best cut, words change sides one at a time as long as it helps much.
    for (let before = Infinity; best.cost < before - 1;) {
      before = best.cost;
      const from = best.left;
      for (const word of words) consider(toggled(from, word));
    }
    return [[...best.left], words.filter((word) => !best.left.has(word))];
  }

  #cost(words: readonly number[], left: ReadonlySet<number>): number {
    let here = 0;
    let there = 0;
    for (const word of words)
      if (left.has(word)) here += this.#bits[word]!;
      else there += this.#bits[word]!;
    return Math.max(here, there);
  }
}

function toggled(set: ReadonlySet<number>, word: number): ReadonlySet<number> {
  const other = new Set(set);
  if (!other.delete(word)) other.add(word);
  return other;
}

const MOST_SAMPLES = 8000;

/** Longer than any run of occupied places in the set of roots is likely to be; when it does not suffice the set grows. */
export const SLACK = 1024;
