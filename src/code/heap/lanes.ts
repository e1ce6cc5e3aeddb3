/**
 * 128-bit hashes in four 32-bit lanes. A state's hash is the lane-wise sum of its objects' hashes, so that objects can
 * be exchanged; with exclusive or, two equal objects would cancel.
 */
export class Mixer {
  a = 0;
  b = 0;
  c = 0;
  d = 0;

  start(seed: number): void {
    this.a = seed ^ 0x9e3779b9;
    this.b = Math.imul(seed, 0x85ebca6b) ^ 0x7f4a7c15;
    this.c = Math.imul(seed, 0xc2b2ae35) ^ 0x165667b1;
    this.d = Math.imul(seed, 0x27d4eb2f) ^ 0x2545f491;
  }

  word(x: number): void {
    this.a = Math.imul(rotate(this.a ^ Math.imul(x, 0xcc9e2d51), 15), 0x1b873593);
    this.b = Math.imul(rotate(this.b ^ Math.imul(x, 0x85ebca77), 13), 0xc2b2ae3d);
    this.c = Math.imul(rotate(this.c + Math.imul(x, 0x27d4eb2f), 17), 0x9e3779b1);
    this.d = Math.imul(rotate(this.d + Math.imul(x ^ 0x5bd1e995, 0x165667b1), 11), 0xcc9e2d51);
    this.d ^= this.a >>> 7;
    this.a = (this.a + this.c) | 0;
  }

  text(text: string): void {
    const hash = textHash(text);
    this.word(hash[0]!);
    this.word(hash[1]!);
  }

  float(x: number): void {
    // One NaN, but two zeros, which a program can distinguish.
    FLOAT[0] = Number.isNaN(x) ? NaN : x;
    this.word(FLOAT_WORDS[0]!);
    this.word(FLOAT_WORDS[1]!);
  }

  bytes(bytes: Uint8Array): void {
    this.word(bytes.length);
    let i = 0;
    for (; i + 4 <= bytes.length; i += 4)
      this.word(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    for (; i < bytes.length; i++) this.word(bytes[i]!);
  }

  finish(): void {
    this.a = final(this.a ^ this.d);
    this.b = final(this.b ^ this.c);
    this.c = final((this.c + this.a) | 0);
    this.d = final((this.d + this.b) | 0);
  }
}

/** 64-bit hash of a string, cached because labels and values repeat. */
function textHash(text: string): readonly [number, number] {
  const known = texts.get(text);
  if (known) return known;
  let low = 0x811c9dc5 ^ text.length;
  let high = 0x01000193 + text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(rotate(high, 5) + unit, 0x85ebca6b);
  }
  const hash = [final(low), final(high ^ low)] as const;
  // Long strings are contents rather than labels, and would fill the cache.
  if (text.length < 64) {
    if (texts.size > 100_000) texts.clear();
    texts.set(text, hash);
  }
  return hash;
}

const texts = new Map<string, readonly [number, number]>();
const FLOAT = new Float64Array(1);
const FLOAT_WORDS = new Int32Array(FLOAT.buffer);

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

function final(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
