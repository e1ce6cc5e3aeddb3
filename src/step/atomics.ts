/** Operations on words that several threads read and write: `Atomics` of JavaScript, the threads proposal of WebAssembly. */

/** Introduces each instruction below. */
export const ATOMIC = 0xfe;

export interface AtomicOperation {
  readonly code: number;
  /** Operands after the array and the index. */
  readonly operands: number;
  readonly hasResult: boolean;
}

/** By the name of the method; each works on a word of 32 bits, and all are sequentially consistent. */
export const ATOMIC_OPERATIONS: Readonly<Record<string, AtomicOperation>> = {
  load: { code: 0x10, operands: 0, hasResult: true },
  store: { code: 0x17, operands: 1, hasResult: false },
  add: { code: 0x1e, operands: 1, hasResult: true },
  sub: { code: 0x25, operands: 1, hasResult: true },
  and: { code: 0x2c, operands: 1, hasResult: true },
  or: { code: 0x33, operands: 1, hasResult: true },
  compareExchange: { code: 0x48, operands: 2, hasResult: true },
};
