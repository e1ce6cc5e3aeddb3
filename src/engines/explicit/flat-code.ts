/** The flat store's operations for the search loops. */
import { emitHash, hashMultipliers } from "./hash.js";
import type { LoopCode } from "./loop-code.js";
import {
  emitCopy,
  emitFind,
  emitInsert,
  emitLocate,
  emitStoreLocals,
  emitTouch,
  type StoreShape,
} from "./store-code.js";

/** The hashes of a list that is being looked up, and the mask they were made with. */
class HashBuffer {
  hashes: Int32Array;
  room = 256;
  madeWith = 0;
  readonly #allocate: (length: number) => Int32Array;

  constructor(allocate: (length: number) => Int32Array) {
    this.#allocate = allocate;
    this.hashes = allocate(this.room);
  }

  reserve(length: number): void {
    this.room = 2 * length;
    this.hashes = this.#allocate(this.room);
  }
}

export function flatCode(shape: StoreShape, allocate: (length: number) => Int32Array): LoopCode {
  const { width, compareFrom } = shape;
  return {
    bindings: {
      widened: new Int32Array(width),
      multipliers: hashMultipliers(width),
      buffer: new HashBuffer(allocate),
    },
    head: "",
    locals: emitStoreLocals(shape),
    load: ([ref]) => `const id = ${ref};\n${emitLocate(shape)}`,
    loadNumbered: emitLocate(shape),
    note: "",
    prepare: (_isNoted, _onFailure, isPrepared = "false") => `
// sound: test/engines/stores/conditions.test.ts
if (length > buffer.room) buffer.reserve(length);
const hashes = buffer.hashes;
let touched = 0;
// sound: test/engines/stores/conditions.test.ts
if (!(${isPrepared}) || buffer.madeWith !== ownMask) {
  buffer.madeWith = ownMask;
  // sound: test/engines/stores/conditions.test.ts
  for (let i = 0, at = 0; i < length; i++, at += ${width}) {
    ${emitHash(width, compareFrom)}
    hashes[i] = hash;
  }
  ${emitTouch(shape)}
}`,
    entry: (i) => `const at = (${i}) * ${width}, hash = hashes[${i}];`,
    find: (onFound) => emitFind(shape, onFound),
    foundId: "id",
    // sound: test/engines/stores/conditions.test.ts
    isFull: "count === room",
    insert: (parent, _position, onLost) => emitInsert(shape, parent, onLost),
    ref: ["count"],
    wait: (to, toAt) => emitCopy(width, to, toAt, "words", "at"),
    resume: (from, fromAt) => `const words = ${from}, at = ${fromAt};\n${emitHash(width, compareFrom)}`,
  };
}
