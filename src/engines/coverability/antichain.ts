/**
 * Vectors of which none is below another. Everything that was ever added stays in the arena, by number and with where it
 * came from, because witnesses refer to vectors that were since replaced by larger (or smaller) ones.
 *
 * `keeps: "largest"` stands for everything below its vectors, `"smallest"` for everything above.
 *
 * Most questions are answered by two numbers beside each vector before any component is looked at: the set of its
 * places, folded into 32 bits, and the sum of its components.
 */
export class Antichain {
  readonly width: number;
  /** Numbers of the vectors in the antichain now. Their order is no promise. */
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

  /** How many were ever added. */
  get count(): number {
    return this.#count;
  }

  /** The vector of that number. A view: it is good until the next `add`. */
  at(number: number): Int32Array {
    return this.#words.subarray(number * this.width, (number + 1) * this.width);
  }

  isMember(number: number): boolean {
    return this.#isMember[number] === 1;
  }

  /** Is the vector already stood for? */
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

  /** Adds a vector that is not stood for yet, removes what it stands for, and returns its number. */
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

/** A larger vector has a larger sum, also by `OMEGA`, which is larger than every number. */
function sumOf(vector: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]!;
  return sum;
}
