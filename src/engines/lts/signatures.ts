/**
 * Signatures of the states of one block: sets of numbers, equal sets with equal ids. Exact: a hash only chooses where to look.
 *
 * Ids count from 0 for each block. The table is not cleared between blocks: an entry is the id plus an offset that grows with
 * every block, and smaller entries count as free.
 */
export class Signatures {
  count = 0;
  /** Elements of the set that is being collected. */
  #scratch = new Float64Array(64);
  #length = 0;
  /** Set `id` is `elements[ends[id - 1] … ends[id] - 1]`, sorted. */
  #elements = new Float64Array(1024);
  #ends = new Int32Array(64);
  #hashes = new Int32Array(64);
  #table = new Int32Array(256);
  #offset = 1;

  get bytes(): number {
    const { byteLength } = this.#elements;
    return byteLength + this.#ends.byteLength + this.#hashes.byteLength + this.#table.byteLength;
  }

  /** Forgets all sets. */
  clear(): void {
    this.#offset += this.count;
    this.count = 0;
    if (this.#offset > LARGEST_OFFSET) {
      this.#table.fill(0);
      this.#offset = 1;
    }
  }

  /** Begins a set. */
  begin(): void {
    this.#length = 0;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(element: number): void {
    if (this.#length === this.#scratch.length) this.#scratch = longer(this.#scratch);
    this.#scratch[this.#length++] = element;
  }

  /** Adds all elements of set `id`. */
  addAll(id: number): void {
    for (let i = this.#startOf(id); i < this.#ends[id]; i++) this.add(this.#elements[i]);
  }

  /** The elements of set `id`, until the next set is begun. */
  elements(id: number): Float64Array {
    return this.#elements.subarray(this.#startOf(id), this.#ends[id]);
  }

  /** Ends the set: its id. */
  end(): number {
    const length = this.#sortUniquely();
    const hash = hashOf(this.#scratch, length);
    if (2 * (this.count + 1) >= this.#table.length) this.#enlarge();
    const mask = this.#table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#table[slot] - this.#offset;
      if (id < 0) return this.#append(length, hash, slot);
      if (this.#hashes[id] === hash && this.#isSet(id, length)) return id;
    }
  }

  #isSet(id: number, length: number): boolean {
    const start = this.#startOf(id);
    if (this.#ends[id] - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.#elements[start + i] !== this.#scratch[i]) return false;
    return true;
  }

  #append(length: number, hash: number, slot: number): number {
    const id = this.count++;
    if (id === this.#ends.length) {
      this.#ends = longer(this.#ends);
      this.#hashes = longer(this.#hashes);
    }
    const start = this.#startOf(id);
    while (start + length > this.#elements.length) this.#elements = longer(this.#elements);
    for (let i = 0; i < length; i++) this.#elements[start + i] = this.#scratch[i];
    this.#ends[id] = start + length;
    this.#hashes[id] = hash;
    this.#table[slot] = id + this.#offset;
    return id;
  }

  #startOf(id: number): number {
    return id === 0 ? 0 : this.#ends[id - 1];
  }

  #enlarge(): void {
    this.#table = new Int32Array(4 * this.#table.length);
    this.#offset = 1;
    const mask = this.#table.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = this.#hashes[id] & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = id + 1;
    }
  }

  #sortUniquely(): number {
    const set = this.#scratch;
    const length = this.#length;
    if (length > MOST_INSERTED) set.subarray(0, length).sort();
    else
      for (let i = 1; i < length; i++) {
        const element = set[i];
        let j = i - 1;
        for (; j >= 0 && set[j] > element; j--) set[j + 1] = set[j];
        set[j + 1] = element;
      }
    let kept = 0;
    for (let i = 0; i < length; i++) if (i === 0 || set[i] !== set[i - 1]) set[kept++] = set[i];
    return kept;
  }
}

const MOST_INSERTED = 24;
const LARGEST_OFFSET = 2 ** 30;

function hashOf(set: Float64Array, length: number): number {
  let hash = length;
  for (let i = 0; i < length; i++) {
    const element = set[i];
    hash = Math.imul(hash ^ (element | 0) ^ Math.imul((element / 2 ** 32) | 0, 0x5bd1e995), 0x9e3779b1 | 0);
    hash ^= hash >>> 15;
  }
  return hash & 0x7fffffff;
}

function longer<T extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
