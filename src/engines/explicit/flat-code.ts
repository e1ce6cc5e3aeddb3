/** The flat store's operations as the search loops want them. */
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

export function flatCode(shape: StoreShape): LoopCode {
  const { width, compareFrom } = shape;
  return {
    bindings: {
      wide: new Int32Array(width),
      multipliers: hashMultipliers(width),
      scratch: { hashes: new Int32Array(256), ownMask: 0 },
    },
    head: "",
    locals: emitStoreLocals(shape),
    load: ([ref]) => `const id = ${ref};\n${emitLocate(shape)}`,
    loadNumbered: emitLocate(shape),
    note: "",
    prepare: (_isNoted, _onFailure, isPrepared = "false") => `
// sound: test/engines/stores/conditions.test.ts
if (length > scratch.hashes.length) scratch.hashes = new Int32Array(2 * length);
const hashes = scratch.hashes;
let touched = 0;
// sound: test/engines/stores/conditions.test.ts
if (!(${isPrepared}) || scratch.ownMask !== ownMask) {
  scratch.ownMask = ownMask;
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
    insert: (parent) => emitInsert(shape, parent),
    ref: ["count"],
    wait: (to, toAt) => emitCopy(width, to, toAt, "words", "at"),
    resume: (from, fromAt) => `const words = ${from}, at = ${fromAt};\n${emitHash(width, compareFrom)}`,
  };
}
