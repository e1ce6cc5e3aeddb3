/**
 * Vectors that are pairwise incomparable. The arena keeps every vector ever added, by number and with its origin, because
 * witnesses refer to vectors that larger (or smaller) ones have replaced.
 *
 * `keeps: "largest"` represents the downward closure, `"smallest"` the upward closure.
 *
 * Two numbers per vector settle most comparisons before any component: its support folded into 32 bits, and the sum of
 * its components.
 */
export class Antichain {
  readonly width: number;
  /** Numbers of the present members, in no particular order. */
  readonly members: number[] = [];
  readonly #isLargest: boolean;
  #words: Int32Array;
  #capacity = 64;
  #count = 0;
  /** By number: the folded support. */
  #supports = new Int32Array(64);
  #sums = new Float64Array(64);
  #isMember = new Uint8Array(64);

  constructor(width: number, keeps: "largest" | "smallest") {
    this.width = width;
    this.#isLargest = keeps === "largest";
    this.#words = new Int32Array(width * this.#capacity);
  }

  /** Number of vectors ever added. */
  get count(): number {
    return this.#count;
  }

  /** The vector of that number: a view, valid until the next `add`. */
  at(number: number): Int32Array {
    return this.#words.subarray(number * this.width, (number + 1) * this.width);
  }

  isMember(number: number): boolean {
    return this.#isMember[number] === 1;
  }

  /** Is the vector in the closure? */
  has(vector: Int32Array): boolean {
    const support = supportOf(vector);
    const sum = sumOf(vector);
    for (let i = 0; i < this.members.length; i++) {
      const member = this.members[i]!;
      if (this.#isLargest) {
        if ((support & ~this.#supports[member]!) !== 0 || this.#sums[member]! < sum) continue;
        if (this.#vectorBelow(vector, member)) return true; // sound: test/engines/coverability/quick.test.ts
      } else {
        if ((this.#supports[member]! & ~support) !== 0 || this.#sums[member]! > sum) continue;
        if (this.#memberBelow(member, vector)) return true; // sound: test/engines/coverability/quick.test.ts
      }
    }
    return false;
  }

  /** Adds a vector outside the closure, removes members it subsumes, and returns its number. */
  add(vector: Int32Array): number {
    this.#removeCovered(vector, supportOf(vector), sumOf(vector));
    if (this.#count === this.#capacity) this.#grow();
    const number = this.#count++;
    this.#words.set(vector, number * this.width);
    this.#supports[number] = supportOf(vector);
    this.#sums[number] = sumOf(vector);
    this.#isMember[number] = 1;
    this.members.push(number);
    return number;
  }

  #removeCovered(vector: Int32Array, support: number, sum: number): void {
    const { members } = this;
    let kept = 0;
    for (let i = 0; i < members.length; i++) {
      const member = members[i]!;
      if (this.#isCoveredBy(member, vector, support, sum)) this.#isMember[member] = 0;
      else members[kept++] = member;
    }
    members.length = kept;
  }

  #isCoveredBy(member: number, vector: Int32Array, support: number, sum: number): boolean {
    if (this.#isLargest)
      return (
        (this.#supports[member]! & ~support) === 0 &&
        this.#sums[member]! <= sum &&
        this.#memberBelow(member, vector) // sound: test/engines/coverability/quick.test.ts
      );
    return (
      (support & ~this.#supports[member]!) === 0 &&
      this.#sums[member]! >= sum &&
      this.#vectorBelow(vector, member) // sound: test/engines/coverability/quick.test.ts
    );
  }

  #vectorBelow(vector: Int32Array, member: number): boolean {
    const words = this.#words;
    const from = member * this.width;
    for (let i = 0; i < vector.length; i++) {
      if (vector[i]! > words[from + i]!) return false; // sound: test/engines/coverability/quick.test.ts
    }
    return true;
  }

  #memberBelow(member: number, vector: Int32Array): boolean {
    const words = this.#words;
    const from = member * this.width;
    for (let i = 0; i < vector.length; i++) {
      if (words[from + i]! > vector[i]!) return false; // sound: test/engines/coverability/quick.test.ts
    }
    return true;
  }

  #grow(): void {
    this.#capacity *= 2;
    const words = new Int32Array(this.width * this.#capacity);
    words.set(this.#words);
    this.#words = words;
    const supports = new Int32Array(this.#capacity);
    supports.set(this.#supports);
    this.#supports = supports;
    const sums = new Float64Array(this.#capacity);
    sums.set(this.#sums);
    this.#sums = sums;
    const isMember = new Uint8Array(this.#capacity);
    isMember.set(this.#isMember);
    this.#isMember = isMember;
  }
}

/** Bit `p % 32` for every place `p` with tokens. */
function supportOf(vector: Int32Array): number {
  let support = 0;
  for (let i = 0; i < vector.length; i++) if (vector[i]! !== 0) support |= 1 << (i & 31);
  return support;
}

/** Larger vectors have larger sums; `OMEGA` exceeds every number. */
function sumOf(vector: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]!;
  return sum;
}
