/**
 * Words in files, with a running checksum behind each block.
 *
 *   payload of block 0 | sum (2 words) | payload of block 1 | sum (2 words) | …
 *
 * A sum covers everything before it, so a block is verified separately, from the sum in front of it to the sum behind it, and the
 * last sum, which the manifest keeps, stands for the whole file: a file of another search does not match it. Each step of
 * the sum is a bijection in the sum and in the word, so damage to one word is always seen; other damage escapes with probability 2^-64.
 */
import { readSync, writeSync } from "node:fs";
import type { Words } from "../../../model/index.js";
import { DiskProblem } from "./folder.js";

/** Form in files and manifests. */
export type Sum = readonly [number, number];

export const SUM_WORDS = 2;

export class RunningSum {
  #a = 0x243f6a88;
  #b = 0x85a308d3 | 0;

  get value(): Sum {
    return [this.#a, this.#b];
  }

  set value([a, b]: Sum) {
    this.#a = a;
    this.#b = b;
  }

  add(words: Words, at: number, count: number): void {
    let a = this.#a;
    let b = this.#b;
    for (let i = at; i < at + count; i++) {
      const word = words[i]!;
      a = Math.imul(a ^ word, 0x9e3779b1);
      a ^= a >>> 15;
      b = Math.imul(((b << 13) | (b >>> 19)) + word, 0x85ebca6b);
      b ^= b >>> 16;
    }
    this.#a = a;
    this.#b = b;
  }

  /** Is this the sum at `words[at…]`? */
  isAt(words: Words, at: number): boolean {
    return words[at] === this.#a && words[at + 1] === this.#b; // sound: test/engines/disk/conditions.test.ts
  }

  equals([a, b]: Sum): boolean {
    return a === this.#a && b === this.#b; // sound: test/engines/disk/conditions.test.ts
  }
}

/** Refuses to continue: answers from a damaged file could be wrong. */
export function damaged(name: string, how: string): DiskProblem {
  return new DiskProblem(
    "damaged",
    `'${name}' of the search on disk is damaged: ${how}`,
    "restore the folder from a copy, or start again with --disk in another folder",
  );
}

/** Reads exactly that. */
export function readWhole(file: number, words: Int32Array, position: number, name: string): void {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let done = 0; done < bytes.length;) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw damaged(name, "it is shorter than the manifest says"); // sound: test/engines/disk/conditions.test.ts
    done += count;
  }
}

export function writeWhole(file: number, words: Int32Array, position: number): void {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
